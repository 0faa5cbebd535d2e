import { unportableIn } from "@longbox/kernel/portable-sql";
import type { Check } from "./check.js";
import { nullableColumns, ordersWithoutNulls } from "./null-order.js";
import { lineOf, readSources, type Source } from "./sources.js";

/**
 * Steps that were released before a rule, and are known to mean the same on both engines: their text must not change.
 */
const released: Readonly<Record<string, string>> = {
  // The count is at most 20 for each issue of a series.
  "plugins/collection/src/migrations/0005-number-gaps.ts": "as integer)",
};

/** In the kernel without the engines themselves, and without what knows their words. */
const looked = /^(?:(?:plugins|examples)\/[^/]+\/src\/|kernel\/src\/(?!storage\/|plugins\/examining\/sql\/))/;

/** SQL that only one storage engine takes, in plugins, examples and the kernel's own tables. */
export const portableSqlCheck: Check = {
  name: "portable SQL",
  async find(root) {
    const sources = await readSources(root, ["plugins", "examples", "kernel/src"], /\.ts$/);
    const product = sources.filter(({ path }) => looked.test(path));
    const nullable = nullableColumns(product);
    return product
      .filter(({ text }) => /\bkysely\b|\b(?:raw)?[mM]igration\b|\.selectFrom\(/.test(text))
      .flatMap((source) => [...unportable(source), ...ordersWithoutNulls(source, nullable)]);
  },
};

function unportable({ path, text }: Source): string[] {
  return unportableIn(text, true)
    .filter(({ found }) => found !== released[path])
    .map(({ index, found, because }) => `${path}:${lineOf(text, index)} has "${found}" in SQL: ${because}.`);
}
