import type { Resting, SearchControl } from "@longbox/downloads/contract";
import {
  isLongboxError,
  retryAfterSeconds,
  UpstreamFailure,
  type Answer,
  type PluginContext,
  type TaskThread,
} from "@longbox/sdk";
import type { ParsingTasks } from "../parsing-tasks.js";
import type { IndexerEntry } from "../settings.js";
import type { Abilities } from "./abilities.js";
import type { FeedItem, Refusal } from "./feed.js";
import { withoutKey } from "./keys.js";

const mostBytes = 8 * 1024 * 1024;
const patienceMs = 30_000;
const abilitiesKeptMs = 3_600_000;
/** An indexer whose requests are used up has more of them an hour later, at the earliest. */
const spentSeconds = 3_600;

/** Asks one Torznab server. Its key goes to its own address and nowhere else. */
export class Asking {
  #abilities: { readonly found: Abilities; readonly at: number } | undefined;

  constructor(
    private readonly context: Pick<PluginContext, "host">,
    private readonly thread: TaskThread<ParsingTasks>,
    readonly entry: IndexerEntry,
  ) {}

  async resting(): Promise<Resting | undefined> {
    return URL.canParse(this.entry.url) ? this.context.host(this.entry.url).state().resting : undefined;
  }

  /** @throws {UpstreamFailure} with a sentence for a person */
  async abilities(control: SearchControl): Promise<Abilities> {
    const kept = this.#abilities;
    if (kept && Date.now() - kept.at < abilitiesKeptMs) return kept.found;
    const read = await this.#ask("abilities", { t: "caps" }, control);
    if ("refusal" in read) throw refused(read.refusal, this.entry);
    this.#abilities = { found: read.abilities, at: Date.now() };
    return read.abilities;
  }

  /** @throws {UpstreamFailure} with a sentence for a person */
  async items(parameters: Readonly<Record<string, string>>, control: SearchControl): Promise<readonly FeedItem[]> {
    const read = await this.#ask("feed", { t: "search", extended: "1", ...parameters }, control);
    if ("refusal" in read) throw refused(read.refusal, this.entry);
    return read.items;
  }

  /** An address of the feed, made absolute; undefined where it is none of the web. */
  absolute(address: string): string | undefined {
    const base = addressOf(this.entry, {}).href;
    if (!URL.canParse(address, base)) return undefined;
    const url = new URL(address, base);
    return url.protocol === "http:" || url.protocol === "https:" ? url.href : undefined;
  }

  async #ask<Task extends "feed" | "abilities">(
    task: Task,
    parameters: Readonly<Record<string, string>>,
    control: SearchControl,
  ): Promise<ParsingTasks[Task]["output"]> {
    const bytes = await this.#bytes(addressOf(this.entry, parameters), control);
    try {
      return await this.thread.run(task, bytes, control.signal);
    } catch (fault) {
      control.signal.throwIfAborted();
      const reason = isLongboxError(fault) ? fault.message : "The answer cannot be read.";
      throw new UpstreamFailure("source-torrent/not-torznab", withoutKey(reason, this.entry.apiKey), undefined, {
        cause: fault,
      });
    }
  }

  async #bytes(url: URL, { signal, urgency }: SearchControl): Promise<Uint8Array> {
    const answer = await this.context.host(url, { atOnce: 2 }).fetch(url, {
      signal,
      urgency,
      maxBytes: mostBytes,
      timeoutMs: patienceMs,
      headers: { accept: "application/rss+xml, application/xml;q=0.9, */*;q=0.1" },
    });
    if (answer.ok) return new Uint8Array(await answer.arrayBuffer());
    await answer.body?.cancel();
    throw failureOf(answer);
  }
}

/** The address of one request: parameters of the configured address stay. */
export function addressOf(entry: IndexerEntry, parameters: Readonly<Record<string, string>>): URL {
  const url = new URL(entry.url);
  if (!/\/api\/?$/u.test(url.pathname)) url.pathname = `${url.pathname.replace(/\/+$/u, "")}/api`;
  if (entry.apiKey !== "") url.searchParams.set("apikey", entry.apiKey);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

/** What an answer that is no success means. */
export function failureOf(answer: Answer): UpstreamFailure {
  const wait = retryAfterSeconds(answer.headers.get("retry-after"));
  const { status } = answer;
  if (status === 401 || status === 403)
    return new UpstreamFailure("source-torrent/not-allowed", "The indexer refuses the API key. Check it.");
  if (status === 404)
    return new UpstreamFailure("source-torrent/no-answer", "There is no Torznab feed at this address. Check it.");
  if (status === 429)
    return new UpstreamFailure(
      "source-torrent/too-many-requests",
      "The indexer allows no more requests for now.",
      undefined,
      { retryAfterSeconds: wait ?? 60 },
    );
  return new UpstreamFailure("source-torrent/no-answer", `The indexer answers ${status}. Try again later.`, undefined, {
    ...(wait !== undefined && { retryAfterSeconds: wait }),
  });
}

/** What an `<error>` of Torznab means. */
function refused({ code, description }: Refusal, { apiKey }: IndexerEntry): UpstreamFailure {
  const said = withoutKey(description, apiKey).trim();
  const words = said === "" ? `Error ${code}.` : `It says: ${said} (${code}).`;
  if (code >= 100 && code < 200)
    return new UpstreamFailure("source-torrent/not-allowed", `The indexer refuses the account or API key. ${words}`);
  if (code === 500 || code === 501)
    return new UpstreamFailure(
      "source-torrent/too-many-requests",
      `The requests of this account are used up. ${words}`,
      undefined,
      { retryAfterSeconds: spentSeconds },
    );
  return new UpstreamFailure("source-torrent/no-answer", `The indexer could not search. ${words}`);
}
