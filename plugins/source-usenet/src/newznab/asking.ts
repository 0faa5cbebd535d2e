import type { Resting, SearchControl } from "@longbox/downloads/contract";
import {
  HostFailure,
  isLongboxError,
  retryAfterSeconds,
  UpstreamFailure,
  type Answer,
  type OutgoingHost,
  type PluginContext,
  type TaskThread,
} from "@longbox/sdk";
import type { IndexerDocument, ReadingTasks } from "../reading/document.js";
import { isWebAddress, type IndexerEntry } from "../settings.js";
import { refusalOf } from "./refusals.js";

const feedBytes = 8 * 1024 * 1024;
const nzbBytes = 16 * 1024 * 1024;
const timeoutMs = 30_000;
const mostRedirects = 5;

export type Parameters = Readonly<Record<string, string>>;
type Read = Exclude<IndexerDocument, { kind: "error" }>;

/** Asks one indexer. Its key goes to the addresses that it names itself, and stands in no message. */
export class Asking {
  constructor(
    private readonly context: Pick<PluginContext, "host">,
    private readonly thread: TaskThread<ReadingTasks>,
    readonly entry: IndexerEntry,
  ) {}

  async resting(): Promise<Resting | undefined> {
    return isWebAddress(this.entry.url) ? this.context.host(this.entry.url).state().resting : undefined;
  }

  /** The address of the API: that of the settings, with `/api` at its end. */
  get api(): URL {
    const url = new URL(this.entry.url);
    if (!/\/api\/?$/u.test(url.pathname)) url.pathname = `${url.pathname.replace(/\/+$/u, "")}/api`;
    return url;
  }

  /** @throws {UpstreamFailure} with a sentence for a person, which holds no key */
  async ask(parameters: Parameters, control: SearchControl): Promise<Read> {
    const url = this.api;
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    if (this.entry.apiKey !== "") url.searchParams.set("apikey", this.entry.apiKey);
    const host = this.context.host(url);
    const answer = await host.fetch(url, { ...control, maxBytes: feedBytes, timeoutMs });
    const retryAfter = retryAfterSeconds(answer.headers.get("retry-after"));
    const document = await this.#document(answer, control);
    if (document.kind !== "error") return document;
    const refusal = refusalOf(document, (text) => this.#withoutKey(text));
    if (!refusal.isLimit) throw new UpstreamFailure(refusal.code, refusal.message);
    return rest(host, refusal.message, retryAfter);
  }

  /**
   * The answer for an NZB. It comes from the origin of the indexer, or from a public address; redirects are followed by
   * the same rule.
   * @throws {UpstreamFailure}
   */
  async fetchNzb(start: string, control: SearchControl): Promise<Answer> {
    let url = start;
    for (let followed = 0; followed <= mostRedirects; followed += 1) {
      const isOwn = new URL(url).origin === this.api.origin;
      const answer = await this.context.host(url).fetch(url, {
        ...control,
        redirect: "manual",
        maxBytes: nzbBytes,
        timeoutMs: timeoutMs * 2,
        ...(!isOwn && { publicOnly: true }),
      });
      const location = answer.status >= 300 && answer.status < 400 ? answer.headers.get("location") : null;
      if (location === null) return answer;
      await answer.body?.cancel();
      url = URL.canParse(location, url) ? new URL(location, url).href : "";
      if (!isWebAddress(url)) break;
    }
    throw new UpstreamFailure("source-usenet/no-answer", "The indexer sends the request for the NZB elsewhere.");
  }

  /** @throws {LongboxError} with the reason why it is no NZB */
  readNzb(bytes: Uint8Array, signal: AbortSignal) {
    return this.thread.run("nzb", bytes, signal);
  }

  async #document(answer: Answer, { signal }: SearchControl): Promise<IndexerDocument> {
    const bytes = new Uint8Array(await answer.arrayBuffer());
    try {
      const document = await this.thread.run("document", bytes, signal);
      if (answer.ok || document.kind === "error") return document;
    } catch (fault) {
      signal.throwIfAborted();
      if (answer.ok) throw notAnIndexer(fault);
    }
    throw statusFailure(answer);
  }

  #withoutKey(text: string): string {
    return this.entry.apiKey === "" ? text : text.replaceAll(this.entry.apiKey, "…");
  }
}

/** A limit that the indexer reports with status 200: its host is left alone all the same. */
async function rest(host: OutgoingHost, message: string, retryAfter: number | undefined): Promise<never> {
  return host.run<never>(async () => {
    throw new HostFailure(message, {
      code: "source-usenet/limit-reached",
      retryAfterSeconds: retryAfter ?? 900,
    });
  });
}

function notAnIndexer(fault: unknown): UpstreamFailure {
  const reason = isLongboxError(fault) ? fault.message : "The answer cannot be read.";
  const message = `${reason} Check the address: it has to be that of the indexer's API.`;
  return new UpstreamFailure("source-usenet/not-an-indexer", message, undefined, { cause: fault });
}

function statusFailure({ status, headers }: Answer): UpstreamFailure {
  const after = retryAfterSeconds(headers.get("retry-after"));
  const waiting = after === undefined ? {} : { retryAfterSeconds: after };
  if (status === 401 || status === 403)
    return new UpstreamFailure("source-usenet/not-allowed", "The indexer refuses the API key.");
  if (status === 429)
    return new UpstreamFailure(
      "source-usenet/limit-reached",
      "The indexer allows no more requests now.",
      undefined,
      waiting,
    );
  const hint = status === 404 ? " Check the address: nothing is there." : "";
  return new UpstreamFailure("source-usenet/no-answer", `The indexer answered ${status}.${hint}`, undefined, waiting);
}
