import type { Answer } from "./answer.js";

/** What a request to another server may take, beside the options of the standard `fetch`. */
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
 * The way out to other servers: the standard `fetch` with limits, also on the JSON of an answer. Redirects to another origin carry no credentials.
 *
 * @throws {UpstreamFailure} `kernel/server-unreachable`, `kernel/fetch-timeout`, `kernel/answer-too-large` (also while
 * the body is read), `kernel/address-not-public`, `kernel/redirect-refused`; the reason of the given signal when it aborts
 */
export type Fetch = (input: string | URL | Request, init?: FetchOptions) => Promise<Answer>;

/** How a host wants to be asked. Of several that plugins name for one host, the strictest counts. */
export interface HostLimits {
  /** Requests under way at once. Default 4. */
  readonly atOnce?: number;
  /** Between the beginnings of two requests. Default 0. */
  readonly spacingMs?: number;
  /** Requests within an hour, counted for each kind. Background work leaves a fifth of them to people. Default: any number. */
  readonly perHour?: number;
}

export interface HostRequest {
  /** A person's requests go before those of background work. Default `person`. */
  readonly urgency?: "person" | "background";
  /** What is asked for, where the host counts by that. */
  readonly kind?: string;
  readonly signal?: AbortSignal;
}

export interface HostState {
  readonly host: string;
  /** The host is left alone: it asked for that, or failed several times in a row. */
  readonly resting: { readonly until: string; readonly reason: string } | undefined;
  readonly waiting: number;
  readonly running: number;
}

/** One other server, as all plugins together see it. */
export interface OutgoingHost {
  /** `example.org`, with its port unless it is the usual one. */
  readonly name: string;
  /**
   * Does one request when it is its turn. A {@link HostFailure} thrown by `ask` counts against the host: after five in
   * a row the host rests for a minute and is then tried with one request; one with `retryAfterSeconds` lets it rest as
   * long as that, at most an hour. Everything else that is thrown or returned shows that the host answers.
   *
   * @throws {UpstreamFailure} `kernel/host-resting`, `kernel/host-budget-spent`, both with the time to wait
   */
  run<T>(ask: () => Promise<T>, request?: HostRequest): Promise<T>;
  /**
   * `context.fetch` in its turn. Answers 429 and 503, with their `Retry-After`, other answers from 500 on, and failed
   * connections count against the host; the answers are returned all the same.
   */
  fetch(url: string | URL, init?: FetchOptions & Omit<HostRequest, "signal">): Promise<Answer>;
  state(): HostState;
  /** Forgets failures and rest: the host's address or key was changed by a person. */
  reset(): void;
}
