import type { IncomingMessage } from "node:http";
import { BadInput, LongboxError, type Route } from "@longbox/sdk";
import { UnreadableJson, type JsonProblem } from "../../parsing/json-reading.js";
import type { OutsideJson } from "../../parsing/outside-json.js";

const jsonType = /^application\/(json|[a-z0-9.+-]+\+json)\s*(;|$)/i;
const mostDiscardedBytes = 64 * 1024 * 1024;
/** More than any meaningful body holds. */
const bounds = { maxDepth: 200, maxValues: 200_000 } as const;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads the body as the route wants it; undefined when none came.
 * @throws {LongboxError} `kernel/body-too-large`, `kernel/body-type`, `kernel/body-coding`, `kernel/body-malformed`,
 * `kernel/body-too-deep` or `kernel/body-too-many-values`
 */
export async function readBody(request: IncomingMessage, route: Route, json: OutsideJson): Promise<unknown> {
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
  return route.bodyFormat === "text" ? decode(bytes) : parseJson(bytes, json);
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
    // Each request is closed in the end; only one whose body did not come whole costs an error.
    request.once("close", () => {
      if (request.readableEnded) return;
      reject(new BadInput("kernel/body-incomplete", "The connection was closed before the end of the body."));
    });
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

async function parseJson(bytes: Buffer, json: OutsideJson): Promise<unknown> {
  try {
    return await json.read({ bytes, bounds, mask: "everything" });
  } catch (fault) {
    if (!(fault instanceof UnreadableJson)) throw fault;
    throw refused(fault.problem);
  }
}

function refused(problem: JsonProblem): BadInput {
  switch (problem) {
    case "malformed":
      return new BadInput("kernel/body-malformed", "The body is not well-formed JSON.");
    case "too-deep":
      return new BadInput("kernel/body-too-deep", `The body is nested more than ${bounds.maxDepth} levels deep.`);
    case "too-many-values":
      return new BadInput("kernel/body-too-many-values", `The body has more than ${bounds.maxValues} values.`);
  }
}

function tooLarge(limit: number): LongboxError {
  return new LongboxError("too-large", "kernel/body-too-large", `The body is larger than ${limit} bytes.`, {
    limitBytes: limit,
  });
}
