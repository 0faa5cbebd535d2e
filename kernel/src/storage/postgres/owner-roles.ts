import type { Logger } from "@longbox/sdk";
import type { ConnectionPool } from "./pool/connection-pool.js";
import { quoted } from "./quoted.js";
import type { PooledConnection } from "./session.js";
import { verifierOf, type Login } from "./logins.js";
import type { Schemas } from "./schemas.js";

/** PostgreSQL's state for what a role may not do. */
const notAllowed = "42501";

/**
 * A role for each plugin, which owns the plugin's schemas and has no rights on others. It signs in by itself, so that
 * no statement of a plugin, such as `reset role`, gives it more. Where the server's own role may not make roles, or
 * these are not let in, all tables belong to the server's own role.
 */
export class OwnerRoles {
  readonly #pool: ConnectionPool;
  readonly #schemas: Schemas;
  readonly #log: Logger;
  readonly #logins = new Map<string, Promise<Login | undefined>>();
  #isReported = false;

  constructor(pool: ConnectionPool, schemas: Schemas, log: Logger) {
    this.#pool = pool;
    this.#schemas = schemas;
    this.#log = log;
  }

  /** Who uses the schemas of this owner; undefined where it is the server's own role. */
  of(owner: string): Promise<Login | undefined> {
    const known = this.#logins.get(owner);
    if (known) return known;
    const found = this.#find(owner).catch((fault: unknown) => {
      this.#logins.delete(owner);
      throw fault;
    });
    this.#logins.set(owner, found);
    return found;
  }

  /** Removes the role of an owner when no schema is its own any more. */
  async drop(owner: string): Promise<void> {
    const login = await this.of(owner);
    if (!login) return;
    const { rows } = await this.#asServer((connection) =>
      connection.query("select 1 from pg_namespace where nspowner = (select oid from pg_roles where rolname = $1)", [
        login.user,
      ]),
    );
    if (rows.length > 0) return;
    this.#logins.delete(owner);
    this.#pool.forget(login);
    await this.#asServer(async (connection) => {
      if (!(await isThere(connection, login))) return;
      // It may own more than its schemas: large objects, or tables where all roles may make some.
      await connection.query(`drop owned by ${quoted(login.user)}`);
      await connection.query(`drop role ${quoted(login.user)}`);
    });
  }

  /** Makes a schema, and everything in it, the role's own, as it was the server's before there were roles. */
  async adopt(schema: string, { user }: Login): Promise<void> {
    await this.#asServer(async (connection) => {
      const { rows } = await connection.query(
        `select format('alter schema %I owner to %I', nspname, r.rolname) as statement
         from pg_namespace n cross join pg_roles r where nspname = $1 and rolname = $2 and nspowner <> r.oid
         union all
         select format('alter table %I.%I owner to %I', nspname, relname, r.rolname)
         from pg_class c join pg_namespace n on n.oid = c.relnamespace cross join pg_roles r
         where nspname = $1 and rolname = $2 and relkind in ('r', 'p') and relowner <> r.oid`,
        [schema, user],
      );
      for (const { statement } of rows as { statement: string }[]) await connection.query(statement);
    });
  }

  async #find(owner: string): Promise<Login | undefined> {
    if (owner === "kernel") return undefined;
    const login = await this.#schemas.loginOf(owner);
    if ((await this.#make(login)) && (await this.#letsIn(login))) return login;
    this.#report();
    return undefined;
  }

  /**
   * A role can change its own password: SQL of a plugin must not be able to make its tables the server's role's by
   * that.
   */
  async #letsIn(login: Login): Promise<boolean> {
    if (await this.#pool.letsIn(login)) return true;
    const renew = `alter role ${quoted(login.user)} login password '${verifierOf(login)}'`;
    return (await this.#mayRun((connection) => connection.query(renew))) && this.#pool.letsIn(login);
  }

  /** @returns whether the role is there, and the server's own role may act for it */
  async #make(login: Login): Promise<boolean> {
    let acts = false;
    const isAllowed = await this.#mayRun(async (connection) => {
      if (!(await isThere(connection, login)))
        await connection.query(`create role ${quoted(login.user)} login password '${verifierOf(login)}'`);
      if (!(await actsFor(connection, login))) await connection.query(`grant ${quoted(login.user)} to current_user`);
      acts = await actsFor(connection, login);
    });
    return isAllowed && acts;
  }

  /** Runs statements of the server's own role. @returns false when it is not allowed to */
  #mayRun(run: (connection: PooledConnection) => Promise<unknown>): Promise<boolean> {
    return this.#asServer(async (connection) => {
      try {
        await run(connection);
        return true;
      } catch (fault) {
        const { code } = fault as { code?: string };
        if (code === notAllowed) return false;
        throw fault;
      }
    });
  }

  #report(): void {
    if (this.#isReported) return;
    this.#isReported = true;
    this.#log.warn(
      "The tables of plugins belong to one role of PostgreSQL, so that a plugin's SQL can read those of others. " +
        "For a role of each plugin, let the role in LONGBOX_DATABASE make roles: alter role … createrole.",
    );
  }

  async #asServer<T>(run: (connection: PooledConnection) => Promise<T>): Promise<T> {
    const connection = await this.#pool.take({ schema: "pg_catalog", access: "writing" });
    try {
      return await run(connection);
    } finally {
      connection.free();
    }
  }
}

async function isThere(connection: PooledConnection, { user }: Login): Promise<boolean> {
  return (await connection.query("select 1 from pg_roles where rolname = $1", [user])).rows.length > 0;
}

/** Whether the rights of the role are those of the server's own, too: it drops schemas and cancels statements. */
async function actsFor(connection: PooledConnection, { user }: Login): Promise<boolean> {
  const { rows } = await connection.query("select 1 where pg_has_role($1, 'usage')", [user]);
  return rows.length > 0;
}
