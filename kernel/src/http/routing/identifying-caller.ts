import type { CredentialScheme, PresentedCredentials } from "@longbox/sdk";
import { basicOf } from "../../access/identifying/basic-credentials.js";
import { Authentication } from "../../access/identifying/authentication.js";
import { SchemeAuthentication } from "../../access/identifying/scheme-authentication.js";
import type { Identified, Identifying, SchemeIdentifying } from "../../access/identifying/identifying.js";
import { decodeParameters } from "./checking-input.js";
import type { CompiledRoute } from "./compiled-route.js";
import { followSignal, headerOf, requestHeaders, type Exchange } from "./route-call.js";
import { inject, injectable } from "../../injection.js";
import { secretQueryOf } from "./secret-parts.js";

/** The authenticators of requests. */
@injectable()
export class CallerIdentifying {
  constructor(
    @inject(Authentication) readonly requests: Identifying,
    @inject(SchemeAuthentication) readonly schemes: SchemeIdentifying,
  ) {}
}

/** A request that has found its route. */
export interface Call {
  readonly exchange: Exchange;
  readonly compiled: CompiledRoute;
  /** The raw text of the path's parameters. */
  readonly values: readonly string[];
}

/**
 * Authenticates the caller of a route: only by the plugin's own scheme where the route has one, otherwise by the
 * kernel's credentials.
 */
export function identifyCaller(access: CallerIdentifying, call: Call): Identified | Promise<Identified> {
  const { exchange, compiled } = call;
  if (compiled.route.credentials !== undefined)
    return identifyByScheme(access.schemes, call, compiled.route.credentials);
  return access.requests.identify(exchange.request.headers, exchange.client, compiled.route.acceptsBasic);
}

async function identifyByScheme(
  schemes: SchemeIdentifying,
  { exchange: { request, response, client }, compiled: { owner, names }, values }: Call,
  scheme: CredentialScheme,
): Promise<Identified> {
  const presented: PresentedCredentials & { readonly [requestHeaders]: object } = {
    [requestHeaders]: request.headers,
    method: request.method ?? "GET",
    params: decodeParameters(names, values),
    query: secretQueryOf(request, scheme),
    basic: scheme.basicRealm === undefined ? undefined : basicOf(request.headers.authorization),
    signal: followSignal(owner.signal, response),
    header: headerOf(request),
  };
  const identify = () => owner.run(() => scheme.identify(presented));
  return { grant: await schemes.identify({ scheme, presented, client, identify }) };
}
