// What the tables of a database hold, in figures that are the same on every engine.
import { createHash } from "node:crypto";
import type { Kysely } from "kysely";
import { toBoundValue } from "../engines/bound-values.js";
import { SqliteEngine } from "../sqlite/sqlite-engine.js";
import { sqliteTables } from "./sqlite-tables.js";
import { isExchanged, names, quoted } from "./table-shape.js";

export interface TableDigest {
  readonly rows: number;
  /** Over all values of all rows, in whatever order the rows come. */
  readonly checksum: string;
}
export type TableDigests = ReadonlyMap<string, TableDigest>;

type Row = Readonly<Record<string, unknown>>;

const rowsAtOnce = 500;
const modulus = 1n << 128n;

/** The tables of a file of SQLite that nothing writes to. */
export async function digestFile(path: string): Promise<TableDigests> {
  const engine = new SqliteEngine(path, { readOnly: true });
  try {
    const digests = new Map<string, TableDigest>();
    for (const { name, columns } of sqliteTables(engine)) {
      const list = names(columns.map((column) => column.name));
      const rows = engine.iterate(`select ${list} from ${quoted(name)}`, []) as Iterable<Row>;
      digests.set(name, await digestRows(rows));
    }
    return digests;
  } finally {
    engine.close();
  }
}

/** The tables of an open database, on any engine. */
export async function digestDatabase(database: Kysely<any>): Promise<TableDigests> {
  const digests = new Map<string, TableDigest>();
  for (const { name } of await database.introspection.getTables())
    if (isExchanged(name))
      digests.set(name, await digestRows(database.selectFrom(name).selectAll().stream(rowsAtOnce)));
  return digests;
}

/** The first table that is not the same; undefined when all are. */
export function findDifference(one: TableDigests, other: TableDigests): string | undefined {
  return [...new Set([...one.keys(), ...other.keys()])].find((table) => {
    const [before, after] = [one.get(table), other.get(table)];
    return before?.rows !== after?.rows || before?.checksum !== after?.checksum;
  });
}

async function digestRows(rows: Iterable<Row> | AsyncIterable<Row>): Promise<TableDigest> {
  let count = 0;
  let sum = 0n;
  for await (const row of rows) {
    count += 1;
    sum = (sum + numberOf(row)) % modulus;
  }
  return { rows: count, checksum: sum.toString(16).padStart(32, "0") };
}

/** Columns are taken by their names, since a table may list them in another order. */
function numberOf(row: Row): bigint {
  const values = Object.keys(row)
    .sort()
    .map((name) => [name, plain(row[name])]);
  const digest = createHash("sha256").update(JSON.stringify(values)).digest("hex");
  return BigInt(`0x${digest.slice(0, 32)}`);
}

function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString("base64") };
  return typeof value === "bigint" ? Number(value) : toBoundValue(value);
}
