import type { IncomingMessage } from "node:http";

/** Requests and answers up to this size are kept until they have arrived, so that they can be asked for again. */
const mostHeldBytes = 256 * 1024;

/**
 * The whole body of a request; undefined when it is too long, or of unknown length.
 * @throws {Error} when the client goes away
 */
export async function holdBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const { "content-length": length, "transfer-encoding": coding } = request.headers;
  if (coding !== undefined || Number(length ?? 0) > mostHeldBytes) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

interface HeldAnswer {
  readonly start: Buffer;
  /** The rest is still to be read. */
  readonly goesOn: boolean;
}

/**
 * The beginning of an answer, and all of it when it is short.
 * @throws {Error} when it is cut off before
 */
export function holdAnswer(answer: IncomingMessage): Promise<HeldAnswer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  return new Promise((resolve, reject) => {
    const settle = (goesOn: boolean) => {
      answer.pause().removeAllListeners("data");
      resolve({ start: Buffer.concat(chunks), goesOn });
    };
    answer.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      sizeBytes += chunk.byteLength;
      if (sizeBytes > mostHeldBytes) settle(true);
    });
    answer.once("end", () => settle(false));
    answer.once("error", reject);
    answer.once("close", () => reject(new Error("The answer was cut off.")));
  });
}
