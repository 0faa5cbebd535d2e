import { inBatches, isAmong, type FullText } from "@longbox/sdk";
import type { CollectionTransaction } from "../tables.js";

export const searchColumns = ["title", "aliases", "publisher", "creators"] as const;

/** Keeps the full-text index of series in step with the tables, inside the transaction that changes them. */
export class SearchIndex {
  readonly #text: FullText;

  constructor(text: FullText) {
    this.#text = text;
  }

  async refresh(transaction: CollectionTransaction, seriesIds: Iterable<number>): Promise<void> {
    for (const ids of inBatches([...new Set(seriesIds)])) {
      const series = await transaction
        .selectFrom("series")
        .select(["id", "title", "aliases", "publisher"])
        .where(isAmong("id", ids))
        .execute();
      const creators = await transaction
        .selectFrom("series_creator")
        .selectAll()
        .where(isAmong("series_id", ids))
        .execute();
      const names = Map.groupBy(creators, (row) => row.series_id);
      const rows = series.map((row) => ({
        id: row.id,
        title: row.title,
        aliases: (JSON.parse(row.aliases) as string[]).join("\n"),
        publisher: row.publisher ?? "",
        creators: (names.get(row.id) ?? []).map((creator) => creator.name).join("\n"),
      }));
      if (rows.length > 0) await this.#text.put(transaction, rows);
    }
  }

  async remove(transaction: CollectionTransaction, seriesIds: readonly number[]): Promise<void> {
    if (seriesIds.length > 0) await this.#text.remove(transaction, seriesIds);
  }

  matches(idColumn: string, words: string) {
    return this.#text.matches(idColumn, words);
  }
}

/** A search text of users: words, and issue numbers such as `#12`. */
export function readSearch(text: string): { words: string; numbers: string[] } {
  const numbers: string[] = [];
  const words = text.replace(/(?:^|\s)#\s*([^\s#]+)/g, (_, number: string) => {
    numbers.push(number);
    return " ";
  });
  return { words: words.replace(/[^\p{L}\p{N}\p{M}]+/gu, " ").trim(), numbers };
}
