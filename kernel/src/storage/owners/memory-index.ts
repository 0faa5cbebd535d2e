import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { Kysely, sql } from "kysely";
import type { MemoryIndex } from "@longbox/sdk";
import { writeDurably } from "../documents/durable-file.js";
import type { TurnSource } from "../engines/driver.js";
import { EngineDialect } from "../sqlite/engine-dialect.js";
import type { EngineTurn } from "../sqlite/engine-turn.js";
import { SqlJsEngine } from "../sqlite/sqljs-engine.js";
import type { Refusals } from "../refusals.js";
import { translateStorageFault } from "../storage-fault.js";
import { Turnstile } from "../turnstile.js";

export interface IndexOptions<Tables> {
  version: string;
  build: (database: Kysely<Tables>) => Promise<void>;
}

/** An index that is open; releasing it gives its memory back. */
export interface OpenIndex<Tables> extends MemoryIndex<Tables> {
  close(): Promise<void>;
}

/** Opens an index from its snapshot at `path`, or builds it when there is none of this version. */
export async function openMemoryIndex<Tables>(
  path: string,
  options: IndexOptions<Tables>,
  refusals: Refusals,
): Promise<OpenIndex<Tables>> {
  const index = new SnapshotIndex<Tables>(path, options, refusals);
  await index.open();
  return index;
}

class SnapshotIndex<Tables> implements OpenIndex<Tables>, TurnSource<EngineTurn> {
  readonly #path: string;
  readonly #options: IndexOptions<Tables>;
  readonly #turnstile = new Turnstile();
  readonly #refusals: Refusals;
  readonly database: Kysely<Tables>;
  #engine: SqlJsEngine | undefined;
  #restored = false;
  #closed = false;

  constructor(path: string, options: IndexOptions<Tables>, refusals: Refusals) {
    this.#path = path;
    this.#refusals = refusals;
    this.#options = options;
    this.database = new Kysely<Tables>({ dialect: new EngineDialect(this) });
  }

  get restored(): boolean {
    return this.#restored;
  }

  async open(): Promise<void> {
    const snapshot = await readFile(this.#path).catch(() => undefined);
    if (snapshot) {
      this.#engine = await SqlJsEngine.open(snapshot);
      this.#restored = await this.#hasVersion();
    }
    if (!this.#restored) await this.rebuild();
  }

  async rebuild(): Promise<void> {
    const fresh = await SqlJsEngine.open();
    const free = await this.#turnstile.enter();
    if (this.#closed) {
      free();
      fresh.close();
      this.#refusals.refuse();
    }
    this.#engine?.close();
    this.#engine = fresh;
    free();
    await sql`create table longbox_snapshot (version text not null)`.execute(this.database);
    await sql`insert into longbox_snapshot values (${this.#options.version})`.execute(this.database);
    await this.#options.build(this.database);
  }

  async save(): Promise<void> {
    const turn = await this.acquire();
    const bytes = (() => {
      try {
        return (turn.engine as SqlJsEngine).export();
      } finally {
        turn.free();
      }
    })();
    try {
      await mkdir(dirname(this.#path), { recursive: true });
      await writeDurably(this.#path, bytes);
    } catch (fault) {
      throw translateStorageFault(fault, this.#path);
    }
  }

  async acquire(): Promise<EngineTurn> {
    const free = await this.#turnstile.enter();
    if (this.#engine) return { engine: this.#engine, wrote() {}, free };
    free();
    return this.#refusals.refuse();
  }

  translate(fault: unknown): unknown {
    return fault;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const free = await this.#turnstile.enter();
    this.#engine?.close();
    this.#engine = undefined;
    free();
  }

  /** A snapshot that is damaged or of another version is ignored. */
  async #hasVersion(): Promise<boolean> {
    try {
      const found = await sql<{ version: string }>`select version from longbox_snapshot`.execute(this.database);
      return found.rows[0]?.version === this.#options.version;
    } catch {
      return false;
    }
  }
}
