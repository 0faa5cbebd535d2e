import { sql, type RawBuilder } from "kysely";

/**
 * For `doUpdateSet`: each of these columns takes the value of the row that could not be inserted.
 * @example conflict.column("path").doUpdateSet(excluded(["size_bytes", "modified_ms"]))
 */
export function excluded<Name extends string>(columns: readonly Name[]): Record<Name, RawBuilder<never>> {
  const set = Object.fromEntries(columns.map((column) => [column, sql.ref<never>(`excluded.${column}`)]));
  return set as Record<Name, RawBuilder<never>>;
}
