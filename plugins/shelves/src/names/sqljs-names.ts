import initSqlJs, { type BindParams, type Database, type SqlJsStatic, type Statement } from "sql.js";

/** One kind of names, such as the authors; stored as a number. */
export interface StoredName {
  readonly id: number;
  /** Folded for comparing and sorting. */
  readonly key: string;
  /** As it was first spelled. */
  readonly label: string;
  /** The first letter of the key, `#` for anything else. */
  readonly letter: string;
}

/**
 * The database is never shared and is built again when it is lost: without locks and journal, a name is added in a
 * tenth of the time.
 */
const pragmas = `
  pragma journal_mode = off; pragma synchronous = off; pragma locking_mode = exclusive; pragma temp_store = memory;
  pragma cache_size = -16000;`;

const tables = `
  create table name (kind integer, id integer, key text, label text, letter text, primary key (kind, id)) without rowid;
  create unique index name_by_key on name (kind, key);
  create index name_by_letter on name (kind, letter, key);`;

const statements = {
  add: "insert into name (kind, id, key, label, letter) values (?, ?, ?, ?, ?)",
  find: "select id from name where kind = ? and key = ?",
  label: "select label from name where kind = ? and id = ?",
  keys: "select key from name where kind = ? order by id",
  size: "select count(*) from name where kind = ?",
  byText: "select id, label from name where kind = ? and instr(key, ?) > 0 order by key",
  byLetter: "select id, label from name where kind = ? and letter = ? and instr(key, ?) > 0 order by key",
} as const;
type StatementName = keyof typeof statements;

let loaded: Promise<SqlJsStatic> | undefined;

/**
 * The names of everything that can be browsed by, in a SQLite database in memory: found by key, by letter and by text.
 */
export class SqlJsNames {
  readonly #database: Database;
  #prepared: Map<StatementName, Statement> = new Map();

  private constructor(database: Database) {
    this.#database = database;
  }

  /** @throws {Error} when the bytes are no database of names */
  static async open(bytes?: Uint8Array): Promise<SqlJsNames> {
    loaded ??= initSqlJs();
    const { Database } = await loaded;
    const names = new SqlJsNames(new Database(bytes));
    names.#database.run(pragmas);
    if (bytes === undefined) names.#database.run(tables);
    else names.count(0);
    return names;
  }

  add(kind: number, { id, key, label, letter }: StoredName): void {
    this.#statement("add").run([kind, id, key, label, letter]);
  }

  find(kind: number, key: string): number | undefined {
    return this.#first("find", [kind, key]) as number | undefined;
  }

  label(kind: number, id: number): string | undefined {
    return this.#first("label", [kind, id]) as string | undefined;
  }

  count(kind: number): number {
    return Number(this.#first("size", [kind]));
  }

  /** The keys of all names of a kind, by id; ids count from 1. */
  keys(kind: number): string[] {
    return [...this.#rows("keys", [kind])].map(([key]) => String(key));
  }

  /** Names whose keys contain the text, by key. */
  search(kind: number, text: string, letter: string | undefined): Array<{ id: number; label: string }> {
    const rows =
      letter === undefined ? this.#rows("byText", [kind, text]) : this.#rows("byLetter", [kind, letter, text]);
    return Array.from(rows, ([id, label]) => ({ id: Number(id), label: String(label) }));
  }

  /** Adds many names in one transaction. */
  together<Result>(work: () => Result): Result {
    this.#database.run("begin");
    try {
      return work();
    } finally {
      this.#database.run("commit");
    }
  }

  /** The database as the bytes of a SQLite file. */
  export(): Uint8Array {
    // Exporting ends every statement.
    this.#prepared = new Map();
    const bytes = this.#database.export();
    this.#database.run(pragmas);
    return bytes;
  }

  close(): void {
    this.#prepared = new Map();
    this.#database.close();
  }

  #first(name: StatementName, parameters: BindParams): unknown {
    const statement = this.#statement(name);
    statement.bind(parameters);
    const value = statement.step() ? statement.get()[0] : undefined;
    statement.reset();
    return value;
  }

  *#rows(name: StatementName, parameters: BindParams): Iterable<readonly unknown[]> {
    const statement = this.#statement(name);
    statement.bind(parameters);
    while (statement.step()) yield statement.get();
    statement.reset();
  }

  #statement(name: StatementName): Statement {
    let statement = this.#prepared.get(name);
    if (!statement) this.#prepared.set(name, (statement = this.#database.prepare(statements[name])));
    return statement;
  }
}
