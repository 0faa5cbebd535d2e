import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A git server on loopback with reading lists in a tree. */
export class Community implements AsyncDisposable {
  readonly files = new Map<string, string | Buffer>();
  /** Paths as they came, still encoded. */
  readonly asked: string[] = [];
  /** Answers instead of the right one. */
  trouble: ((response: ServerResponse) => void) | undefined;
  /** What the tree says, when it is not the right one. */
  index: unknown;
  readonly #server = createServer((request, response) => this.#answer(request.url ?? "/", response));

  static async start(): Promise<Community> {
    const community = new Community();
    await new Promise<void>((resolve) => community.#server.listen(0, "127.0.0.1", resolve));
    return community;
  }

  get settings() {
    const origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return { catalogIndexUrl: `${origin}/tree?recursive=1`, catalogFilesUrl: `${origin}/raw/` };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #answer(url: string, response: ServerResponse): void {
    this.asked.push(url);
    if (this.trouble) return this.trouble(response);
    if (url === "/tree?recursive=1") return this.#tree(response);
    const file = url.startsWith("/raw/") ? this.files.get(decodeURIComponent(url.slice("/raw/".length))) : undefined;
    if (file === undefined) return void response.writeHead(404).end("no");
    response.writeHead(200, { "content-type": "text/plain" }).end(file);
  }

  #tree(response: ServerResponse): void {
    const entries = [...this.files.keys()].map((path) => ({ path, mode: "100644", type: "blob", size: 100 }));
    const tree = [
      { path: "README.md", type: "blob" },
      { path: "Lamplight", type: "tree" },
      { path: "../outside.cbl", type: "blob" },
      { path: "/absolute.cbl", type: "blob" },
      ...entries,
    ];
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify(this.index ?? { sha: "abc", tree, truncated: false }));
  }
}
