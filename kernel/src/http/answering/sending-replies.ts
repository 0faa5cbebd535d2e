import { replyKind, type Reply, type ReplyHeaders } from "@longbox/sdk";
import { inject, injectable } from "../../injection.js";
import type { Exchange } from "../routing/route-call.js";
import { status } from "../statuses.js";
import { AnswerBuffers } from "./answer-buffers.js";
import { AnswerFiles } from "./answer-files.js";
import { Compressor } from "./compressing.js";
import { apiHeaders } from "./headers.js";
import { sendContent, type Means } from "./sending-content.js";
import { sendJson } from "./sending-json.js";

type ContentReply = Extract<Reply, { readonly content: unknown }>;

/** Sends what handlers return: plain values as JSON, and every kind of reply. */
@injectable()
export class Replies {
  readonly #means: Means;

  constructor(@inject(AnswerFiles) private readonly files: AnswerFiles) {
    this.#means = { compressor: new Compressor(), buffers: new AnswerBuffers(), files };
  }

  /** Sends what a handler has returned. */
  send(exchange: Exchange, result: unknown): Promise<void> | void {
    const kind = replyKind(result);
    if (kind === undefined)
      return result === undefined
        ? sendEmpty(exchange, {})
        : sendJson(exchange, result, { code: status.ok, headers: {}, means: this.#means });
    const answer = result as Extract<Reply, Record<symbol, unknown>>;
    if ("content" in answer) return this.#sendContent(exchange, answer);
    if ("value" in answer)
      return sendJson(exchange, answer.value, {
        code: answer.protocolStatus ?? (answer.created ? status.created : status.ok),
        headers: answer.headers,
        means: this.#means,
      });
    if ("location" in answer) return sendRedirect(exchange, answer.location, answer.headers);
    return sendEmpty(exchange, answer.headers, answer.protocolStatus);
  }

  /** No variable holds large bytes any longer than it takes to put them into a file. */
  #sendContent(exchange: Exchange, { content, options }: ContentReply): Promise<void> {
    const means = this.#means;
    if (typeof content === "function" || content.kind !== "bytes" || !this.files.isTooLarge(content.bytes.length))
      return sendContent(exchange, { content, options }, means);
    const keeping = this.files.keep(content.bytes, content.contentType).then((kept) => kept ?? content);
    return keeping.then((kept) => sendContent(exchange, { content: kept, options }, means));
  }
}

function sendEmpty(exchange: Exchange, headers: ReplyHeaders, code: number = status.empty): void {
  exchange.response
    .writeHead(code, { ...apiHeaders, "X-Request-Id": exchange.id, "Cache-Control": "no-store", ...headers })
    .end();
}

/** Paths begin at the root of this server; `//name` is an address of another. */
const isOwnPath = (location: string) => location.startsWith("/") && !location.startsWith("//");

function sendRedirect(exchange: Exchange, location: string, headers: ReplyHeaders): void {
  exchange.response
    .writeHead(status.found, {
      ...apiHeaders,
      "X-Request-Id": exchange.id,
      "Cache-Control": "no-store",
      "Content-Length": 0,
      Location: isOwnPath(location) ? exchange.client.prefix + location : location,
      ...headers,
    })
    .end();
}
