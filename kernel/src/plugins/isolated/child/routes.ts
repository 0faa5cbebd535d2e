import type {
  Content,
  ContentOptions,
  CredentialScheme,
  PresentedCredentials,
  Reply,
  Route,
  RouteRequest,
  Viewer,
} from "@longbox/sdk";
import { replyKind } from "@longbox/sdk";
import { z } from "zod";
import { findingsToTell } from "../../examining/routes.js";
import { checkInput } from "../../../http/routing/checking-input.js";
import type { ToldCredentials, ToldReply, ToldRequest, ToldRoute } from "../agreement.js";
import { withoutReferences } from "./inlining.js";

/** The route as data, with its functions. */
export function tellRoute(route: Route): ToldRoute {
  const { challenge, onError, credentials } = route;
  const {
    method,
    path,
    access,
    summary,
    description,
    bodyFormat,
    bodyLimitBytes,
    responseType,
    acceptsBasic,
    ignoresHideMature,
  } = route;
  return {
    ...{
      method,
      path,
      access,
      summary,
      description,
      bodyFormat,
      bodyLimitBytes,
      responseType,
      acceptsBasic,
      ignoresHideMature,
    },
    params: shapeOf(route.params, "input"),
    query: shapeOf(route.query, "input"),
    body: shapeOf(route.body, "input"),
    response: shapeOf(route.response, "output"),
    challenge: challenge && (async (request) => challenge(request as { url: URL })),
    onError: onError && (async (failure) => onError(failure as Parameters<typeof onError>[0])),
    credentials: credentials && tellScheme(credentials),
    handle: async (request) => answerOf(await handle(route, request as ToldRequest)),
    mistakes: findingsToTell(route),
  };
}

function shapeOf(schema: z.ZodType | undefined, io: "input" | "output"): Record<string, unknown> | undefined {
  return schema && withoutReferences(z.toJSONSchema(schema, { io, unrepresentable: "any" }));
}

function tellScheme(scheme: CredentialScheme): NonNullable<ToldRoute["credentials"]> {
  return {
    id: scheme.id,
    secretHeaders: scheme.secretHeaders ?? [],
    secretParameters: scheme.secretParameters ?? [],
    secretQuery: scheme.secretQuery ?? [],
    basicRealm: scheme.basicRealm,
    claimedName:
      scheme.claimedName && (async (presented) => scheme.claimedName?.(presentedOf(presented as ToldCredentials))),
    identify: async (presented) => scheme.identify(presentedOf(presented as ToldCredentials)),
  };
}

function presentedOf({ headers, ...rest }: ToldCredentials): PresentedCredentials {
  return { ...rest, header: (name) => headers[name.toLowerCase()] };
}

const bodiless: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** Input is checked here: the kernel has no code of the plugin's schemas. */
function handle(route: Route, { headers, ...told }: ToldRequest): unknown {
  const request: RouteRequest = {
    ...told,
    viewer: told.viewer as Viewer,
    params: route.params && checkInput(route.params, "path", told.params),
    query: route.query && checkInput(route.query, "query", told.query),
    body: route.body === undefined || bodiless.has(told.method) ? undefined : checkInput(route.body, "body", told.body),
    header: (name) => headers[name.toLowerCase()],
  };
  // The types of the input are only known to the route.
  return route.handle(request as never);
}

function answerOf(result: unknown): ToldReply {
  const kind = replyKind(result);
  if (kind === undefined) return { kind: "value", json: JSON.stringify(result) };
  const reply = result as Extract<Reply, Record<symbol, unknown>>;
  if ("content" in reply)
    return { kind: "content", content: contentOf(reply.content), options: optionsOf(reply.options) };
  if ("value" in reply) {
    const { value, created, headers, protocolStatus } = reply;
    return { kind: "json", json: JSON.stringify(value), created, headers, protocolStatus };
  }
  if ("location" in reply) return { kind: "redirect", location: reply.location, headers: reply.headers };
  return { kind: "empty", headers: reply.headers, protocolStatus: reply.protocolStatus };
}

const optionsOf = (options: ContentOptions): ContentOptions => ({ ...options });

/** Content that the kernel asks for piece by piece: every function answers with a promise. */
function contentOf(content: Content | (() => Promise<Content>)): unknown {
  if (typeof content === "function") return async () => contentOf(await content());
  if (content.kind === "ranges")
    return {
      ...content,
      read: async (start: number, end: number, signal: AbortSignal) => content.read(start, end, signal),
    };
  if (content.kind === "filled")
    return {
      ...content,
      async fill(length: number, start: number, signal: AbortSignal) {
        const target = new Uint8Array(length);
        await content.fill(target, start, signal);
        return target;
      },
    };
  if (content.kind !== "slice" || content.read === undefined) return content;
  const { read, offset, length, contentType } = content;
  return {
    kind: "filled",
    sizeBytes: length,
    contentType,
    async fill(wanted: number, start: number) {
      const target = new Uint8Array(wanted);
      await read(target, offset + start);
      return target;
    },
  };
}
