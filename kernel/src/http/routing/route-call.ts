import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { RouteRequest, Viewer } from "@longbox/sdk";
import type { Client } from "../../access/identifying/client.js";
import { grantOf, type Grant } from "../../access/identifying/grant.js";
import type { ServerRole } from "../../servers/peers.js";

/** All headers of a request, for the kernel's own use. */
export const requestHeaders = Symbol("the headers of the request");

/** The state of one exchange with a client, independent of the route. */
export interface Exchange {
  readonly id: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly client: Client;
  /** The address at the other end of the connection: the client's, or that of the last proxy. */
  readonly peerAddress: string;
  /** The role of the server that the client asked. */
  readonly asked: ServerRole;
  /** The public address that an admin has set, without a slash at the end; empty without one. */
  readonly publicUrl: string;
}

/** What a request asks for, validated by the schemas of its route, and on whose behalf. */
export interface CheckedInput {
  readonly viewer: Viewer;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** A request as its handler sees it. Rarely used properties are computed on demand. */
export class RouteCall implements RouteRequest {
  readonly #exchange: Exchange;
  readonly #ownerSignal: AbortSignal;
  readonly viewer: Viewer;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  #url: URL | undefined;
  #signal: AbortSignal | undefined;

  constructor(exchange: Exchange, ownerSignal: AbortSignal, { viewer, params, query, body }: CheckedInput) {
    this.#exchange = exchange;
    this.#ownerSignal = ownerSignal;
    this.viewer = viewer;
    this.params = params;
    this.query = query;
    this.body = body;
  }

  get id(): string {
    return this.#exchange.id;
  }

  get method(): string {
    return this.#exchange.request.method ?? "GET";
  }

  get url(): URL {
    return (this.#url ??= absoluteUrl(this.#exchange));
  }

  get signal(): AbortSignal {
    return (this.#signal ??= followSignal(this.#ownerSignal, this.#exchange.response));
  }

  /** Who is at the other end; for the kernel's own handlers. */
  get client(): Client {
    return this.#exchange.client;
  }

  /** The address of the socket: the client's, or that of the last proxy. */
  get peerAddress(): string {
    return this.#exchange.peerAddress;
  }

  /** The role of the server that the client asked. */
  get asked(): ServerRole {
    return this.#exchange.asked;
  }

  get [requestHeaders](): IncomingHttpHeaders {
    return this.#exchange.request.headers;
  }

  /** Bound to the call, because handlers take apart what they are given. */
  readonly header = (name: string): string | undefined => headerOf(this.#exchange.request)(name);
}

/** Reads one header of a request, or undefined. */
export const headerOf =
  (request: IncomingMessage) =>
  (name: string): string | undefined => {
    const value = request.headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(", ") : value;
  };

export interface BehindRequest {
  readonly client: Client;
  readonly grant: Grant;
  readonly peerAddress: string;
  readonly asked: ServerRole;
}

/** What only the kernel's own handlers may know of a request. */
export function behind(request: RouteRequest): BehindRequest {
  if (!(request instanceof RouteCall)) throw new TypeError("This request was not made by the kernel.");
  const { client, viewer, peerAddress, asked } = request;
  return { client, grant: grantOf(viewer), peerAddress, asked };
}

/** The path of a request as it was written, and its query with the question mark. */
export function target(request: IncomingMessage): { readonly path: string; readonly search: string } {
  const raw = (request as { originalUrl?: string }).originalUrl ?? request.url ?? "/";
  const mark = raw.indexOf("?");
  return mark < 0 ? { path: raw, search: "" } : { path: raw.slice(0, mark), search: raw.slice(mark) };
}

/**
 * The URL of a request under the server's public address. Where none is set it is the one that the client wrote,
 * forwarded headers of trusted proxies considered; a host that cannot be one does not come into it.
 */
export function absoluteUrl({ request, client, publicUrl }: Exchange): URL {
  const { path, search } = target(request);
  if (publicUrl !== "") return new URL(publicUrl + path + search);
  const base = `${client.secure ? "https" : "http"}://${isPlausible(client.host) ? client.host : "localhost"}`;
  return new URL(base + client.prefix + path + search);
}

/** A name or an address as they are written in URLs, with or without a port. */
function isPlausible(host: string): boolean {
  const hostname = /^[A-Za-z0-9][A-Za-z0-9._-]{0,252}(?::\d{1,5})?$/;
  const address6 = /^\[[0-9A-Fa-f:.]{2,45}\](?::\d{1,5})?$/;
  return host.length <= 260 && (hostname.test(host) || address6.test(host)) && URL.canParse(`http://${host}/`);
}

/**
 * A signal for the time of one answer. `AbortSignal.any` would stay with the owner's signal for as long as that lives,
 * which is as long as the server does.
 */
export function followSignal(owner: AbortSignal, response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const stop = () => controller.abort(owner.reason);
  const close = () => {
    owner.removeEventListener("abort", stop);
    if (!response.writableFinished) controller.abort(new DOMException("The client went away.", "AbortError"));
  };
  if (owner.aborted) stop();
  else owner.addEventListener("abort", stop, { once: true });
  if (response.closed) close();
  else response.once("close", close);
  return controller.signal;
}
