import { createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { escapeXml } from "./xml.js";
import { yencBody } from "./yenc.js";

const partBytes = 200_000;

export interface Posted {
  readonly nzb: Uint8Array;
  /** The ids of its articles, in order. */
  readonly articles: readonly string[];
}

/** A news server on loopback, which has what was posted to it: RFC 3977 and the commands that download clients use. */
export class NntpServer implements AsyncDisposable {
  readonly username = "reader";
  readonly password = "news-password";
  readonly articles = new Map<string, Uint8Array>();
  /** The ids that were asked for. */
  readonly asked: string[] = [];
  #delayMs = 0;
  #waiting = new AbortController();
  readonly #sockets = new Set<Socket>();
  readonly #server: Server = createServer((socket) => this.#serve(socket));
  #posts = 0;

  /** How long each article takes; once it is 0, those that are waited for come at once. */
  get delayMs(): number {
    return this.#delayMs;
  }

  set delayMs(delayMs: number) {
    this.#delayMs = delayMs;
    if (delayMs > 0) return;
    this.#waiting.abort();
    this.#waiting = new AbortController();
  }

  static async start(): Promise<NntpServer> {
    const server = new NntpServer();
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Posts files in articles, and describes them as an NZB. */
  post(files: Readonly<Record<string, Uint8Array>>): Posted {
    const post = (this.#posts += 1);
    const ids: string[] = [];
    const described = Object.entries(files).map(([name, bytes], at) => {
      const count = Math.max(1, Math.ceil(bytes.length / partBytes));
      const segments = Array.from({ length: count }, (_, part) => {
        const [from, to] = [part * partBytes, Math.min(bytes.length, (part + 1) * partBytes)];
        const body = yencBody({ name, bytes, from, to, number: part + 1, count });
        const id = `p${post}f${at}s${part + 1}@news.test`;
        this.articles.set(id, body);
        ids.push(id);
        return `<segment bytes="${body.length}" number="${part + 1}">${id}</segment>`;
      });
      const subject = escapeXml(`[${at + 1}/${Object.keys(files).length}] - "${name}" yEnc (1/${count})`);
      return `<file poster="poster@news.test" date="1772359200" subject="${subject}"><groups><group>alt.binaries.test</group></groups><segments>${segments.join("")}</segments></file>`;
    });
    return { nzb: Buffer.from(nzbOf(described.join(""))), articles: ids };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
    // Clients reset the connection when they are done with it.
    socket.on("error", () => socket.destroy());
    socket.write("200 ready\r\n");
    let waiting = "";
    let turn = Promise.resolve();
    let isKnown = false;
    let user = "";
    const answer = async (line: string) => {
      const [command = "", first = "", second = ""] = line.trim().split(/\s+/);
      const name = command.toUpperCase();
      if (name === "QUIT") return void socket.end("205 closing\r\n");
      if (name === "AUTHINFO" && first.toUpperCase() === "USER") {
        user = second;
        return void socket.write("381 password\r\n");
      }
      if (name === "AUTHINFO") {
        isKnown = user === this.username && second === this.password;
        return void socket.write(isKnown ? "281 accepted\r\n" : "481 refused\r\n");
      }
      if (!isKnown) return void socket.write("480 authentication required\r\n");
      await this.#answer(socket, name, first);
    };
    socket.on("data", (chunk: Buffer) => {
      const lines = (waiting + chunk.toString("latin1")).split("\n");
      waiting = lines.pop() ?? "";
      for (const line of lines) turn = turn.then(() => answer(line));
    });
  }

  async #answer(socket: Socket, command: string, parameter: string): Promise<void> {
    if (command === "GROUP") return void socket.write(`211 1 1 1 ${parameter}\r\n`);
    if (command === "MODE") return void socket.write("200 reader\r\n");
    if (command === "CAPABILITIES") return void socket.write("101 list\r\nVERSION 2\r\nREADER\r\n.\r\n");
    const id = parameter.replace(/^<|>$/g, "");
    const body = this.articles.get(id);
    if (command === "STAT" || command === "HEAD")
      return void socket.write(body ? `223 0 <${id}>\r\n` : "430 no such article\r\n");
    if (command !== "BODY" && command !== "ARTICLE") return void socket.write("500 unknown command\r\n");
    this.asked.push(id);
    const { signal } = this.#waiting;
    if (this.#delayMs > 0) await pause(this.#delayMs, undefined, { signal }).catch(() => undefined);
    if (socket.destroyed) return;
    if (!body) return void socket.write("430 no such article\r\n");
    const head = command === "ARTICLE" ? `220 0 <${id}>\r\nMessage-ID: <${id}>\r\n\r\n` : `222 0 <${id}>\r\n`;
    socket.write(Buffer.concat([Buffer.from(head), body, Buffer.from(".\r\n")]));
  }
}

/** An NZB with these `file` elements. */
export function nzbOf(files: string): string {
  const type = '<!DOCTYPE nzb PUBLIC "-//newzBin//DTD NZB 1.1//EN" "http://www.newzbin.com/DTD/nzb/nzb-1.1.dtd">';
  return `<?xml version="1.0" encoding="UTF-8"?>\n${type}\n<nzb xmlns="http://www.newzbin.com/DTD/2003/nzb">${files}</nzb>`;
}
