import {
  isLongboxError,
  joinSignals,
  type Answer,
  type Fetch,
  type FetchOptions,
  type StreamedAnswer,
  type StreamOptions,
} from "@longbox/sdk";
import type * as Undici from "undici";
import { addressOf } from "./address.js";
import { streamAgents, usualAgents, type Agents } from "./agents.js";
import type { AllowedPlaces } from "./allowed-places.js";
import { limitAnswer } from "./limited-answer.js";
import { FetchTimeout, RedirectRefused, ServerUnreachable } from "./outgoing-errors.js";
import { follow, redirectOf, type Hop } from "./redirecting.js";
import { inject, injectable } from "../injection.js";
import { withBoundedJson } from "../parsing/json-doors.js";
import { OutsideJson } from "../parsing/outside-json.js";
import { requireDeclaredHost } from "./declared-hosts.js";
import { AllowedOutside } from "./allowed-setting.js";
import { OutgoingObserver } from "./outgoing-observer.js";
import { askStreamed, limitStream } from "./streamed-answer.js";

const usual = { maxBytes: 16 * 1024 * 1024, timeoutMs: 60_000, quietMs: 300_000, redirects: 5 } as const;

/** What a plugin may send requests with. */
export interface OutgoingDoors {
  readonly fetch: Fetch;
  stream(url: string | URL, options?: StreamOptions): Promise<StreamedAnswer>;
}

type Travelling = Pick<FetchOptions, "redirect" | "redirects" | "publicOnly">;

/** On whose behalf requests are sent. */
interface Sender {
  /** Aborts when it stops. */
  readonly stopping: AbortSignal;
  /** The hosts that it may ask; all of them when left out. */
  readonly hosts?: readonly string[] | undefined;
}

/** One request: the answer of one server, before any redirect is followed. */
interface Step<A> {
  readonly agents: "usual" | "streams";
  ask(undici: typeof Undici, hop: Hop, given: { signal: AbortSignal; dispatcher: Undici.Agent }): Promise<A>;
  discard(answer: A): void | Promise<void>;
}

interface Exchange {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly over: () => void;
  readonly translate: (fault: unknown) => unknown;
}

interface Loaded {
  readonly undici: typeof Undici;
  readonly usual: Agents;
  readonly streams: Agents;
}

/** The one door to other servers. undici is loaded with the first request, since starting does not need it. */
@injectable()
export class Outgoing {
  readonly #allowed: () => AllowedPlaces;
  #loaded: Promise<Loaded> | undefined;

  constructor(
    @inject(AllowedOutside) allowed: () => AllowedPlaces,
    @inject(OutsideJson) private readonly json: OutsideJson,
    @inject(OutgoingObserver) private readonly observer: OutgoingObserver,
  ) {
    this.#allowed = allowed;
  }

  /**
   * The doors of one plugin, closed when `stopping` aborts.
   * @param hosts - The only hosts that may be asked, also after redirects: names, or `*.example.org`
   */
  until(stopping: AbortSignal, hosts?: readonly string[]): OutgoingDoors {
    const sender = { stopping, hosts };
    return {
      fetch: (input, init = {}) => this.#fetch(first(input, init), init, sender),
      stream: (url, options = {}) => this.#stream(addressOf(url), options, sender),
    };
  }

  /** Connections that were allowed before may not be any more. */
  async renew(): Promise<void> {
    const former = await this.#loaded;
    this.#loaded = undefined;
    if (!former) return;
    const agents = [former.usual, former.streams].flatMap(({ open, guarded }) => [open, guarded]);
    await Promise.all(agents.map((agent) => agent.close()));
  }

  async #fetch(hop: Hop, options: FetchOptions, sender: Sender): Promise<Answer> {
    const exchange = begin(hop, options, sender.stopping);
    try {
      const { answer, url } = await this.#travel(hop, options, { step: fetching, exchange, sender });
      return withBoundedJson(await limitAnswer(answer, url, exchange), url.host, this.json);
    } catch (fault) {
      exchange.over();
      throw exchange.translate(fault);
    }
  }

  async #stream(url: URL, options: StreamOptions, sender: Sender): Promise<StreamedAnswer> {
    const { headers = {}, quietMs = 60_000 } = options;
    const hop = { url, init: { headers, ...(options.signal && { signal: options.signal }) } };
    const exchange = begin(hop, { ...options, quietMs }, sender.stopping);
    try {
      const travelled = await this.#travel(hop, options, { step: askStreamed(quietMs), exchange, sender });
      return limitStream(travelled.answer, travelled.url, exchange);
    } catch (fault) {
      exchange.over();
      throw exchange.translate(fault);
    }
  }

  async #travel<A extends Pick<Response, "status" | "headers">>(
    start: Hop,
    options: Travelling,
    { step, exchange, sender }: { step: Step<A>; exchange: Exchange; sender: Sender },
  ): Promise<{ answer: A; url: URL }> {
    const { redirects = options.redirect === "error" ? 0 : usual.redirects, publicOnly } = options;
    const loaded = await this.#load();
    const { open, guarded } = loaded[step.agents];
    let hop = start;
    for (let followed = 0; ; followed += 1) {
      requireDeclaredHost(hop.url.hostname, sender.hosts);
      const elsewhere = hop.url.hostname !== start.url.hostname;
      const agent = publicOnly === true || (publicOnly === undefined && elsewhere) ? guarded : open;
      const answer = await this.#observed(hop, () =>
        step.ask(loaded.undici, hop, { signal: exchange.signal, dispatcher: agent }),
      );
      const location = options.redirect === "manual" ? undefined : redirectOf(answer);
      if (location === undefined) return { answer, url: hop.url };
      await step.discard(answer);
      if (followed >= redirects) throw new RedirectRefused(hop.url.host, `more than ${redirects} times`);
      hop = follow(hop, answer.status, location);
    }
  }

  async #observed<A extends Pick<Response, "status">>({ url, init }: Hop, ask: () => Promise<A>): Promise<A> {
    const startedAt = performance.now();
    const tell = (status: number | undefined) =>
      this.observer.exchanged({
        method: init.method ?? "GET",
        url,
        status,
        milliseconds: performance.now() - startedAt,
      });
    try {
      const answer = await ask();
      tell(answer.status);
      return answer;
    } catch (fault) {
      tell(undefined);
      throw fault;
    }
  }

  #load(): Promise<Loaded> {
    this.#loaded ??= import("undici").then((undici) => ({
      undici,
      usual: usualAgents(undici, this.#allowed),
      streams: streamAgents(undici, this.#allowed),
    }));
    return this.#loaded;
  }
}

const fetching: Step<Response> = { agents: "usual", ask, discard: (answer) => answer.body?.cancel() };

/** Sets the limits of one exchange, which hold until `over` is called. */
function begin(
  { url, init }: Hop,
  options: Pick<StreamOptions, "maxBytes" | "timeoutMs" | "quietMs">,
  stopping: AbortSignal,
): Exchange {
  const { timeoutMs = usual.timeoutMs, maxBytes = usual.maxBytes, quietMs = usual.quietMs } = options;
  const limit = new AbortController();
  const late = () => limit.abort(new FetchTimeout(url.host, timeoutMs));
  const timer = setTimeout(late, Math.min(timeoutMs, 2 ** 31 - 1)).unref();
  const { signal, release } = joinSignals(stopping, init.signal ?? undefined, limit.signal);
  return {
    maxBytes,
    signal,
    over() {
      clearTimeout(timer);
      release();
    },
    translate: (fault) =>
      isSilence(fault) && !signal.aborted ? new FetchTimeout(url.host, quietMs) : meaningOf(fault, signal, url.host),
  };
}

async function ask(
  { fetch, FormData }: typeof Undici,
  { url, init }: Hop,
  given: { signal: AbortSignal; dispatcher: Undici.Agent },
): Promise<Response> {
  const body = init.body instanceof globalThis.FormData ? copyForm(init.body, new FormData()) : init.body;
  const options = { ...init, body, ...given, redirect: "manual" };
  // undici and Node declare the same standard types each for themselves.
  return (await fetch(url, options as unknown as Undici.RequestInit)) as unknown as Response;
}

function first(input: string | URL | Request, init: RequestInit): Hop {
  if (!(input instanceof Request)) return { url: addressOf(input), init };
  const own = {
    method: input.method,
    headers: input.headers,
    body: input.body,
    redirect: input.redirect,
    signal: input.signal,
    duplex: "half",
  };
  return { url: new URL(input.url), init: { ...own, ...init } as RequestInit };
}

const silences = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);
const codeOf = (fault: unknown) => (fault instanceof Error ? ((fault as { code?: string }).code ?? "") : "");
const isSilence = (fault: unknown) =>
  silences.has(codeOf(fault)) || (fault instanceof Error && silences.has(codeOf(fault.cause)));

/** undici speaks of everything that goes wrong as "fetch failed". */
function meaningOf(fault: unknown, signal: AbortSignal, host: string): unknown {
  if (signal.aborted) return signal.reason;
  for (let at: unknown = fault; at instanceof Error; at = at.cause) if (isLongboxError(at)) return at;
  return fault instanceof TypeError || isOfConnection(codeOf(fault)) ? new ServerUnreachable(host, fault) : fault;
}

/** `request` throws what the socket says; `fetch` wraps it. */
const isOfConnection = (code: string) => /^(UND_ERR|E[A-Z_]+$|HPE_|ERR_SSL|ERR_TLS|CERT_|Z_)/.test(code);

function copyForm(form: globalThis.FormData, copy: Undici.FormData): Undici.FormData {
  // A value is a text or a `File`, of which both declare their own type.
  for (const [name, value] of form) copy.append(name, value as never);
  return copy;
}
