import { isLongboxError, joinSignals, type Answer, type Fetch, type FetchOptions } from "@longbox/sdk";
import type * as Undici from "undici";
import { guardedAgent, openAgent } from "./agents.js";
import type { AllowedPlaces } from "./allowed-places.js";
import { limitAnswer } from "./limited-answer.js";
import { FetchTimeout, RedirectRefused, ServerUnreachable } from "./outgoing-errors.js";
import { follow, redirectOf, type Hop } from "./redirecting.js";
import { inject, injectable } from "../injection.js";
import { withBoundedJson } from "../parsing/json-doors.js";
import { OutsideJson } from "../parsing/outside-json.js";
import { AllowedOutside } from "./allowed-setting.js";

const usual = { maxBytes: 16 * 1024 * 1024, timeoutMs: 60_000, redirects: 5 } as const;

interface Agents {
  readonly undici: typeof Undici;
  readonly open: Undici.Agent;
  readonly guarded: Undici.Agent;
}

/** The one door to other servers. undici is loaded with the first request, since starting does not need it. */
@injectable()
export class Outgoing {
  readonly #allowed: () => AllowedPlaces;
  #agents: Promise<Agents> | undefined;

  constructor(
    @inject(AllowedOutside) allowed: () => AllowedPlaces,
    @inject(OutsideJson) private readonly json: OutsideJson,
  ) {
    this.#allowed = allowed;
  }

  /** The `fetch` of one plugin, ended when `signal` aborts. */
  fetchUntil(signal: AbortSignal): Fetch {
    return (input, init = {}) => this.#fetch(first(input, init), init, signal);
  }

  /** Connections that were allowed before may not be any more. */
  async renew(): Promise<void> {
    const former = await this.#agents;
    this.#agents = undefined;
    await Promise.all([former?.open.close(), former?.guarded.close()]);
  }

  async #fetch(hop: Hop, options: FetchOptions, stopping: AbortSignal): Promise<Answer> {
    const { timeoutMs = usual.timeoutMs, maxBytes = usual.maxBytes } = options;
    const limit = new AbortController();
    const timer = setTimeout(
      () => limit.abort(new FetchTimeout(hop.url.host, timeoutMs)),
      Math.min(timeoutMs, 2 ** 31 - 1),
    ).unref();
    const joined = joinSignals(stopping, hop.init.signal ?? undefined, limit.signal);
    const over = () => {
      clearTimeout(timer);
      joined.release();
    };
    const translate = (fault: unknown) => meaningOf(fault, joined.signal, hop.url.host);
    try {
      const { answer, url } = await this.#travel(hop, options, joined.signal);
      return withBoundedJson(await limitAnswer(answer, url, { maxBytes, translate, over }), url.host, this.json);
    } catch (fault) {
      over();
      throw translate(fault);
    }
  }

  async #travel(start: Hop, options: FetchOptions, signal: AbortSignal): Promise<{ answer: Response; url: URL }> {
    const { redirects = options.redirect === "error" ? 0 : usual.redirects, publicOnly } = options;
    const { undici, open, guarded } = await this.#load();
    let hop = start;
    for (let followed = 0; ; followed += 1) {
      const elsewhere = hop.url.hostname !== start.url.hostname;
      const agent = publicOnly === true || (publicOnly === undefined && elsewhere) ? guarded : open;
      const answer = await ask(undici, hop, { signal, dispatcher: agent });
      const location = options.redirect === "manual" ? undefined : redirectOf(answer);
      if (location === undefined) return { answer, url: hop.url };
      await answer.body?.cancel();
      if (followed >= redirects) throw new RedirectRefused(hop.url.host, `more than ${redirects} times`);
      hop = follow(hop, answer.status, location);
    }
  }

  #load(): Promise<Agents> {
    this.#agents ??= import("undici").then((undici) => ({
      undici,
      open: openAgent(undici),
      guarded: guardedAgent(undici, this.#allowed),
    }));
    return this.#agents;
  }
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
  if (!(input instanceof Request)) return { url: new URL(input), init };
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

/** undici speaks of everything that goes wrong as "fetch failed". */
function meaningOf(fault: unknown, signal: AbortSignal, host: string): unknown {
  if (signal.aborted) return signal.reason;
  for (let at: unknown = fault; at instanceof Error; at = at.cause) if (isLongboxError(at)) return at;
  return fault instanceof TypeError || (fault as { code?: string }).code?.startsWith("UND_ERR") === true
    ? new ServerUnreachable(host, fault)
    : fault;
}

function copyForm(form: globalThis.FormData, copy: Undici.FormData): Undici.FormData {
  // A value is a text or a `File`, of which both declare their own type.
  for (const [name, value] of form) copy.append(name, value as never);
  return copy;
}
