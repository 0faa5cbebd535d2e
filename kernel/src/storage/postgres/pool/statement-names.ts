import { LRUCache } from "lru-cache";

/** Texts that are known at once. */
const knownTexts = 1_000;
/** A longer text was made for its values, such as a list of them, and hardly comes again. */
const longestText = 10_000;
/** So many uses show that a text comes again and again. */
const usesBefore = 3;
const isKept = /^\s*(?:select|insert|update|delete|with)\b/i;

interface KnownText {
  readonly name: string;
  uses: number;
}

/**
 * Names for the statements that come again and again: PostgreSQL reads a statement with a name once for each
 * connection, and may keep its plan. On small statements that is most of its work.
 */
export class StatementNames {
  readonly #known = new LRUCache<string, KnownText>({ max: knownTexts });
  readonly #prefix: string;
  #given = 0;

  /** @param prefix - what no other names of the same connections begin with */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /**
   * @param schema - where the statement runs: elsewhere the same text may mean other columns, which a name cannot
   * @returns undefined for a statement that is sent without a name
   */
  find(schema: string, text: string): string | undefined {
    if (text.length > longestText || !isKept.test(text)) return undefined;
    const key = `${schema} ${text}`;
    let known = this.#known.get(key);
    if (!known) {
      this.#given += 1;
      known = { name: `${this.#prefix}_${this.#given}`, uses: 0 };
      this.#known.set(key, known);
    }
    known.uses += 1;
    return known.uses > usesBefore ? known.name : undefined;
  }
}
