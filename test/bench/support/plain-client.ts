// A client that costs little beside the server it measures: the two share the processors of a small machine.
import { connect } from "node:net";
import { once } from "node:events";

/** Posts JSON over one connection, one request after the other. */
export class PlainClient {
  readonly #socket;
  readonly #head: string;
  #answered: ((text: string) => void) | undefined;
  #failed: ((fault: Error) => void) | undefined;
  #received = "";

  private constructor(socket: ReturnType<typeof connect>, head: string) {
    this.#socket = socket.setNoDelay(true).setEncoding("latin1");
    this.#head = head;
    socket.on("data", (text: string) => this.#take(text));
    socket.on("close", () => this.#failed?.(new Error("The server closed the connection.")));
  }

  static async open(url: string, key: string): Promise<PlainClient> {
    const { hostname, port, host } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    return new PlainClient(socket, `Host: ${host}\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\n`);
  }

  /** @throws when the answer is another than 200 */
  async post(path: string, body: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    this.#answered = resolve;
    this.#failed = reject;
    this.#socket.write(`POST ${path} HTTP/1.1\r\n${this.#head}Content-Length: ${body.length}\r\n\r\n${body}`);
    const answer = await promise;
    if (!answer.startsWith("HTTP/1.1 200 ")) throw new Error(`${path} was answered: ${answer}`);
  }

  close(): void {
    this.#failed = undefined;
    this.#socket.destroy();
  }

  #take(text: string): void {
    this.#received += text;
    const end = this.#received.indexOf("\r\n\r\n");
    const length = /content-length: (\d+)/i.exec(this.#received)?.[1];
    if (end < 0 || length === undefined || this.#received.length < end + 4 + Number(length)) return;
    const answer = this.#received;
    this.#received = "";
    this.#answered?.(answer);
  }
}
