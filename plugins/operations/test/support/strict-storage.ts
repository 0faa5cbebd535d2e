// A storage with the interface of S3 that verifies every signature, as Amazon's does and s3rver does not.
import { mkdir } from "node:fs/promises";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { join } from "node:path";
import S3rver from "s3rver";
import { findProblem } from "./signatures.js";

export interface StrictStorage {
  readonly url: string;
  /** The files of the bucket `kept`. */
  readonly folder: string;
  /** What was asked for, in the order in which it came: `GET /kept/?list-type=2`, and whether it was let through. */
  readonly requests: Array<{ readonly what: string; readonly isValid: boolean }>;
  close(): Promise<void>;
}

/** s3rver behind a door that computes each signature again with Amazon's own signer. */
export async function startStrictStorage(folder: string): Promise<StrictStorage> {
  await mkdir(folder);
  const bucket = { name: "kept", configs: [] };
  const behind = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [bucket],
  });
  const { port } = await behind.run();
  const requests: StrictStorage["requests"] = [];
  const door = createServer(async (question, answer) => {
    const body = await buffer(question);
    const problem = await findProblem(question, body);
    requests.push({ what: `${question.method} ${question.url}`, isValid: problem === undefined });
    if (problem === undefined) pass(question, body, { port, answer });
    else answer.writeHead(403, { "content-type": "application/xml" }).end(refusal(problem));
  });
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(door.address() as AddressInfo).port}`,
    folder: join(folder, "kept"),
    requests,
    async close() {
      door.closeAllConnections();
      await new Promise((resolve) => door.close(resolve));
      await behind.close();
    },
  };
}

/** Lets a request through as it came. */
function pass(
  { method, url, headers }: IncomingMessage,
  body: Buffer,
  { port, answer }: { readonly port: number; readonly answer: ServerResponse },
): void {
  request({ host: "127.0.0.1", port, method, path: url, headers }, (answered) => {
    answer.writeHead(answered.statusCode!, answered.headers);
    answered.pipe(answer);
  })
    .on("error", () => answer.destroy())
    .end(body);
}

function refusal(code: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>Refused.</Message></Error>`;
}
