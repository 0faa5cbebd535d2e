import type { IncomingMessage } from "node:http";
import { BadInput, LongboxError, type Route } from "@longbox/sdk";

const jsonType = /^application\/(json|[a-z0-9.+-]+\+json)\s*(;|$)/i;
const mostDiscardedBytes = 64 * 1024 * 1024;
/** Deeper than any meaningful body; what walks through a value calls itself at each level. */
const deepestLevels = 200;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads the body as the route wants it; undefined when none came.
 * @throws {LongboxError} `kernel/body-too-large`, `kernel/body-type`, `kernel/body-coding`, `kernel/body-malformed` or `kernel/body-too-deep`
 */
export async function readBody(request: IncomingMessage, route: Route): Promise<unknown> {
  const declared = Number(request.headers["content-length"] ?? NaN);
  if (declared > route.bodyLimitBytes) {
    discard(request);
    throw tooLarge(route.bodyLimitBytes);
  }
  if (declared === 0 || (Number.isNaN(declared) && request.headers["transfer-encoding"] === undefined))
    return undefined;
  if (route.bodyFormat === "json" && !jsonType.test(request.headers["content-type"] ?? "")) {
    throw new LongboxError(
      "unsupported-type",
      "kernel/body-type",
      "The body must be JSON, with Content-Type: application/json.",
    );
  }
  const coding = request.headers["content-encoding"] ?? "identity";
  if (coding.toLowerCase() !== "identity")
    throw new LongboxError(
      "unsupported-type",
      "kernel/body-coding",
      "The body must be sent as it is, without Content-Encoding.",
    );
  const bytes = await collect(request, route.bodyLimitBytes);
  if (route.bodyFormat === "bytes") return bytes;
  if (bytes.length === 0) return undefined;
  const text = decode(bytes);
  return route.bodyFormat === "text" ? text : parseJson(text);
}

function collect(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) return void chunks.push(chunk);
      request.removeAllListeners("data");
      discard(request);
      reject(tooLarge(limit));
    });
    request.once("end", () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length)));
    request.once("error", reject);
    request.once("close", () =>
      reject(new BadInput("kernel/body-incomplete", "The connection ended before the body did.")),
    );
  });
}

/**
 * Takes in what is left of a refused body. Closing at once would reset the connection, and a client that is still
 * sending would never see the answer; one that goes on for too long is cut off all the same.
 */
function discard(request: IncomingMessage): void {
  let left = mostDiscardedBytes;
  request.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new LongboxError("bad-input", "kernel/body-malformed", "The body is not UTF-8 text.", undefined, { cause });
  }
}

function parseJson(text: string): unknown {
  refuseDeep(text);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new LongboxError("bad-input", "kernel/body-malformed", "The body is not well-formed JSON.", undefined, {
      cause,
    });
  }
}

/** Counts the brackets that are open at once, those in texts left out. */
function refuseDeep(text: string): void {
  let levels = 0;
  let inText = false;
  // What is this short has no room for so many brackets.
  for (let at = text.length > deepestLevels ? 0 : text.length; at < text.length; at++) {
    const character = text[at];
    if (character === '"') inText = !inText;
    else if (inText) at += character === "\\" ? 1 : 0;
    else if (character === "[" || character === "{") levels += 1;
    else if (character === "]" || character === "}") levels -= 1;
    if (levels > deepestLevels)
      throw new BadInput(
        "kernel/body-too-deep",
        `The body holds lists and objects more than ${deepestLevels} levels deep.`,
      );
  }
}

function tooLarge(limit: number): LongboxError {
  return new LongboxError("too-large", "kernel/body-too-large", `The body is larger than ${limit} bytes.`, {
    limitBytes: limit,
  });
}
