import type { CollectionContract } from "@longbox/collection/contract";
import type { Releasable } from "@longbox/sdk";

/** A player asks for many ranges of few books. */
const mostRemembered = 100;
/**
 * Longer than the pauses between the requests of a player that begins; a change that nothing reports counts after that.
 */
const longestMs = 10_000;

/** The files of books that were asked for just now, until something changes in the collection. */
export class RememberedFiles<T> {
  readonly #known = new Map<number, { readonly files: T; readonly since: number }>();
  /** Counts the changes, so that what was read before one is not remembered after it. */
  #changes = 0;

  constructor(private readonly find: (issueId: number) => Promise<T | undefined>) {}

  follow(library: Pick<CollectionContract, "onSeriesChanged" | "onIssuesMerged">): Releasable[] {
    const forget = () => {
      this.#known.clear();
      this.#changes += 1;
    };
    return [library.onSeriesChanged(forget), library.onIssuesMerged(forget)];
  }

  async get(issueId: number): Promise<T | undefined> {
    const known = this.#known.get(issueId);
    if (known && performance.now() - known.since < longestMs) return known.files;
    const changes = this.#changes;
    const files = await this.find(issueId);
    if (files && changes === this.#changes) this.#remember(issueId, files);
    return files;
  }

  #remember(issueId: number, files: T): void {
    this.#known.delete(issueId);
    this.#known.set(issueId, { files, since: performance.now() });
    if (this.#known.size > mostRemembered) this.#known.delete(this.#known.keys().next().value!);
  }
}
