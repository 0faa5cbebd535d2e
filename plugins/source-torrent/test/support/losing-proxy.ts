import { createServer, request as ask } from "node:http";
import type { AddressInfo } from "node:net";

/** Stands before a torrent client, and loses the answer to the first torrent that is added. */
export class LosingProxy implements AsyncDisposable {
  lost = 0;
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      const target = new URL(request.url ?? "/", this.target);
      const { host: _host, ...headers } = request.headers;
      const forwarded = ask(target, { method: request.method, headers }, (answer) => {
        const isAdding = target.pathname.endsWith("torrents/add") || body.includes("torrent-add");
        if (isAdding && answer.statusCode === 200 && this.lost === 0) {
          this.lost += 1;
          answer.resume();
          return response.destroy();
        }
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
        return undefined;
      });
      forwarded.on("error", () => response.destroy());
      forwarded.end(body);
    });
  });

  private constructor(private readonly target: string) {}

  static async start(target: string): Promise<LosingProxy> {
    const proxy = new LosingProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
