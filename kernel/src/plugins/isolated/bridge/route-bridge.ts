import {
  defineRoute,
  type Route,
  type RouteFailure,
  type RouteRequest,
  type ProtocolAnswer,
  type PresentedCredentials,
} from "@longbox/sdk";
import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import { mistakesSchema } from "../../examining/mistakes.js";
import { foundElsewhere } from "../../examining/routes.js";
import { requestHeaders } from "../../../http/routing/route-call.js";
import type { ToldRequest, ToldRoute } from "../agreement.js";
import type { ReplyBridge } from "./reply-bridge.js";

/** Headers that prove who the caller is to the server, not to the plugin. */
const notPassedOn: ReadonlySet<string> = new Set(["cookie", "authorization", "proxy-authorization"]);

const shape = z.record(z.string(), z.unknown()).optional();
const called = z.custom<(...given: readonly unknown[]) => Promise<unknown>>((value) => typeof value === "function");
const names = z.array(z.string());
const routeSchema = z.object({
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
  path: z.string().startsWith("/"),
  access: z.string(),
  summary: z.string(),
  description: z.string().optional(),
  params: shape,
  query: shape,
  body: shape,
  response: shape,
  bodyFormat: z.enum(["json", "text", "bytes"]),
  bodyLimitBytes: z.number().int().nonnegative(),
  responseType: z.string(),
  acceptsBasic: z.boolean(),
  ignoresHideMature: z.boolean(),
  challenge: called.optional(),
  onError: called.optional(),
  credentials: z
    .object({
      id: z.string(),
      secretHeaders: names,
      secretParameters: names,
      secretQuery: names,
      basicRealm: z.string().optional(),
      claimedName: called.optional(),
      identify: called,
    })
    .optional(),
  handle: called,
  mistakes: mistakesSchema,
});

/** Hears of each call while it is answered in the process; `what` says what is called, in words. */
export type Following = <T>(what: string, work: () => Promise<T>) => Promise<T>;

/** Makes a route of what an isolated plugin said of one. Its input is checked in the process, where the schemas are. */
export function routeOf(told: unknown, replies: ReplyBridge, follow: Following): Route {
  const route = routeSchema.parse(told) as ToldRoute;
  const { description, challenge, onError, credentials } = route;
  const { method, path, access, summary, bodyFormat, bodyLimitBytes, responseType, acceptsBasic, ignoresHideMature } =
    route;
  const made = defineRoute({
    ...{ method, access, summary, bodyFormat, bodyLimitBytes, responseType, acceptsBasic, ignoresHideMature },
    path: path as `/${string}`,
    ...(description !== undefined && { description }),
    ...(route.params && { params: fieldsOf(route.params) }),
    ...(route.query && { query: fieldsOf(route.query) }),
    ...(route.body && { body: open(route.body) }),
    ...(route.response && { response: open(route.response) }),
    ...(challenge && { challenge: async (request) => challengeSchema.parse(await challenge(request)) }),
    ...(onError && { onError: async (failure: RouteFailure) => (await onError({ ...failure })) as ProtocolAnswer }),
    ...(credentials && { credentials: schemeOf(credentials) }),
    handle: (request: RouteRequest) =>
      follow(`${method} ${path}`, async () =>
        replies.answer(await route.handle(tell(request, credentials?.secretHeaders ?? []))),
      ),
  });
  foundElsewhere.set(made, route.mistakes);
  return made;
}

const challengeSchema = z.object({
  body: z.record(z.string(), z.unknown()),
  headers: z.record(z.string(), z.string()),
});

/** Takes everything, and shows in the API document what the plugin's schema says. */
function open(shown: Record<string, unknown>): z.ZodType {
  return z.unknown().meta(shown);
}

function fieldsOf({ properties, required }: Record<string, unknown>): z.ZodType {
  const needed = new Set(Array.isArray(required) ? required : []);
  const fields = Object.entries((properties ?? {}) as Record<string, Record<string, unknown>>).map(([name, field]) => {
    const shown = open(field);
    return [name, needed.has(name) ? shown : shown.optional()];
  });
  return z.looseObject(Object.fromEntries(fields) as Record<string, z.ZodType>);
}

function tell(request: RouteRequest, secretHeaders: readonly string[]): ToldRequest {
  const { id, method, url, params, query, body, viewer, signal } = request;
  return { id, method, url, params, query, body, viewer, signal, headers: headersFor(request, secretHeaders) };
}

/** The headers of a request, without those by which the server knows the caller. */
function headersFor(request: object, secretHeaders: readonly string[]): Record<string, string> {
  const all = (requestHeaders in request ? request[requestHeaders] : {}) as IncomingHttpHeaders;
  const kept = new Set(secretHeaders.map((name) => name.toLowerCase()));
  const told: Record<string, string> = {};
  for (const [name, value] of Object.entries(all))
    if (value !== undefined && (kept.has(name) || !notPassedOn.has(name)))
      told[name] = Array.isArray(value) ? value.join(", ") : value;
  return told;
}

function schemeOf({ claimedName, identify, ...scheme }: NonNullable<ToldRoute["credentials"]>) {
  const tellOf = (presented: PresentedCredentials) => {
    const { method, params, query, basic, signal } = presented;
    return { method, params, query, basic, signal, headers: headersFor(presented, scheme.secretHeaders) };
  };
  const { basicRealm, ...rest } = scheme;
  return {
    ...rest,
    ...(basicRealm !== undefined && { basicRealm }),
    ...(claimedName && {
      async claimedName(presented: PresentedCredentials) {
        const name = await claimedName(tellOf(presented));
        return typeof name === "string" ? name : undefined;
      },
    }),
    async identify(presented: PresentedCredentials) {
      const account = await identify(tellOf(presented));
      return typeof account === "number" ? account : undefined;
    },
  };
}
