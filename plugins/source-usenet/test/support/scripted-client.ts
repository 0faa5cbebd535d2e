import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Answering = (body: string, request: IncomingMessage, response: ServerResponse) => void;

/** A server on loopback that answers what a test says, in place of a download client. */
export class ScriptedClient implements AsyncDisposable {
  answer: Answering = (_, _request, response) => response.writeHead(404).end();
  readonly #server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    this.answer(Buffer.concat(parts).toString(), request, response);
  });

  static async start(): Promise<ScriptedClient> {
    const client = new ScriptedClient();
    await new Promise<void>((resolve) => client.#server.listen(0, "127.0.0.1", resolve));
    return client;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Speaks as NZBGet does: results by method. @returns the parameters of each call, by method */
  asNzbget(results: Readonly<Record<string, unknown>>): Map<string, unknown[]> {
    const called = new Map<string, unknown[]>();
    this.answer = (body, _, response) => {
      const { method, params } = JSON.parse(body) as { method: string; params: unknown[] };
      called.set(method, params);
      response.end(JSON.stringify({ version: "1.1", id: 1, result: results[method] }));
    };
    return called;
  }

  /** Speaks as SABnzbd does: answers by mode. */
  asSabnzbd(answers: Readonly<Record<string, unknown>>): void {
    this.answer = (body, _, response) => {
      const mode = new URLSearchParams(body).get("mode") ?? "";
      response.end(JSON.stringify(answers[mode] ?? { status: false, error: `not implemented: ${mode}` }));
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
