import { defineRoute, inProtocol, LongboxError, reply, type Route, type RouteFailure } from "@longbox/sdk";
import { z } from "zod";
import type { Passwords } from "./passwords.js";
import type { Syncing } from "./syncing.js";

const access = "kosync.use";
const document = z.string().regex(/^[0-9a-fA-F]{32}$/, "must be 32 hexadecimal digits");
const short = z.string().min(1).max(200);
const progressSchema = z.object({
  document,
  progress: z.union([z.string().min(1).max(2000), z.number().int().nonnegative().transform(String)]),
  percentage: z.number().min(0).max(1),
  device: short,
  device_id: short.default("-"),
  /** Seconds since 1970; KOReader does not send it, other clients of the protocol do. */
  timestamp: z.number().nonnegative().max(1e11).optional(),
  /** Of the document; not used. */
  metadata: z.unknown().optional(),
});
const credentialsSchema = z.object({ username: short, password: short });

/** The error codes of the protocol, which KOReader shows. Some statuses differ from those of this server. */
function kosyncError({ kind, code, message, details }: RouteFailure) {
  const answer = (number: number, text: string, protocolStatus?: number) => ({
    ...(protocolStatus !== undefined && { protocolStatus }),
    contentType: "application/json",
    body: { code: number, message: text },
  });
  if (code === "kosync/registration-off") return answer(2005, message, 402);
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
    path: "/kosync/healthcheck",
    access: "public",
    summary: "Check that the server is running",
    response: z.object({ state: z.string() }),
    handle: () => ({ state: "OK" }),
  });
}

function createRoute(): Route {
  return defineRoute({
    method: "POST",
    path: "/kosync/users/create",
    access: "public",
    summary: "Refuse to create an account: devices cannot",
    body: credentialsSchema,
    handle() {
      throw new LongboxError(
        "forbidden",
        "kosync/registration-off",
        "Create a sync password on your account page, and log in with it instead of registering.",
      );
    },
  });
}

function authRoute(): Route {
  return defineRoute({
    method: "GET",
    path: "/kosync/users/auth",
    access,
    summary: "Check a name and a sync password",
    response: z.object({ authorized: z.string() }),
    handle: () => ({ authorized: "OK" }),
  });
}

function putRoute(syncing: Syncing): Route {
  return defineRoute({
    method: "PUT",
    path: "/kosync/syncs/progress",
    access,
    summary: "Report the position of an e-reader in a document",
    body: progressSchema,
    bodyLimitBytes: 64 * 1024,
    response: z.object({ document: z.string(), timestamp: z.number().int() }),
    async handle({ body: { metadata: _, timestamp, ...body }, viewer }) {
      const told = { ...body, document: body.document.toLowerCase() };
      const at = await syncing.take(told, timestamp === undefined ? undefined : timestamp * 1000, viewer);
      return { document: body.document, timestamp: seconds(at) };
    },
  });
}

function getRoute(syncing: Syncing): Route {
  return defineRoute({
    method: "GET",
    path: "/kosync/syncs/progress/{document}",
    access,
    summary: "Read the user's position in a document; an empty object when there is none",
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
