import type { Answer } from "./answer.js";

/** The limits of a request to another server, besides the options of the standard `fetch`. */
export interface FetchOptions extends RequestInit {
  /**
   * The longest body that is read, in bytes as they are after decompression. Default 16 MB (16 777 216). A longer one
   * ends with `kernel/answer-too-large`.
   */
  maxBytes?: number;
  /** How long the exchange may take, from the request to the last byte of the body. Default 60 000. */
  timeoutMs?: number;
  /** How many redirects are followed. Default 5; 0 refuses the first. */
  redirects?: number;
  /**
   * Which addresses may be connected to. The address itself decides, at the moment of connecting, and after every
   * redirect again; hosts and networks that an admin allows in the server's settings are always allowed.
   *
   * - `true`: only public ones. For a URL that came from outside: a cover in a provider's answer, a link in a feed.
   * - left out: the host of the given URL may be anywhere, redirects to other hosts lead to public addresses only. For
   *   a URL that an admin has configured.
   * - `false`: any address.
   */
  publicOnly?: boolean;
}

/**
 * Requests to other servers: the standard `fetch` with limits, also on the JSON of an answer. Redirects to another
 * origin carry no credentials.
 *
 * @throws {UpstreamFailure} `kernel/server-unreachable`, `kernel/fetch-timeout`, `kernel/answer-too-large` (also while
 * the body is read), `kernel/address-not-public`, `kernel/redirect-refused`; the reason of the given signal when it
 * aborts
 */
export type Fetch = (input: string | URL | Request, init?: FetchOptions) => Promise<Answer>;

/** A GET request whose answer is read as it comes. */
export interface StreamOptions extends Pick<FetchOptions, "maxBytes" | "timeoutMs" | "redirects" | "publicOnly"> {
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
  /** How long the server may be silent, before its answer and between two chunks. Default 60 000. */
  quietMs?: number;
}

/**
 * An answer whose body is not wrapped into streams of the web: a large file takes half the processor time and memory
 * that it takes through `fetch`.
 */
export interface StreamedAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** After redirects. */
  readonly url: string;
  /**
   * The body, decompressed, once. An iteration that is left early closes the connection.
   *
   * @param options - `reuseMemory`: the memory of a chunk is used again once the next chunk is requested, which spares
   * a large file the time of allocating and collecting it. What has to stay must be copied before. Default false.
   * @throws what {@link Fetch} throws, also `kernel/fetch-timeout` when the server is silent for too long
   */
  chunks(options?: { reuseMemory?: boolean }): AsyncIterable<Uint8Array>;
  /** Closes the connection of a body that is not needed. */
  discard(): void;
}

/** The request budget of a host. When several plugins set one for the same host, the strictest applies. */
export interface HostLimits {
  /** Concurrent requests. Default 4. */
  readonly atOnce?: number;
  /** Minimum time between the starts of two requests. Default 0. */
  readonly spacingMs?: number;
  /**
   * Requests per hour, counted for each kind. Background work leaves a fifth of them to user requests. Default:
   * unlimited.
   */
  readonly perHour?: number;
}

export interface HostRequest {
  /** Requests of a user go before those of background work. Default `person`. */
  readonly urgency?: "person" | "background";
  /** The kind of request, for hosts that count by kind. */
  readonly kind?: string;
  readonly signal?: AbortSignal;
}

export interface HostState {
  readonly host: string;
  /** Whether requests are suspended, because the host asked for a pause or failed several times in a row. */
  readonly resting: { readonly until: string; readonly reason: string } | undefined;
  readonly waiting: number;
  readonly running: number;
}

/** Another server, with a state that all plugins share. */
export interface OutgoingHost {
  /** `example.org`, with the port unless it is the default. */
  readonly name: string;
  /**
   * Runs one request in its turn. A {@link HostFailure} thrown by `ask` counts as a failure of the host: after five in
   * a row, requests are suspended for a minute and then resumed with a single one; `retryAfterSeconds` sets the time,
   * up to an hour. Any other error or result counts as an answer of the host.
   *
   * @throws {UpstreamFailure} `kernel/host-resting`, `kernel/host-budget-spent`, both with the time to wait
   */
  run<T>(ask: () => Promise<T>, request?: HostRequest): Promise<T>;
  /**
   * `context.fetch` in its turn. Answers 429 and 503, with their `Retry-After`, other answers from 500 on, and failed
   * connections count against the host; the answers are returned all the same.
   */
  fetch(url: string | URL, init?: FetchOptions & Omit<HostRequest, "signal">): Promise<Answer>;
  /** The same for a body of any length, such as a file that is downloaded. */
  stream(url: string | URL, options?: StreamOptions & Omit<HostRequest, "signal">): Promise<StreamedAnswer>;
  state(): HostState;
  /** Resets failures and suspension, after a user changed the host's address or key. */
  reset(): void;
}
