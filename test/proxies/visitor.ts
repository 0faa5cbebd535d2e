import { request, type Agent } from "node:https";
import { connect, type ClientHttp2Session } from "node:http2";
import type { IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { publicName, type RunningProxy } from "./proxy-programs.js";

/** The address that the visitor comes from, which is not the proxy's. */
export const visitorAddress = "127.0.0.7";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The body as JSON. */
  readonly json: any;
}

export interface Asking {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: Uint8Array | object;
}

/** A visitor of the public name, over HTTP/1.1 with TLS, who checks the certificate. */
export class Visitor {
  constructor(
    private readonly proxy: RunningProxy,
    private readonly agent: Agent,
  ) {}

  /** What people write into their browser, without a path. */
  get origin(): string {
    return `https://${publicName}:${this.proxy.port}`;
  }

  async ask(path: string, { method = "GET", headers = {}, body }: Asking = {}): Promise<Answer> {
    const bytes = body === undefined || body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
    const kind: Record<string, string> = bytes === body ? {} : { "content-type": "application/json" };
    const length: Record<string, string> = bytes === undefined ? {} : { "content-length": String(bytes.length) };
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          ...{ host: "127.0.0.1", port: this.proxy.port, localAddress: visitorAddress, agent: this.agent },
          ...{ ca: this.proxy.ca, servername: publicName, method, path },
          headers: { host: `${publicName}:${this.proxy.port}`, ...kind, ...length, ...headers },
        },
        (answer) => {
          const { statusCode: status = 0, headers: given } = answer;
          const read = (all: Buffer) => ({ status, headers: given, body: all, json: jsonOf(given, all) });
          buffer(answer).then(read).then(resolve, reject);
        },
      );
      sent.once("error", reject).end(bytes);
    });
  }

  /** A connection of HTTP/2, as browsers open it. */
  connect(): ClientHttp2Session {
    const { port, ca } = this.proxy;
    return connect(this.origin, { host: "127.0.0.1", port, ca, servername: publicName });
  }
}

function jsonOf(headers: IncomingHttpHeaders, body: Buffer): unknown {
  const isPlain = headers["content-encoding"] === undefined;
  return isPlain && body.length > 0 && /[/+]json/.test(headers["content-type"] ?? "")
    ? JSON.parse(body.toString())
    : undefined;
}
