import { join } from "node:path";
import { Kysely, type LogEvent } from "kysely";
import type { FileCache, FullText, Logger, MemoryIndex, Migration, Releasable, StoredDocument } from "@longbox/sdk";
import type { z } from "zod";
import { DatabaseHandle } from "../engines/database-handle.js";
import type { StorageDriver } from "../engines/driver.js";
import { makeFolder } from "../documents/durable-file.js";
import { openDocument } from "../documents/kept-document.js";
import { openConfinedIndex } from "./confined-index.js";
import { openMemoryIndex, type IndexOptions, type OpenIndex } from "./memory-index.js";
import { checkMigrations, migrate, type Migrating } from "../engines/migrating.js";
import { MovableDocument } from "../documents/movable-document.js";
import type { SharedDatabases } from "../engines/shared-databases.js";
import { confinedStatements } from "../sqlite/confined/statement-process.js";
import type { OpenStorage } from "../storing.js";
import { closableCache } from "./closable-cache.js";
import type { TemporaryPlaces } from "./temporary-places.js";
import { Refusals } from "../refusals.js";
import { Turnstile } from "../turnstile.js";

export interface OwnerStorageParts {
  readonly owner: string;
  /** The folder of the state of the data that is opened. */
  readonly folder: string;
  readonly driver: StorageDriver;
  readonly databases: SharedDatabases;
  readonly log: Logger;
  readonly queried: ((owner: string, sql: string, milliseconds: number) => void) | undefined;
  readonly temporary: TemporaryPlaces;
  openCache(name: string, maxBytes: number): Promise<FileCache>;
  released(storage: OwnerStorage): void;
}

/** One opening of an owner's data. */
export class OwnerStorage implements OpenStorage {
  readonly #parts: OwnerStorageParts;
  readonly #handle: DatabaseHandle;
  readonly #database: Kysely<any>;
  readonly #documentTurns = new Turnstile();
  readonly #documents = new Map<string, Promise<MovableDocument<any>>>();
  readonly #indexes = new Map<string, Promise<OpenIndex<any>>>();
  readonly #temporary: Releasable[] = [];
  readonly #refusals = new Refusals();
  #reader: Kysely<any> | undefined;
  #folder: string;
  #released = false;

  private constructor(parts: OwnerStorageParts) {
    this.#parts = parts;
    this.#folder = parts.folder;
    const { driver, databases, owner, folder } = parts;
    this.#handle = new DatabaseHandle(driver, databases, { place: { owner, folder }, refusals: this.#refusals });
    this.#database = new Kysely({ dialect: driver.dialect(this.#handle), ...this.#listening() });
  }

  static async open(parts: OwnerStorageParts): Promise<OwnerStorage> {
    await makeFolder(join(parts.folder, "files"));
    return new OwnerStorage(parts);
  }

  confine(): void {
    this.#handle.confine();
  }

  readApart(): void {
    this.#handle.readApart();
  }

  revokeTurns(): void {
    this.#handle.revokeTurns();
  }

  onRefused(listener: () => void): void {
    this.#refusals.onRefused(listener);
  }

  get folder(): string {
    this.#refuseClosed();
    return join(this.#folder, "files");
  }

  database<Tables>(): Kysely<Tables> {
    return this.#database;
  }

  reader<Tables>(): Kysely<Tables> {
    this.#reader ??= this.#openReader();
    return this.#reader;
  }

  dataVersion(): number {
    return this.#handle.version;
  }

  async fullText(name: string, columns: readonly string[]): Promise<FullText> {
    refuseMisuse(Array.isArray(columns), `fullText("${name}", ["title"])`);
    return this.#parts.driver.openFullText(this.#database, name, columns);
  }

  async index<Tables>(name: string, options: IndexOptions<Tables>): Promise<MemoryIndex<Tables>> {
    this.#refuseClosed();
    refuseMisuse(typeof (options as object | undefined) === "object", `index("${name}", { version, build })`);
    const path = join(this.#folder, "indexes", `${checkedName(name)}.sqlite`);
    const [refusals, { isConfined, reads }] = [this.#refusals, this.#handle];
    const limits = confinedStatements;
    return keep(this.#indexes, name, () =>
      isConfined
        ? openConfinedIndex(path, options, { refusals, limits, reads })
        : openMemoryIndex(path, options, refusals),
    );
  }

  async document<T>(name: string, schema: z.ZodType<T>): Promise<StoredDocument<T>> {
    this.#refuseClosed();
    const isSchema = typeof (schema as Partial<z.ZodType> | undefined)?.safeParse === "function";
    refuseMisuse(isSchema, `document("${name}", z.object({ … }))`);
    return keep(this.#documents, name, async () => {
      const path = await this.#documentPath(name);
      const document = await openDocument(path, schema, this.#parts.log);
      return new MovableDocument(document, schema, { turns: this.#documentTurns, refusals: this.#refusals });
    });
  }

  async cache(name: string, options: { maxBytes: number }): Promise<FileCache> {
    this.#refuseClosed();
    refuseMisuse(typeof (options as object | undefined) === "object", `cache("${name}", { maxBytes })`);
    const cache = await this.#parts.openCache(checkedName(name), options.maxBytes);
    return closableCache(cache, () => this.#refuseClosed());
  }

  async temporaryFolder(): Promise<string> {
    this.#refuseClosed();
    const made = await this.#parts.temporary.make(this.#parts.owner);
    this.#temporary.push(made);
    return made.path;
  }

  migrate(migrations: readonly Migration[]): Promise<number> {
    return migrate(this.#migrating(), migrations);
  }

  checkMigrations(migrations: readonly Migration[]): Promise<void> {
    return checkMigrations(this.#migrating(), migrations);
  }

  #migrating(): Migrating {
    return { owner: this.#parts.owner, database: this.#database, rules: this.#parts.driver.migrationRules };
  }

  /** Makes changes of documents wait until the given function is called. */
  holdDocuments(waitLimitMs?: number): Promise<() => void> {
    return this.#documentTurns.enter(waitLimitMs);
  }

  /**
   * Switches to the data in another folder; `like` is the storage that has it open already. Call while all writes are
   * paused.
   */
  async moveTo(folder: string, like: OwnerStorage | undefined): Promise<void> {
    this.#folder = folder;
    const left = this.#handle.moveTo({ owner: this.#parts.owner, folder });
    for (const [name, opening] of this.#documents) {
      const document = await opening;
      const shared = await like?.documentNamed(name);
      if (shared) document.share(shared);
      else document.become(await openDocument(await this.#documentPath(name), document.schema, this.#parts.log));
    }
    // The former file is released after all waiting callers have noticed the move, for which the hold must end first.
    left.catch((fault: unknown) =>
      this.#parts.log.error("A database that was replaced could not be closed.", {
        owner: this.#parts.owner,
        fault: String(fault),
      }),
    );
  }

  documentNamed(name: string): Promise<MovableDocument<any>> | undefined {
    return this.#documents.get(name);
  }

  async release(): Promise<void> {
    if (this.#released) return;
    this.#released = true;
    this.#parts.released(this);
    await this.#closeDocuments();
    await this.#handle.close();
    await this.#parts.driver.forget(this.#handle.place);
    for (const index of this.#indexes.values()) await index.then((each) => each.close());
    for (const folder of this.#temporary) await folder.release();
  }

  /** Earlier changes are made first. */
  async #closeDocuments(): Promise<void> {
    const free = await this.#documentTurns.enter();
    for (const opening of this.#documents.values()) await opening.then((document) => document.close());
    free();
  }

  #refuseClosed(): void {
    if (this.#released) this.#refusals.refuse();
  }

  async #documentPath(name: string): Promise<string> {
    const folder = join(this.#folder, "documents");
    await makeFolder(folder);
    return join(folder, `${checkedName(name)}.json`);
  }

  #openReader(): Kysely<any> {
    const dialect = this.#parts.driver.reader(this.#handle);
    return dialect ? new Kysely({ dialect, ...this.#listening() }) : this.#database;
  }

  /** Kysely measures queries only where there is a listener for them. */
  #listening(): { log?: (event: LogEvent) => void } {
    const { queried, owner } = this.#parts;
    return queried ? { log: (event) => queried(owner, event.query.sql, event.queryDurationMillis) } : {};
  }
}

/** Nothing checks types when a plugin is packed. */
function refuseMisuse(isRight: boolean, call: string): void {
  if (!isRight)
    throw new TypeError(`A parameter of context.storage is missing or of another kind: write context.storage.${call}.`);
}

function checkedName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/.test(name)) return name;
  throw new TypeError(`"${name}" is not a name for stored things: use letters, digits, dots, hyphens and underscores.`);
}

/** Opens a resource at the first call; after a failure the next call tries again. */
function keep<T>(opened: Map<string, Promise<T>>, name: string, open: () => Promise<T>): Promise<T> {
  const existing = opened.get(name);
  if (existing) return existing;
  const opening = open();
  opened.set(name, opening);
  opening.catch(() => opened.delete(name));
  return opening;
}
