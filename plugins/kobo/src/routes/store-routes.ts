import { randomBytes, randomUUID } from "node:crypto";
import { defineRoute, reply, type Method, type Route } from "@longbox/sdk";
import { z } from "zod";
import { access, deviceParams, root, store } from "./common.js";

const methods: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/**
 * The requests that are meant for the shop. Nothing is forwarded to it: the device gets what it needs to go on, and the
 * shop does not learn what is read.
 */
export function storeRoutes(): Route[] {
  const beside = methods.filter((method) => method !== "DELETE").map((method) => otherRoute(method, besideBooks));
  return [tokenRoute("device"), tokenRoute("refresh"), ...beside, ...methods.map((method) => otherRoute(method, rest))];
}

/** Devices want tokens of the shop. They are good for nothing: the one in the address is the login. */
function tokenRoute(what: "device" | "refresh"): Route {
  return defineRoute({
    method: "POST",
    path: `${store}/auth/${what}`,
    access,
    summary: what === "device" ? "Tokens that a Kobo expects at its start" : "The same tokens when they expire",
    params: deviceParams,
    body: z.object({ UserKey: z.string().max(500).nullish() }),
    bodyLimitBytes: 64 * 1024,
    handle: ({ body }) =>
      reply.json({
        AccessToken: randomBytes(18).toString("base64url"),
        RefreshToken: randomBytes(18).toString("base64url"),
        TokenType: "Bearer",
        TrackingId: randomUUID(),
        UserKey: body.UserKey ?? "",
      }),
  });
}

/** Such as `/v1/library/tags`: the same path as that of a book, which can only be removed there. */
const besideBooks = `${store}/library/{rest}` as const;
const rest = `${root}/{rest...}` as const;

function otherRoute(method: Method, path: typeof besideBooks | typeof rest): Route {
  return defineRoute({
    method,
    path,
    access,
    summary: "Every other request of a Kobo: an empty answer",
    params: deviceParams.extend({ rest: z.string().max(4000) }),
    ...(method !== "GET" && method !== "DELETE" && { bodyFormat: "bytes" as const }),
    handle: () => reply.json({}),
  });
}
