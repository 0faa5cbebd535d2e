import { replyKind, type Reply, type ReplyHeaders } from "@longbox/sdk";
import type { Exchange } from "../routing/route-call.js";
import { status } from "../statuses.js";
import { AnswerBuffers } from "./answer-buffers.js";
import { Compressor } from "./compressing.js";
import { apiHeaders } from "./headers.js";
import { sendContent } from "./sending-content.js";
import { sendJson } from "./sending-json.js";

/** Sends what handlers return: plain values as JSON, and every kind of reply. */
export class Replies {
  readonly #compressor = new Compressor();
  readonly #buffers = new AnswerBuffers();

  /** Sends what a handler has returned. */
  send(exchange: Exchange, result: unknown): Promise<void> | void {
    const kind = replyKind(result);
    if (kind === undefined)
      return result === undefined
        ? sendEmpty(exchange, {})
        : sendJson(exchange, status.ok, result, {}, this.#compressor);
    const answer = result as Extract<Reply, Record<symbol, unknown>>;
    if ("content" in answer)
      return sendContent(exchange, answer.content, answer.options, {
        compressor: this.#compressor,
        buffers: this.#buffers,
      });
    if ("value" in answer)
      return sendJson(
        exchange,
        answer.protocolStatus ?? (answer.created ? status.created : status.ok),
        answer.value,
        answer.headers,
        this.#compressor,
      );
    if ("location" in answer) return sendRedirect(exchange, answer.location, answer.headers);
    return sendEmpty(exchange, answer.headers, answer.protocolStatus);
  }
}

function sendEmpty(exchange: Exchange, headers: ReplyHeaders, code: number = status.empty): void {
  exchange.response
    .writeHead(code, { ...apiHeaders, "X-Request-Id": exchange.id, "Cache-Control": "no-store", ...headers })
    .end();
}

function sendRedirect(exchange: Exchange, location: string, headers: ReplyHeaders): void {
  exchange.response
    .writeHead(status.found, {
      ...apiHeaders,
      "X-Request-Id": exchange.id,
      "Cache-Control": "no-store",
      "Content-Length": 0,
      Location: location,
      ...headers,
    })
    .end();
}
