import type { Kysely } from "kysely";
import type { EngineName, FileCache, MemoryIndex } from "@longbox/sdk";
import { z } from "zod";
import { engineOf, searchSyntaxOf, type SearchSyntax } from "../../../storage/queries/engines-of.js";
import { HeldTurns, type TurnCommand } from "../../../storage/queries/held-turns.js";
import { runText, streamText, type QueryText } from "../../../storage/queries/running-queries.js";
import type { OpenStorage } from "../../../storage/storing.js";
import type { ToldQuery, ToldRows, ToldStream } from "../agreement.js";
import type { Doors } from "../wire/channel.js";
import { requireOwnStatement } from "./query-rules.js";

type Build = (source: string) => Promise<void>;

const textOf = ({ sql: text, parameters, isRead }: ToldQuery): QueryText => ({ text, parameters, isRead });

/** The storage of an isolated plugin: the kernel runs its queries and keeps its documents. */
export class StorageBridge {
  readonly #storage: OpenStorage;
  readonly #turns = new HeldTurns();
  readonly #indexes = new Map<string, Kysely<any>>();
  #next = 1;

  constructor(storage: OpenStorage) {
    this.#storage = storage;
    storage.confine();
  }

  get engine(): EngineName {
    return engineOf(this.#storage.database());
  }

  readonly doors: Doors = {
    query: (query: ToldQuery, signal?: AbortSignal) => this.#query(query, signal),
    stream: async (query: ToldQuery, chunkSize: number) => this.#stream(query, chunkSize),
    begin: (source: string) => this.#turns.begin(this.#database(source)),
    command: (turn: number, command: TurnCommand, savepoint?: string) => this.#turns.command(turn, command, savepoint),
    fullText: (name: string, columns: readonly string[]) => this.#fullText(name, columns),
    index: (name: string, version: string, build: Build) => this.#index(name, version, build),
    document: (name: string) => this.#document(name),
    cache: (name: string, maxBytes: number) => this.#cache(name, maxBytes),
  };

  /** Ends the statements and transactions that are under way, without what they did. */
  async release(): Promise<void> {
    this.#storage.revokeTurns();
    await this.#turns.release();
  }

  async #query(query: ToldQuery, signal: AbortSignal | undefined): Promise<ToldRows> {
    const { rows, numAffectedRows, insertId } = await runText(this.#queried(query), textOf(query), signal);
    return { rows, numAffectedRows, insertId, dataVersion: this.#storage.dataVersion() };
  }

  #stream(query: ToldQuery, chunkSize: number): ToldStream {
    const given = new AbortController();
    const { signal } = given;
    const pieces = streamText(this.#queried(query), textOf(query), { chunkSize, signal });
    return { pieces, cancel: async () => given.abort() };
  }

  /** Where a query is to run. @throws {LongboxError} `kernel/statement-refused` */
  #queried({ source, turn, sql: text }: ToldQuery): Kysely<any> {
    const database = turn === undefined ? this.#database(source) : this.#turns.get(turn);
    requireOwnStatement(text, engineOf(database));
    return database;
  }

  #database(source: string): Kysely<any> {
    if (source === "database") return this.#storage.database();
    if (source === "reader") return this.#storage.reader();
    const index = this.#indexes.get(source);
    if (!index) throw new Error(`There is no database "${source}".`);
    return index;
  }

  /** The engine makes it; the process has to know how the engine searches. */
  async #fullText(name: string, columns: readonly string[]): Promise<{ empty: boolean; syntax: SearchSyntax }> {
    const { empty } = await this.#storage.fullText(name, columns);
    return { empty, syntax: await searchSyntaxOf(this.#storage.database(), name) };
  }

  async #index(name: string, version: string, build: Build) {
    const fill = async (database: Kysely<any>) => {
      const source = this.#keep(database);
      try {
        await build(source);
      } finally {
        this.#indexes.delete(source);
      }
    };
    const index: MemoryIndex<any> = await this.#storage.index(name, { version, build: fill });
    return {
      source: this.#keep(index.database),
      restored: index.restored,
      save: () => index.save(),
      rebuild: () => index.rebuild(),
    };
  }

  #keep(database: Kysely<any>): string {
    const source = `index ${this.#next}`;
    this.#next += 1;
    this.#indexes.set(source, database);
    return source;
  }

  async #document(name: string) {
    const document = await this.#storage.document(name, z.unknown());
    const text = () => JSON.stringify(document.read());
    return {
      text: text(),
      async replace(former: string | undefined, next: string) {
        let stored = false;
        await document.update((current) => {
          stored = JSON.stringify(current) === former;
          return stored ? (JSON.parse(next) as unknown) : current;
        });
        return { stored, text: text() };
      },
    };
  }

  async #cache(name: string, maxBytes: number) {
    const cache: FileCache = await this.#storage.cache(name, { maxBytes });
    const answer = (path?: string) => ({ path, sizeBytes: cache.sizeBytes() });
    return {
      sizeBytes: cache.sizeBytes(),
      find: async (key: string) => answer(await cache.find(key)),
      put: async (key: string, bytes: Uint8Array) => answer(await cache.fetch(key, async () => bytes)),
      remove: async (key: string) => answer((await cache.remove(key), undefined)),
      clear: async () => answer((await cache.clear(), undefined)),
    };
  }
}
