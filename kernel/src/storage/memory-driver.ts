import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { DatabaseSnapshot, StorageDriver } from "./driver.js";
import { writeDurably } from "./durable-file.js";
import type { Engine, EngineResult } from "./engine.js";
import { fts4 } from "./full-text.js";
import { SqlJsEngine } from "./sqljs-engine.js";

/** The driver for tests, examples and `--ephemeral`: tables in memory, saved to their file only when they are closed. */
export class MemoryDriver implements StorageDriver {
  readonly fullText = fts4;

  async open(path: string): Promise<Engine> {
    const snapshot = await readFile(path).catch(() => undefined);
    return new SnapshotEngine(await SqlJsEngine.open(snapshot?.byteLength ? snapshot : undefined), path);
  }

  async snapshot(engine: Engine): Promise<DatabaseSnapshot> {
    const bytes = (engine as SnapshotEngine).export();
    return { copyTo: (target) => writeDurably(target, bytes), release: async () => undefined };
  }

  reader(): undefined {
    return undefined;
  }

  async forget(): Promise<void> {}

  async release(): Promise<void> {}
}

class SnapshotEngine implements Engine {
  readonly #engine: SqlJsEngine;
  readonly #path: string;

  constructor(engine: SqlJsEngine, path: string) {
    this.#engine = engine;
    this.#path = path;
  }

  get inTransaction(): boolean {
    return this.#engine.inTransaction;
  }

  run(sql: string, parameters: readonly unknown[]): EngineResult {
    return this.#engine.run(sql, parameters);
  }

  iterate(sql: string, parameters: readonly unknown[]): Iterable<unknown> {
    return this.#engine.iterate(sql, parameters);
  }

  export(): Uint8Array {
    return this.#engine.export();
  }

  close(): void {
    writeFileSync(this.#path, this.#engine.export());
    this.#engine.close();
  }
}
