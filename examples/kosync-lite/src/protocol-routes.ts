import { defineRoute, inProtocol, LongboxError, reply, type Route, type RouteFailure } from "@longbox/sdk";
import { z } from "zod";
import type { Passwords } from "./passwords.js";
import type { Syncing } from "./syncing.js";

const document = z.string().regex(/^[0-9a-fA-F]{32}$/, "must be 32 hexadecimal digits");
const short = z.string().min(1).max(200);
const progressSchema = z.object({
  document,
  progress: z.union([z.string().min(1).max(2000), z.number().int().nonnegative().transform(String)]),
  percentage: z.number().min(0).max(1),
  device: short,
  device_id: short.default("-"),
});
const credentialsSchema = z.object({ username: short, password: short });
const errorType = "application/json";

/** The codes of the protocol, which KOReader shows; statuses that it prescribes differ from those of this server. */
function kosyncError({ kind, code, message, details }: RouteFailure) {
  const answer = (number: number, text: string, protocolStatus?: number) => ({
    ...(protocolStatus !== undefined && { protocolStatus }),
    contentType: errorType,
    body: { code: number, message: text },
  });
  if (code === "kosync-lite/registration-off") return answer(2005, message, 402);
  if (kind === "not-signed-in" || kind === "forbidden") return answer(2001, "Unauthorized", 401);
  if (kind === "bad-input") return answer(isAboutDocument(details) ? 2004 : 2003, message, 403);
  return answer(kind === "internal" ? 2000 : 2003, message);
}

const isAboutDocument = (details: unknown): boolean =>
  typeof details === "object" && details !== null && "document" in details;

/** What KOReader calls, below the address that its user enters. */
export function protocolRoutes(passwords: Passwords, syncing: Syncing): Route[] {
  const open = inProtocol({ onError: kosyncError }, [healthRoute(), createRoute()]);
  const signedIn = [authRoute(), putRoute(syncing), getRoute(syncing)];
  return [...open, ...inProtocol({ credentials: passwords.scheme, onError: kosyncError }, signedIn)];
}

function healthRoute(): Route {
  return defineRoute({
    method: "GET",
    path: "/kosync-lite/healthcheck",
    access: "public",
    summary: "Whether the server is there",
    response: z.object({ state: z.string() }),
    handle: () => ({ state: "OK" }),
  });
}

/** Accounts are made on this server, never by a device. */
function createRoute(): Route {
  return defineRoute({
    method: "POST",
    path: "/kosync-lite/users/create",
    access: "public",
    summary: "Refuse to make an account",
    body: credentialsSchema,
    handle() {
      const says = "Make a password for e-readers on your account's page, and log in with it.";
      throw new LongboxError("forbidden", "kosync-lite/registration-off", says);
    },
  });
}

function authRoute(): Route {
  return defineRoute({
    method: "GET",
    path: "/kosync-lite/users/auth",
    access: "library.view",
    summary: "Whether name and password are right",
    response: z.object({ authorized: z.string() }),
    handle: () => ({ authorized: "OK" }),
  });
}

function putRoute(syncing: Syncing): Route {
  return defineRoute({
    method: "PUT",
    path: "/kosync-lite/syncs/progress",
    access: "library.view",
    summary: "Take the place of an e-reader in a document",
    body: progressSchema,
    bodyLimitBytes: 64 * 1024,
    response: z.object({ document: z.string(), timestamp: z.number().int() }),
    async handle({ body, viewer }) {
      const told = { ...body, document: body.document.toLowerCase() };
      return { document: body.document, timestamp: seconds(await syncing.take(told, viewer)) };
    },
  });
}

function getRoute(syncing: Syncing): Route {
  return defineRoute({
    method: "GET",
    path: "/kosync-lite/syncs/progress/{document}",
    access: "library.view",
    summary: "Where the user was last in a document; an empty object when nowhere",
    params: z.object({ document }),
    async handle({ params, viewer }) {
      const found = await syncing.find(params.document.toLowerCase(), viewer);
      if (!found) return reply.json({});
      const { progress, percentage, device, device_id, at } = found;
      return reply.json({ document: params.document, progress, percentage, device, device_id, timestamp: seconds(at) });
    },
  });
}

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);
