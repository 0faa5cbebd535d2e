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
import { ConnectionPool, quoted } from "./connection-pool.js";
import type { Session } from "./session.js";
import { copySchema } from "./copying-schemas.js";
import { OwnerRoles } from "./owner-roles.js";
import { PostgresDatabase, type PostgresTurn } from "./postgres-database.js";
import { PostgresTurnDialect, ReadingDriver, TurnDriver } from "./postgres-dialect.js";
import { translatePostgresFault } from "./postgres-faults.js";
import { openPostgresFullText } from "./postgres-full-text.js";
import { postgresMigrationRules } from "./postgres-migration-rules.js";
import { inTransaction, snapshotsOf } from "./postgres-snapshot.js";
import type { Schemas } from "./schemas.js";

/** PostgreSQL allows 100 connections by default, of which other programs and backups need some. */
const connections = 24;
const ofRole = 8;
const waitMs = 30_000;

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

  /** @param url - `postgres://user:password@host:port/database`, or with the folder of a socket as `?host=` */
  constructor(url: string, schemas: Schemas, log: Logger) {
    this.#pool = new ConnectionPool(url, { connections, ofRole, waitMs });
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
        return this.#pool.take({ ...(await this.#sessionOf(database.place)), access: "reading" });
      },
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
    return this.#schemas.expects(schema) || (await this.#isThere(schema));
  }

  async open(place: DatabasePlace): Promise<OpenDatabase<PostgresTurn>> {
    const session = await this.#sessionOf(place);
    if (!(await this.#isThere(session.schema))) await this.#make(place, session);
    else if (session.login) await this.#told(this.#roles.adopt(session.schema, session.login));
    await this.#schemas.remember(session.schema);
    return new PostgresDatabase(this.#pool, place, session);
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

  async drop(place: DatabasePlace): Promise<void> {
    const schema = await this.#schemas.nameOf(place);
    await this.#schemas.forget(schema);
    await this.#inServer(`drop schema if exists ${quoted(schema)} cascade`);
    await this.#told(this.#roles.drop(place.owner));
  }

  /** Readers hold no files. */
  async forget(): Promise<void> {}

  release(): Promise<void> {
    return this.#pool.release();
  }

  /** A file of tables, which a backup left in the folder, is taken in, or nothing is made. */
  async #make(place: DatabasePlace, session: Session): Promise<void> {
    const { schema, login } = session;
    if (this.#schemas.expects(schema)) throw unfit(place.owner, schema, "missing");
    const path = databasePath(place);
    const isRestored = existsSync(path);
    await inTransaction(this.#pool, schema, async (connection) => {
      await connection.query(createSchema(session));
      if (login) await connection.query(`set local role ${quoted(login.user)}`);
      if (isRestored) await takeInFile(connection, path, this.#log);
    });
    // From here on the schema has the data; the file would only be out of date.
    if (isRestored) await rm(path);
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
