import { closingOf } from "@longbox/kernel/portable-sql";
import { lineOf, withoutComments, type Source } from "./sources.js";

/** The columns of a plugin that may hold null in every table that has them, by the plugin's folder. */
export type NullableColumns = ReadonlyMap<string, ReadonlySet<string>>;

const column = /^\s+(?:readonly )?([a-z][a-z0-9_]*):\s*([^;]+);/gm;

/** Reads the row types: interfaces whose fields are columns. A name that is never null somewhere is left out. */
export function nullableColumns(sources: readonly Source[]): NullableColumns {
  const byPlace = new Map<string, Set<string>>();
  const never = new Map<string, Set<string>>();
  for (const source of sources) {
    if (!/\bTables\b/.test(source.text)) continue;
    for (const [, name = "", type = ""] of source.text.matchAll(column)) {
      const names = /\bnull\b/.test(type) ? byPlace : never;
      names.set(placeOf(source), (names.get(placeOf(source)) ?? new Set()).add(name));
    }
  }
  return new Map(
    [...byPlace].map(([place, names]) => [place, new Set([...names].filter((name) => !never.get(place)?.has(name)))]),
  );
}

/** Orders by a column that may be null, which do not say where nulls go: SQLite puts them first, PostgreSQL last. */
export function ordersWithoutNulls(source: Source, columns: NullableColumns): string[] {
  const nullable = columns.get(placeOf(source));
  if (!nullable) return [];
  const code = withoutComments(source.text);
  return [...code.matchAll(/\.orderBy\(/g)].flatMap(({ index }) => {
    const order = code.slice(index, closingOf(code, index) + 1);
    const name = /^\.orderBy\(\s*"(?:[a-z_]+\.)?([a-z0-9_]+)"/.exec(order)?.[1];
    if (name === undefined || !nullable.has(name) || /nulls(?:First|Last)/.test(order)) return [];
    return [
      `${source.path}:${lineOf(code, index)} orders by "${name}", which may be null: say nullsFirst or nullsLast.`,
    ];
  });
}

function placeOf({ path }: Source): string {
  return path.startsWith("kernel/") ? "kernel" : path.split("/").slice(0, 2).join("/");
}
