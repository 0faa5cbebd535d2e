import { hash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { UpstreamFailure, type Content, type ContentOptions } from "@longbox/sdk";
import { create as contentDisposition } from "content-disposition";
import type { AnswerBuffers } from "./answer-buffers.js";
import type { AnswerFile, AnswerFiles } from "./answer-files.js";
import { chooseCoding, type Coding, type Compressor } from "./compressing.js";
import { clientHasIt, preconditionFails, rangeStands, type Validators } from "./conditions.js";
import { openSource } from "./content-sources.js";
import { sendPieces } from "./sending-pieces.js";
import type { Pieces, Source } from "./source.js";
import { contentHeaders, isActive, sandboxed } from "./headers.js";
import { readRange } from "./ranges.js";
import type { Exchange } from "../routing/route-call.js";
import { status } from "../statuses.js";

type Headers = Record<string, string | number | string[]>;

export interface SentContent {
  readonly content: Content | AnswerFile | (() => Promise<Content>);
  readonly options: ContentOptions;
}

/** What sending uses of the server. */
export interface Means {
  readonly compressor: Compressor;
  readonly buffers: AnswerBuffers;
  readonly files: AnswerFiles;
}

/** A source that is being sent: to whom, with what in its headers. */
interface Sending {
  readonly exchange: Exchange;
  readonly source: Source;
  readonly validators: Validators;
}

/** Sends bytes, a file, a part of one or a stream, with validators, ranges and conditions as RFC 9110 says. */
export async function sendContent(exchange: Exchange, { content, options }: SentContent, means: Means): Promise<void> {
  const { buffers, files } = means;
  const given: Validators = {
    etag: options.validator === undefined ? undefined : quoteTag(options.validator),
    lastModified: options.lastModified,
  };
  const isAtHand = typeof content === "object" && content.kind === "bytes";
  if (
    answeredByConditions(
      exchange,
      given,
      isAtHand ? varied(options, content.contentType, content.bytes.length) : options,
    )
  ) {
    if (typeof content === "object" && content.kind === "stream") content.stream.destroy();
    if (typeof content === "object" && content.kind === "open-file") await content.file.close();
    return;
  }
  const opening = { isValidated: given.etag !== undefined, buffers, files };
  // Large bytes must not stay in a variable of this call, which lasts until the client has read them.
  const opened =
    typeof content === "function" ? content().then((made) => openSource(made, opening)) : openSource(content, opening);
  const source = await opened;
  try {
    const validators = completed(given, source);
    if (validators.etag !== given.etag && answeredByConditions(exchange, validators, options)) return;
    await sendSource({ exchange, source, validators }, options, means);
  } finally {
    source.close();
  }
}

async function sendSource(sending: Sending, options: ContentOptions, { compressor, files }: Means): Promise<void> {
  const { exchange, source, validators } = sending;
  const { request, response } = exchange;
  const headers = sourceHeaders(sending, options);
  const coding = request.headers.range === undefined ? codingOf(exchange, source, headers) : undefined;
  if (coding !== undefined)
    return sendCoded(sending, headers, (body) =>
      compressor.compress(body, coding).then((bytes) => ({ bytes, coding })),
    );
  const asked =
    source.length !== undefined && request.method === "GET" && rangeStands(request.headers, validators)
      ? readRange(request.headers.range, source.length)
      : undefined;
  if (asked === "not-satisfiable") return sendNotSatisfiable(exchange, source, headers);
  if (source.length !== undefined)
    headers["Content-Length"] = asked === undefined ? source.length : asked.end - asked.start + 1;
  if (asked !== undefined) headers["Content-Range"] = `bytes ${asked.start}-${asked.end}/${source.length}`;
  const code = asked === undefined ? status.ok : status.partial;
  if (request.method === "HEAD") return void response.writeHead(code, headers).end();
  if (source.giveUp) response.once("close", source.giveUp);
  const body = await source.part(asked);
  if (body instanceof Uint8Array) files.count(body.length, response);
  response.once("finish", () => source.sent());
  response.writeHead(code, headers);
  await write(response, body, headers["Content-Length"] as number | undefined);
}

async function write(
  response: Exchange["response"],
  body: Uint8Array | Readable | Pieces,
  length: number | undefined,
): Promise<void> {
  if (body instanceof Uint8Array) return void response.end(body);
  if (!(body instanceof Readable)) return sendPieces(response, body.pieces);
  // Heads that wait for the first bytes of an endless stream would leave the client waiting too.
  response.flushHeaders();
  const sending = length === undefined ? pipeline(body, response) : pipeline(body, exactly(length), response);
  await sending.catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code !== "ERR_STREAM_PREMATURE_CLOSE" || !response.destroyed) throw thrown;
  });
}

/**
 * Lets a stream pass that is as long as was said: one that ends early must not pass for the whole, nor leave the client
 * waiting.
 */
function exactly(length: number) {
  return async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let left = length;
    for await (const chunk of chunks) {
      left -= chunk.length;
      if (left < 0) break;
      yield chunk;
    }
    if (left !== 0)
      throw new UpstreamFailure(
        "kernel/wrong-length",
        `The content does not have the announced length of ${length} bytes.`,
      );
  };
}

/** Answers 304 or 412 if the request's conditions say so. */
function answeredByConditions(exchange: Exchange, validators: Validators, options: ContentOptions): boolean {
  if (validators.etag === undefined && validators.lastModified === undefined) return false;
  const { request, response } = exchange;
  if (preconditionFails(request.headers, validators)) {
    response
      .writeHead(status.preconditionFailed, { ...baseHeaders(exchange, validators, options), "Content-Length": 0 })
      .end();
    return true;
  }
  if (!clientHasIt(request.headers, validators)) return false;
  response.writeHead(status.notModified, baseHeaders(exchange, validators, options)).end();
  return true;
}

function sendNotSatisfiable(exchange: Exchange, source: Source, headers: Headers): void {
  const body = Buffer.from(
    JSON.stringify({
      error: `The range is outside of the content, which has ${source.length} bytes.`,
      code: "kernel/range-not-satisfiable",
    }),
  );
  exchange.response.writeHead(status.rangeNotSatisfiable, {
    ...headers,
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": body.length,
    "Content-Range": `bytes */${source.length}`,
    "Cache-Control": "no-store",
  });
  exchange.response.end(body);
}

/** Only bytes that are at hand are compressed: a coded file could not be asked for in ranges. */
function codingOf(exchange: Exchange, source: Source, headers: Headers): Coding | undefined {
  if (!source.atHand || source.length === undefined || !isCodable(source.contentType, source.length)) return undefined;
  headers["Vary"] = joinVary(headers["Vary"], "Accept-Encoding");
  return chooseCoding(exchange.request.headers["accept-encoding"], source.contentType, source.length);
}

const isCodable = (contentType: string, length: number) =>
  length <= 8 * 1024 * 1024 && chooseCoding("gzip", contentType, length) !== undefined;

/** A 304 names the same `Vary` as the whole answer would. */
function varied(options: ContentOptions, contentType: string, length: number): ContentOptions {
  return isCodable(contentType, length) ? { ...options, vary: [...(options.vary ?? []), "Accept-Encoding"] } : options;
}

async function sendCoded(
  { exchange, source, validators }: Sending,
  headers: Headers,
  encode: (body: Uint8Array) => Promise<{ readonly bytes: Uint8Array; readonly coding: Coding }>,
): Promise<void> {
  const body = await source.part();
  if (!(body instanceof Uint8Array)) return write(exchange.response.writeHead(status.ok, headers), body, undefined);
  const { bytes: small, coding } = await encode(body);
  // Another coding of the same content is equivalent, not identical.
  if (validators.etag !== undefined) headers["ETag"] = `W/${validators.etag.replace(/^W\//, "")}`;
  exchange.response.writeHead(status.ok, { ...headers, "Content-Encoding": coding, "Content-Length": small.length });
  exchange.response.end(exchange.request.method === "HEAD" ? undefined : small);
}

function completed(given: Validators, source: Source): Validators {
  return {
    etag: given.etag ?? (source.tag === undefined ? undefined : `"${source.tag}"`),
    lastModified: given.lastModified ?? source.lastModified,
  };
}

function baseHeaders(exchange: Exchange, validators: Validators, options: ContentOptions): Headers {
  const headers: Headers = {
    ...contentHeaders,
    "X-Request-Id": exchange.id,
    "Cache-Control":
      options.maxAgeSeconds === undefined
        ? "private, no-cache"
        : `private, max-age=${options.maxAgeSeconds}, must-revalidate`,
  };
  if (validators.etag !== undefined) headers["ETag"] = validators.etag;
  if (validators.lastModified !== undefined) headers["Last-Modified"] = validators.lastModified.toUTCString();
  if (options.vary !== undefined && options.vary.length > 0) headers["Vary"] = options.vary.join(", ");
  return Object.assign(headers, options.headers);
}

function sourceHeaders({ exchange, source, validators }: Sending, options: ContentOptions): Headers {
  const headers: Headers = {
    ...baseHeaders(exchange, validators, { ...options, headers: {} }),
    "Content-Type": source.contentType,
  };
  if (source.length !== undefined) headers["Accept-Ranges"] = "bytes";
  if (isActive(source.contentType)) headers["Content-Security-Policy"] = sandboxed;
  if (options.downloadName !== undefined)
    headers["Content-Disposition"] = dispositionOf(options.downloadName, "attachment");
  else if (options.inlineName !== undefined)
    headers["Content-Disposition"] = dispositionOf(options.inlineName, "inline");
  return Object.assign(headers, options.headers);
}

function dispositionOf(written: string, type: "attachment" | "inline"): string {
  const name = tidyName(written);
  return contentDisposition(name, { type, fallback: asciiName(name) });
}

/**
 * For clients that know no `filename*`: without accents, and with a short digest for other letters, so that names stay
 * apart.
 */
function asciiName(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^\x20-\x7e]+/g, (letters) => `_${hash("sha1", letters, "hex").slice(0, 6)}`);
}

/** A name for a header: no path, no control characters. */
const tidyName = (name: string) => name.replace(/[\u0000-\u001f\u007f]/g, "").replace(/[/\\]/g, "-") || "download";

/** A tag may hold visible ASCII but no quote; anything else is replaced by its digest. */
function quoteTag(validator: string): string {
  return /^[\x21\x23-\x7e]+$/.test(validator) ? `"${validator}"` : `"${hash("sha1", validator, "base64url")}"`;
}

function joinVary(present: Headers[string] | undefined, name: string): string {
  return present === undefined ? name : `${String(present)}, ${name}`;
}
