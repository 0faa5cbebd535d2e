import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What a stand-in says of its one torrent. */
export interface Said {
  state: string;
  error: number;
  errorString: string;
  freeBytes: number;
  savePath: string;
}

const fine = (): Said => ({
  state: "downloading",
  error: 0,
  errorString: "",
  freeBytes: 1e12,
  savePath: "/downloads",
});

/** A client that has one torrent after another, in whatever state a test wants: real ones fail only by accident. */
export class FailingPrograms implements AsyncDisposable {
  said: Said = fine();
  /** The hash of the torrent that it has. */
  hash: string | undefined;
  /** Of the torrent that comes next; Transmission is not told its hash. */
  expectedHash: string | undefined;
  labels: string[] = [];
  added = 0;
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => this.#answer(request, response, Buffer.concat(chunks).toString("latin1")));
  });

  static async start(): Promise<FailingPrograms> {
    const programs = new FailingPrograms();
    await new Promise<void>((resolve) => programs.#server.listen(0, "127.0.0.1", resolve));
    return programs;
  }

  reset(): void {
    this.said = fine();
    this.hash = undefined;
    this.labels = [];
    this.added = 0;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(request: IncomingMessage, response: ServerResponse, body: string): void {
    const { pathname } = new URL(request.url ?? "/", "http://here");
    if (pathname.endsWith("/rpc")) this.#answerRpc(response, JSON.parse(body));
    else response.end(this.#answerWeb(pathname.replace("/api/v2/", ""), body));
  }

  #answerWeb(method: string, body: string): string {
    if (method === "torrents/add") {
      this.#add(/filename="([0-9a-f]{40})\.torrent"/u.exec(body)?.[1], [
        /longbox-[0-9a-f-]{36}/u.exec(body)?.[0] ?? "",
      ]);
      return "Ok.";
    }
    if (method === "torrents/delete") this.hash = undefined;
    if (method === "torrents/info") return JSON.stringify(this.hash === undefined ? [] : [this.#info()]);
    if (method === "sync/maindata")
      return JSON.stringify({ server_state: { free_space_on_disk: this.said.freeBytes } });
    return "Ok.";
  }

  #info() {
    const { state, savePath: save_path } = this.said;
    const sizes = { size: 1000, amount_left: 500, progress: 0.5 };
    return { hash: this.hash, name: "x", tags: this.labels.join(", "), state, save_path, ...sizes };
  }

  #answerRpc(response: ServerResponse, call: { method: string; arguments: Record<string, unknown> }): void {
    if (call.method === "torrent-add") this.#add(this.expectedHash, []);
    if (call.method === "torrent-set") this.labels = call.arguments["labels"] as string[];
    if (call.method === "torrent-remove") this.hash = undefined;
    const torrents = this.hash === undefined ? [] : [this.#torrent()];
    response.end(JSON.stringify({ result: "success", arguments: { torrents } }));
  }

  #torrent() {
    const { error, errorString, savePath: downloadDir } = this.said;
    const sizes = { sizeWhenDone: 1000, leftUntilDone: 500, percentDone: 0.5, status: 4 };
    return { hashString: this.hash, name: "x", labels: this.labels, error, errorString, downloadDir, ...sizes };
  }

  #add(hash: string | undefined, labels: string[]): void {
    this.hash = hash;
    this.labels = labels;
    this.added += 1;
  }
}
