import type { RouteRequest } from "@longbox/sdk";
import { z } from "zod";
import type { Addresses } from "../documents/book.js";
import type { BookIds } from "../documents/book-ids.js";

export const access = "kobo.use";
export const root = "/kobo/{token}";
export const store = `${root}/v1` as const;

const token = z.string().max(200);
export const deviceParams = z.object({ token });
/** UUIDs of this server, and those of books of the shop. */
export const bookParams = z.object({ token, bookId: z.string().max(100) });

/** A device is told addresses below the one that it was given, as it reaches this server. */
export function addressesOf(
  { url, params }: Pick<RouteRequest<{ readonly token: string }>, "url" | "params">,
  ids: BookIds,
): Addresses {
  const base = `/kobo/${params.token}`;
  const before = url.pathname.slice(0, Math.max(0, url.pathname.lastIndexOf(`${base}/`)));
  return { endpoint: url.origin + before + base, idOf: (issueId) => ids.of(issueId) };
}
