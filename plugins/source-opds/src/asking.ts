import type { Resting, SearchControl } from "@longbox/downloads/contract";
import { isLongboxError, UpstreamFailure, type PluginContext, type TaskThread } from "@longbox/sdk";
import type { Feed, ReadingTasks } from "./reading/feed.js";
import type { CatalogEntry } from "./settings.js";

const feedBytes = 4 * 1024 * 1024;
const accept = "application/opds+json;q=0.9, application/atom+xml;profile=opds-catalog, */*;q=0.1";

/** Asks one catalog. Its name and password go to its own origin and nowhere else. */
export class Asking {
  constructor(
    private readonly context: Pick<PluginContext, "host">,
    private readonly thread: TaskThread<ReadingTasks>,
    readonly entry: CatalogEntry,
  ) {}

  isOwn(url: string): boolean {
    return URL.canParse(url) && URL.canParse(this.entry.url) && new URL(url).origin === new URL(this.entry.url).origin;
  }

  headersFor(url: string): Record<string, string> {
    const { username, password } = this.entry;
    if (username === "" || !this.isOwn(url)) return {};
    return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
  }

  async resting(): Promise<Resting | undefined> {
    return URL.canParse(this.entry.url) ? this.context.host(this.entry.url).state().resting : undefined;
  }

  /** @throws {UpstreamFailure} with a sentence for a person */
  async feed(url: string, control: SearchControl): Promise<Feed> {
    return this.#read("feed", await this.#bytes(url, control), control);
  }

  async description(url: string, control: SearchControl): Promise<string> {
    return this.#read("description", await this.#bytes(url, control), control);
  }

  async #read<Task extends "feed" | "description">(task: Task, bytes: Uint8Array, { signal }: SearchControl) {
    try {
      return await this.thread.run(task, bytes, signal);
    } catch (fault) {
      signal.throwIfAborted();
      const reason = isLongboxError(fault) ? fault.message : "It cannot be read.";
      throw new UpstreamFailure("source-opds/not-a-catalog", reason, undefined, { cause: fault });
    }
  }

  async #bytes(url: string, { signal, urgency }: SearchControl): Promise<Uint8Array> {
    const answer = await this.context.host(url).fetch(url, {
      signal,
      urgency,
      maxBytes: feedBytes,
      timeoutMs: 20_000,
      headers: { accept, ...this.headersFor(url) },
      ...(!this.isOwn(url) && { publicOnly: true }),
    });
    if (answer.ok) return new Uint8Array(await answer.arrayBuffer());
    await answer.body?.cancel();
    if (answer.status === 401 || answer.status === 403)
      throw new UpstreamFailure("source-opds/not-allowed", "The catalog rejected the user name or password.");
    throw new UpstreamFailure("source-opds/no-answer", `The catalog answered ${answer.status}.`);
  }
}
