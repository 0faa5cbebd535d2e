import { CompiledQuery, type Compilable, type DialectAdapter, type Kysely } from "kysely";

/**
 * How many rows one statement inserts. With few sizes, the statements stay few: building and preparing one for each
 * number of rows takes longer than inserting the rows.
 */
const sizes = [125, 25, 5, 1] as const;

/** The statement for so many rows. */
export type InsertBuilder<Tables, Row> = (database: Kysely<Tables>, rows: readonly Row[]) => Compilable;

/**
 * An insert of many rows, whose statements are built once for each Kysely and then only given other values. Every row
 * has the same columns in the same order, and the statement has no values except those of the rows. What is undefined
 * is stored as null.
 * @returns inserts rows, and answers with the rows that the statement returns
 * @example const insertItems = rowsInsert<Tables, ItemTable>((database, rows) =>
 *   database.insertInto("item").values(rows));
 */
export function rowsInsert<Tables, Row extends object, Returned = never>(
  build: InsertBuilder<Tables, Row>,
): (database: Kysely<Tables>, rows: readonly Row[]) => Promise<Returned[]> {
  const statements = new WeakMap<DialectAdapter, Map<string, string>>();
  return async (database, rows) => {
    const { adapter } = database.getExecutor();
    const built = statements.get(adapter) ?? new Map<string, string>();
    statements.set(adapter, built);
    const returned: Returned[] = [];
    for (const part of parts(rows)) {
      const columns = Object.keys(part[0]!) as (keyof Row & string)[];
      const key = `${part.length} ${columns.join()}`;
      const sql = built.get(key) ?? compile(build(database, part.map(complete)), part.length * columns.length);
      built.set(key, sql);
      const values = part.flatMap((row) => columns.map((column) => row[column]));
      returned.push(...(await database.executeQuery<Returned>(CompiledQuery.raw(sql, values))).rows);
    }
    return returned;
  };
}

function* parts<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let at = 0; at < rows.length;) {
    const size = sizes.find((one) => one <= rows.length - at)!;
    yield rows.slice(at, (at += size));
  }
}

/** The query builder leaves out a column without a value, and later rows of the same statement may have one. */
function complete<Row extends object>(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, value ?? null])) as Row;
}

function compile(statement: Compilable, values: number): string {
  const { sql, parameters } = statement.compile();
  if (parameters.length !== values)
    throw new TypeError(`The insert has ${parameters.length} values, and its rows have ${values}.`);
  return sql;
}
