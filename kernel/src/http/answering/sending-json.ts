import { hash } from "node:crypto";
import type { ReplyHeaders } from "@longbox/sdk";
import { chooseCoding, type Compressor } from "./compressing.js";
import { namesTag } from "./conditions.js";
import { apiHeaders } from "./headers.js";
import type { Exchange } from "../routing/route-call.js";
import { status } from "../statuses.js";

const jsonType = "application/json; charset=utf-8";

/** Sends a JSON value. Answers to GET carry a tag and are 304 when the client has them. */
export async function sendJson(
  exchange: Exchange,
  code: number,
  value: unknown,
  headers: ReplyHeaders,
  compressor: Compressor,
): Promise<void> {
  const { request, response } = exchange;
  const text = JSON.stringify(value) ?? "null";
  const revalidates = code === status.ok && (request.method === "GET" || request.method === "HEAD");
  const digest = revalidates ? hash("sha1", text, "hex") : undefined;
  const etag = digest && `W/"${digest}"`;
  const all: Record<string, string | string[] | number> = {
    ...apiHeaders,
    "X-Request-Id": exchange.id,
    "Cache-Control": revalidates ? "private, no-cache" : "no-store",
    Vary: "Accept-Encoding",
    ...headers,
  };
  if (etag !== undefined) all["ETag"] = etag;
  const known = request.headers["if-none-match"];
  if (etag !== undefined && known !== undefined && namesTag(known, etag)) {
    response.writeHead(status.notModified, all).end();
    return;
  }
  all["Content-Type"] = jsonType;
  const coding = chooseCoding(request.headers["accept-encoding"], jsonType, text.length);
  // A text goes out in one piece with the headers; bytes would cost a second piece.
  const body = coding === undefined ? text : await compressor.compress(text, coding, digest);
  if (coding !== undefined) all["Content-Encoding"] = coding;
  all["Content-Length"] = Buffer.byteLength(body);
  response.writeHead(code, all);
  response.end(request.method === "HEAD" ? undefined : body);
}
