// What the tables of a database hold, in figures that are the same on every engine.
import { hash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
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
      const digest = new RunningDigest();
      const list = names(columns.map((column) => column.name));
      for (const row of engine.iterate(`select ${list} from ${quoted(name)}`, []) as Iterable<Row>) {
        // SQLite answers at once, so that others get their turn only here.
        if (digest.add(row) % rowsAtOnce === 0) await setImmediate();
      }
      digests.set(name, digest.value);
    }
    return digests;
  } finally {
    engine.close();
  }
}

/** The tables of an open database, on any engine. */
export async function digestDatabase(database: Kysely<any>): Promise<TableDigests> {
  const digests = new Map<string, TableDigest>();
  for (const { name } of await database.introspection.getTables()) {
    if (!isExchanged(name)) continue;
    const digest = new RunningDigest();
    for await (const row of database.selectFrom(name).selectAll().stream(rowsAtOnce)) digest.add(row);
    digests.set(name, digest.value);
  }
  return digests;
}

/** The first table that is not the same; undefined when all are. */
export function findDifference(one: TableDigests, other: TableDigests): string | undefined {
  return [...new Set([...one.keys(), ...other.keys()])].find((table) => {
    const [before, after] = [one.get(table), other.get(table)];
    return before?.rows !== after?.rows || before?.checksum !== after?.checksum;
  });
}

class RunningDigest {
  #columns: readonly string[] | undefined;
  #rows = 0;
  #sum = 0n;

  /** @returns how many there are so far */
  add(row: Row): number {
    // Columns are taken by their names, since a table may list them in another order.
    this.#columns ??= Object.keys(row).sort();
    this.#rows += 1;
    const values = this.#columns.map((name) => [name, plain(row[name])]);
    this.#sum = (this.#sum + BigInt(`0x${hash("sha256", JSON.stringify(values)).slice(0, 32)}`)) % modulus;
    return this.#rows;
  }

  get value(): TableDigest {
    return { rows: this.#rows, checksum: this.#sum.toString(16).padStart(32, "0") };
  }
}

function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString("base64") };
  return typeof value === "bigint" ? Number(value) : toBoundValue(value);
}
