import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly at: number;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** A third-party server that records what it receives and answers as the test says. */
export class Receiver implements AsyncDisposable {
  readonly received: Received[] = [];
  /** Answered in turn, the last one for good. */
  answers: Answer[] = [{ status: 200, body: "fine" }];
  /** What answers wait for. */
  pause: Promise<unknown> = Promise.resolve();
  readonly #server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    this.received.push({
      path: request.url ?? "",
      headers: request.headers,
      body: Buffer.concat(parts),
      at: Date.now(),
    });
    await this.pause;
    const answer = (this.answers.length > 1 ? this.answers.shift() : this.answers[0]) as Answer;
    response.writeHead(answer.status, answer.headers).end(answer.body ?? "");
  });

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, "127.0.0.1", resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  json(index = 0): any {
    return JSON.parse(this.received[index]?.body.toString() ?? "null");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
