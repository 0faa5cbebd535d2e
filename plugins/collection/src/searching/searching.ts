import type { Contributions, Logger, Viewer } from "@longbox/sdk";
import { within } from "@longbox/sdk/light";
import type { OwnSearch } from "./own-search.js";
import type { SearchHit, SearchProvider, SearchQuestion } from "./search-contract.js";
import { readSearch } from "./search-index.js";
import { wordsOfTitle } from "./title-score.js";

/** A plugin that needs longer is left out of the answer. */
const longestMs = 3000;

export interface SearchOutcome {
  /** The best first. */
  readonly items: readonly SearchHit[];
  /** Whether some plugin did not answer, so that something may be missing. */
  readonly partial: boolean;
}

interface NamedProvider {
  readonly plugin: string;
  readonly provider: SearchProvider;
}

export interface SearchingParts {
  readonly providers: Contributions<SearchProvider>;
  readonly own: OwnSearch;
  readonly log: Logger;
}

/** Asks every plugin that finds something, and the collection itself where no plugin knows it better. */
export class Searching {
  constructor(private readonly parts: SearchingParts) {}

  async find(text: string, limit: number, viewer: Viewer): Promise<SearchOutcome> {
    const question = readQuestion(text, limit);
    if (question.words.length === 0)
      return { items: bestOf(await this.parts.own.numbered(question, viewer), limit), partial: false };
    const answers = await Promise.all(
      this.parts.providers
        .entries()
        .map(({ plugin, contribution }) => this.#ask({ plugin, provider: contribution }, question, viewer)),
    );
    const isLibraryFound = answers.some(({ provider, hits }) => provider.findsLibrary && hits !== undefined);
    const hits = answers.flatMap((answer) => answer.hits ?? []);
    hits.push(...(await this.#own(question, { hits, isLibraryFound }, viewer)));
    return { items: bestOf(hits, limit), partial: answers.some(({ hasFailed }) => hasFailed) };
  }

  /** Other titles and creators of series are in the full-text index alone, which is asked when no series was found. */
  async #own(
    question: SearchQuestion,
    { hits, isLibraryFound }: { readonly hits: readonly SearchHit[]; readonly isLibraryFound: boolean },
    viewer: Viewer,
  ): Promise<SearchHit[]> {
    const { own } = this.parts;
    if (isLibraryFound && hits.some(({ group }) => group.id === "series")) return [];
    const series = await own.series(question, viewer);
    return isLibraryFound ? series : [...series, ...(await own.issues(question, series, viewer))];
  }

  async #ask({ plugin, provider }: NamedProvider, question: SearchQuestion, viewer: Viewer) {
    try {
      const failure = () => new Error(`The search of the plugin ${plugin} took longer than ${longestMs} ms.`);
      const hits = await within(provider.search(question, viewer), { limitMs: longestMs, failure });
      return { provider, hits, hasFailed: false };
    } catch (fault) {
      this.parts.log.warn("A plugin could not search.", { plugin, error: fault });
      return { provider, hits: undefined, hasFailed: true };
    }
  }
}

export function readQuestion(text: string, limit: number): SearchQuestion {
  const { words, numbers } = readSearch(text);
  return { text, words: wordsOfTitle(words), number: numbers[0], limit };
}

/** The best of each group, each page once. */
function bestOf(hits: readonly SearchHit[], limit: number): SearchHit[] {
  const counts = new Map<string, number>();
  const pages = new Set<string>();
  return hits
    .toSorted((one, other) => other.score - one.score)
    .filter(({ group, href }) => {
      const count = counts.get(group.id) ?? 0;
      if (count >= limit || pages.has(href)) return false;
      counts.set(group.id, count + 1);
      pages.add(href);
      return true;
    });
}
