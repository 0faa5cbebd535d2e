import { copyFile, mkdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Kysely, sql } from "kysely";
import type { ReadableDatabase, TurnSource } from "../engines/driver.js";
import { syncPath } from "../documents/durable-file.js";
import { EngineDialect } from "../sqlite/engine-dialect.js";
import { RemoteTurn, type EngineTurn } from "../sqlite/engine-turn.js";
import { StatementProcess, type StatementLimits } from "../sqlite/confined/statement-process.js";
import type { Refusals } from "../refusals.js";
import { StorageClosed } from "../storage-closed.js";
import { translateStorageFault } from "../storage-fault.js";
import { Turnstile } from "../turnstile.js";
import type { IndexOptions, OpenIndex } from "./memory-index.js";

export interface ConfinedIndexParts {
  readonly refusals: Refusals;
  readonly limits: StatementLimits;
  /** What is ended with the storage. */
  readonly reads: ReadableDatabase["reads"];
}

/**
 * The index of an isolated plugin. It is a file of its own process, not memory of the server: a copy of the snapshot,
 * which only becomes the next snapshot when it is saved.
 */
export async function openConfinedIndex<Tables>(
  path: string,
  options: IndexOptions<Tables>,
  parts: ConfinedIndexParts,
): Promise<OpenIndex<Tables>> {
  const index = new ConfinedIndex<Tables>(path, options, parts);
  await index.open();
  return index;
}

class ConfinedIndex<Tables> implements OpenIndex<Tables>, TurnSource<EngineTurn> {
  readonly database: Kysely<Tables>;
  readonly #path: string;
  readonly #used: string;
  readonly #options: IndexOptions<Tables>;
  readonly #refusals: Refusals;
  readonly #engine: StatementProcess;
  readonly #turnstile = new Turnstile();
  #restored = false;
  #closed = false;

  constructor(path: string, options: IndexOptions<Tables>, { refusals, limits, reads }: ConfinedIndexParts) {
    this.#path = path;
    this.#used = `${path}.used`;
    this.#options = options;
    this.#refusals = refusals;
    this.#engine = new StatementProcess(this.#used, "writes", limits);
    reads.add({ end: () => this.#engine.end(new StorageClosed()) });
    this.database = new Kysely<Tables>({ dialect: new EngineDialect(this) });
  }

  get restored(): boolean {
    return this.#restored;
  }

  async open(): Promise<void> {
    await this.#removeUsed();
    await mkdir(dirname(this.#path), { recursive: true });
    const isThere = await copyFile(this.#path, this.#used).then(
      () => true,
      () => false,
    );
    this.#restored = isThere && (await this.#hasVersion());
    if (!this.#restored) await this.rebuild();
  }

  async rebuild(): Promise<void> {
    const free = await this.#turnstile.enter();
    try {
      if (this.#closed) this.#refusals.refuse();
      await this.#engine.close();
      await this.#removeUsed();
    } finally {
      free();
    }
    await sql`create table longbox_snapshot (version text not null)`.execute(this.database);
    await sql`insert into longbox_snapshot values (${this.#options.version})`.execute(this.database);
    await this.#options.build(this.database);
  }

  async save(): Promise<void> {
    const saved = `${this.#path}.new`;
    const turn = await this.acquire();
    try {
      await rm(saved, { force: true });
      await turn.engine.run("vacuum into ?", [saved]);
      await syncPath(saved);
      await rename(saved, this.#path);
      await syncPath(dirname(this.#path));
    } catch (fault) {
      throw translateStorageFault(fault, this.#path);
    } finally {
      turn.free();
    }
  }

  async acquire(): Promise<EngineTurn> {
    const free = await this.#turnstile.enter();
    if (!this.#closed) return new RemoteTurn(this.#engine, { wrote: () => undefined, ended: free });
    free();
    return this.#refusals.refuse();
  }

  translate(fault: unknown): unknown {
    return fault;
  }

  /** A statement that is under way is ended: it may never end by itself. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#engine.close();
    const free = await this.#turnstile.enter();
    await this.#removeUsed();
    free();
  }

  async #removeUsed(): Promise<void> {
    for (const ending of ["", "-wal", "-shm"]) await rm(this.#used + ending, { force: true });
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
