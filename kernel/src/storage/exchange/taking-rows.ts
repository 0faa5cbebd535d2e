import type { Logger } from "@longbox/sdk";
import { toBoundValue } from "../engines/bound-values.js";
import type { PooledConnection } from "../postgres/session.js";
import type { Engine } from "../sqlite/engine.js";
import { names, quoted, type ColumnShape, type TableShape } from "./table-shape.js";

/** Rows that are held in memory at once. */
const batchRows = 500;
const toldEveryMs = 5_000;
const arrayOf: Readonly<Record<ColumnShape["type"], string>> = {
  integer: "bigint[]",
  real: "double precision[]",
  text: "text[]",
  bytes: "bytea[]",
};

/** Copies the rows of tables from SQLite into tables of PostgreSQL that are there and empty. */
export class RowTaking {
  readonly #connection: PooledConnection;
  readonly #engine: Engine;
  readonly #log: Logger;
  #toldAtMs = performance.now();

  constructor(connection: PooledConnection, engine: Engine, log: Logger) {
    this.#connection = connection;
    this.#engine = engine;
    this.#log = log;
  }

  /** Each batch is awaited, so that the event loop goes on in between. */
  async take(table: TableShape): Promise<void> {
    const columns = table.columns.map(({ name }) => name);
    const insert = insertOf(table);
    let [batch, taken] = [emptyBatch(columns), 0];
    for (const row of this.#engine.iterate(`select ${names(columns)} from ${quoted(table.name)}`, [])) {
      columns.forEach((column, index) => batch[index]?.push(toBoundValue((row as Row)[column])));
      taken += 1;
      if (taken % batchRows > 0) continue;
      await this.#connection.query(insert, batch);
      batch = emptyBatch(columns);
      this.#tell(table, taken);
    }
    if (taken % batchRows > 0) await this.#connection.query(insert, batch);
  }

  #tell({ name }: TableShape, taken: number): void {
    const nowMs = performance.now();
    if (nowMs - this.#toldAtMs < toldEveryMs) return;
    this.#toldAtMs = nowMs;
    const [counted] = this.#engine.run(`select count(*) as rows from ${quoted(name)}`, []).rows as { rows: number }[];
    this.#log.info("Rows are copied into PostgreSQL.", { table: name, rows: taken, of: counted?.rows });
  }
}

type Row = Readonly<Record<string, unknown>>;

const emptyBatch = (columns: readonly string[]): unknown[][] => columns.map(() => []);

/** A statement with one parameter for each column, whatever the number of rows: PostgreSQL reads it quickly. */
function insertOf({ name, columns }: TableShape): string {
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${arrayOf[type]}`);
  const list = names(columns.map((column) => column.name));
  return `insert into ${quoted(name)} (${list}) select * from unnest(${arrays.join(", ")})`;
}
