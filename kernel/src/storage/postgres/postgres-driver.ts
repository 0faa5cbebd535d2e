import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import type { Dialect, Kysely } from "kysely";
import type { FullText, Logger } from "@longbox/sdk";
import type {
  DatabasePlace,
  DatabaseSnapshot,
  OpenDatabase,
  ReadableDatabase,
  StorageDriver,
  TurnSource,
} from "../engines/driver.js";
import { takeInFile } from "../exchange/exchanging.js";
import { unfit } from "../installation/refusals.js";
import { translateStorageFault } from "../storage-fault.js";
import { databasePath } from "../sqlite/database-path.js";
import { ConnectionPool } from "./pool/connection-pool.js";
import { usualConfinedLimits, type ConfinedLimits } from "./confined/confined-limits.js";
import type { PooledConnection, Session } from "./session.js";
import { copySchema } from "./copying-schemas.js";
import { OwnerRoles } from "./owner-roles.js";
import { confinedSession, PostgresDatabase, type PostgresTurn } from "./postgres-database.js";
import { PostgresTurnDialect, ReadingDriver, TurnDriver } from "./postgres-dialect.js";
import { translatePostgresFault } from "./postgres-faults.js";
import { openPostgresFullText } from "./postgres-full-text.js";
import { postgresMigrationRules } from "./postgres-migration-rules.js";
import { inTransaction, snapshotsOf } from "./postgres-snapshot.js";
import { quoted } from "./quoted.js";
import type { Schemas } from "./schemas.js";

/** PostgreSQL allows 100 connections by default, of which other programs and backups need some. */
const connections = 24;
const ofRole = 8;
const ofConfined = 4;
const confined = 10;
const waitMs = 30_000;

export interface PostgresDriverOptions {
  /** `postgres://user:password@host:port/database`, or with the folder of a socket as `?host=` */
  readonly url: string;
  readonly schemas: Schemas;
  readonly log: Logger;
  /** Another process serves from the data folder: its connections are left alone. */
  readonly isShared: boolean;
  readonly confined?: Partial<ConfinedLimits> | undefined;
}

/**
 * The driver for PostgreSQL: a schema for each state of an owner's data, a role for each owner where that can be, and
 * one pool for the server.
 */
export class PostgresDriver implements StorageDriver<PostgresTurn> {
  readonly migrationRules = postgresMigrationRules;
  readonly #pool: ConnectionPool;
  readonly #schemas: Schemas;
  readonly #roles: OwnerRoles;
  readonly #log: Logger;
  readonly #confinedLimits: ConfinedLimits;
  #droppingLeft: Promise<void> | undefined;

  constructor({ url, schemas, log, isShared, confined: limits }: PostgresDriverOptions) {
    const ownName = isShared ? undefined : () => schemas.prefix();
    const confinedLimits = { ...usualConfinedLimits, ...limits };
    this.#confinedLimits = confinedLimits;
    const places = { connections, ofRole, ofConfined, confined };
    this.#pool = new ConnectionPool(url, { ...places, waitMs, ownName, confinedLimits });
    this.#schemas = schemas;
    this.#roles = new OwnerRoles(this.#pool, schemas, log);
    this.#log = log;
  }

  dialect(source: TurnSource<PostgresTurn>): Dialect {
    return new PostgresTurnDialect(() => new TurnDriver(source));
  }

  reader(database: ReadableDatabase): Dialect {
    const source = {
      take: async () => {
        await database.ready();
        const session = { ...(await this.#sessionOf(database.place)), access: "reading" } as const;
        const connection = await this.#pool.take(database.isConfined ? confinedSession(session) : session);
        database.reads.add(connection);
        return connection;
      },
      gave: (connection: PooledConnection) => void database.reads.delete(connection),
      cancel: this.#pool.cancel.bind(this.#pool),
      translate: (fault: unknown) => this.translate(fault, database.place),
    } as const;
    return new PostgresTurnDialect(() => new ReadingDriver(source));
  }

  openFullText(database: Kysely<any>, name: string, columns: readonly string[]): Promise<FullText> {
    return openPostgresFullText(database, name, columns);
  }

  translate(fault: unknown, { folder }: DatabasePlace): unknown {
    const translated = translatePostgresFault(fault);
    return translated === fault ? translateStorageFault(fault, folder) : translated;
  }

  async exists(place: DatabasePlace): Promise<boolean> {
    const schema = await this.#schemas.nameOf(place);
    if (this.#schemas.isLeaving(schema)) return false;
    return this.#schemas.expects(schema) || (await this.#isThere(schema));
  }

  async open(place: DatabasePlace): Promise<OpenDatabase<PostgresTurn>> {
    // The owner's role goes with the last of its schemas, and is made again with the session.
    await this.#dropLeft(await this.#schemas.nameOf(place));
    const session = await this.#sessionOf(place);
    if (!(await this.#isThere(session.schema))) await this.#make(place, session);
    else await this.#adopt(place, session);
    await this.#schemas.remember(session.schema);
    return new PostgresDatabase(this.#pool, place, { session, confinedLimits: this.#confinedLimits });
  }

  async snapshots(databases: readonly OpenDatabase<PostgresTurn>[]): Promise<DatabaseSnapshot[]> {
    return snapshotsOf(this.#pool, await Promise.all(databases.map(({ place }) => this.#sessionOf(place))));
  }

  async copy(database: OpenDatabase<PostgresTurn>, target: DatabasePlace): Promise<void> {
    const [from, to] = [await this.#sessionOf(database.place), await this.#schemas.nameOf(target)];
    try {
      await this.#inServer(createSchema({ ...from, schema: to }));
      await copySchema(this.#pool, from, to);
    } catch (fault) {
      throw translatePostgresFault(fault);
    }
  }

  async leave(place: DatabasePlace): Promise<void> {
    await this.#schemas.leave({ owner: place.owner, schema: await this.#schemas.nameOf(place) });
  }

  async drop(place: DatabasePlace): Promise<void> {
    await this.leave(place);
    await this.#dropSchema(place.owner, await this.#schemas.nameOf(place));
  }

  /** Readers hold no files. */
  async forget(): Promise<void> {}

  release(): Promise<void> {
    return this.#pool.release();
  }

  async #dropSchema(owner: string, schema: string): Promise<void> {
    await this.#inServer(`drop schema if exists ${quoted(schema)} cascade`);
    await this.#told(this.#roles.drop(owner));
    await this.#schemas.left(schema);
  }

  /**
   * Drops what could not be dropped when it was given up.
   * @param needed - a schema that has to be gone; others are tried again later
   */
  async #dropLeft(needed: string): Promise<void> {
    if (this.#schemas.leaving.length === 0) return;
    this.#droppingLeft ??= this.#tryDroppingLeft().finally(() => (this.#droppingLeft = undefined));
    await this.#droppingLeft;
    const still = this.#schemas.leaving.find(({ schema }) => schema === needed);
    if (still) await this.#dropSchema(still.owner, still.schema);
  }

  async #tryDroppingLeft(): Promise<void> {
    for (const { owner, schema } of this.#schemas.leaving) {
      try {
        await this.#dropSchema(owner, schema);
      } catch (fault) {
        this.#log.warn("Old data could not be removed.", { owner, schema, fault: String(fault) });
      }
    }
  }

  /** A file of tables, which a backup left in the folder, is taken in. */
  async #make(place: DatabasePlace, session: Session): Promise<void> {
    const { schema } = session;
    if (this.#schemas.expects(schema)) throw unfit(place.owner, schema, "missing");
    await this.#schemas.keepPrefix();
    await this.#inServer(createSchema(session));
    if (existsSync(databasePath(place))) await this.#takeIn(place, session);
  }

  async #adopt(place: DatabasePlace, session: Session): Promise<void> {
    if (session.login) await this.#told(this.#roles.adopt(session.schema, session.login));
    if (await this.#isHalfMade(place, session.schema)) await this.#takeIn(place, session);
  }

  /** Whether a process ended before it had taken in the file. */
  async #isHalfMade(place: DatabasePlace, schema: string): Promise<boolean> {
    if (this.#schemas.expects(schema) || !existsSync(databasePath(place))) return false;
    return (await this.#inServer("select 1 from pg_tables where schemaname = $1", [schema])).length === 0;
  }

  /** As the role that the tables are to belong to: a plugin wrote what the file says of them. */
  async #takeIn(place: DatabasePlace, session: Session): Promise<void> {
    const path = databasePath(place);
    await inTransaction(this.#pool, session, (connection) => takeInFile(connection, path, this.#log));
    // From here on the schema has the data; the file would only be out of date.
    await rm(path);
  }

  async #isThere(schema: string): Promise<boolean> {
    return (await this.#inServer("select 1 from pg_namespace where nspname = $1", [schema])).length > 0;
  }

  async #sessionOf(place: DatabasePlace): Promise<Session> {
    const schema = await this.#schemas.nameOf(place);
    return { schema, login: await this.#told(this.#roles.of(place.owner)), access: "writing" };
  }

  async #inServer(text: string, values: readonly unknown[] = []): Promise<unknown[]> {
    const connection = await this.#told(this.#pool.take({ schema: "pg_catalog", access: "writing" }));
    try {
      return (await this.#told(connection.query(text, values))).rows;
    } finally {
      connection.free();
    }
  }

  async #told<T>(running: Promise<T>): Promise<T> {
    try {
      return await running;
    } catch (fault) {
      throw translatePostgresFault(fault);
    }
  }
}

const createSchema = ({ schema, login }: Session) =>
  `create schema ${quoted(schema)}${login ? ` authorization ${quoted(login.user)}` : ""}`;
