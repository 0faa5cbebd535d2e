import { hash } from "node:crypto";
import type { ReplyHeaders } from "@longbox/sdk";
import { pipeline } from "node:stream/promises";
import type { AnswerFile, AnswerFiles } from "./answer-files.js";
import { chooseCoding, type Compressor } from "./compressing.js";
import { namesTag } from "./conditions.js";
import { apiHeaders } from "./headers.js";
import type { Exchange } from "../routing/route-call.js";
import { status } from "../statuses.js";

const jsonType = "application/json; charset=utf-8";

interface JsonSending {
  readonly code: number;
  readonly headers: ReplyHeaders;
  readonly means: { readonly compressor: Compressor; readonly files: AnswerFiles };
}

const tagOf = (digest: string) => `W/"${digest}"`;

/** The tag that an answer with this value carries. */
export const jsonTag = (value: unknown): string => tagOf(hash("sha1", JSON.stringify(value) ?? "null", "hex"));

/** Sends a JSON value. Answers to GET carry a tag and are 304 when the client has them. */
export function sendJson(exchange: Exchange, value: unknown, sending: JsonSending): Promise<void> | void {
  const { code, headers, means } = sending;
  const { request, response } = exchange;
  const text = JSON.stringify(value) ?? "null";
  const revalidates = code === status.ok && (request.method === "GET" || request.method === "HEAD");
  const digest = revalidates ? hash("sha1", text, "hex") : undefined;
  const etag = digest && tagOf(digest);
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
  if (coding === undefined) return sendBody(exchange, text, { code, all, files: means.files });
  all["Content-Encoding"] = coding;
  const compressing = means.compressor.compress(text, coding, digest);
  return compressing.then((body) => sendBody(exchange, body, { code, all, files: means.files }));
}

interface BodySending {
  readonly code: number;
  readonly all: Record<string, string | string[] | number>;
  readonly files: AnswerFiles;
}

/** Most are small and go out at once. */
function sendBody(
  { request, response }: Exchange,
  body: string | Uint8Array,
  { code, all, files }: BodySending,
): Promise<void> | void {
  all["Content-Length"] = Buffer.byteLength(body);
  if (request.method !== "HEAD" && files.isTooLarge(body.length)) {
    // It does not stay in memory while a client reads slowly.
    const keeping = files.keep(body, jsonType);
    return keeping.then((kept) => {
      response.writeHead(code, all);
      if (kept === undefined) response.end(body);
      else void sendKept(response, kept);
    });
  }
  response.writeHead(code, all);
  if (request.method === "HEAD") return void response.end();
  files.count(body.length, response);
  response.end(body);
}

async function sendKept(response: Exchange["response"], { file }: AnswerFile): Promise<void> {
  // A client that goes away has closed the answer already; no error can be sent.
  await pipeline(file.createReadStream({ start: 0 }), response).catch(() => response.destroy());
}
