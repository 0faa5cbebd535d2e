import type { Logger } from "@longbox/sdk";
import { quoted, type ConnectionPool } from "./pool/connection-pool.js";
import type { PooledConnection } from "./session.js";
import { verifierOf, type Login } from "./logins.js";
import type { Schemas } from "./schemas.js";

/** PostgreSQL's state for what a role may not do. */
const notAllowed = "42501";

/**
 * A role for each plugin, which owns the plugin's schemas and has no rights on others. It signs in by itself, so that no
 * statement of a plugin, such as `reset role`, gives it more. Where the server's own role may not make roles, or these
 * are not let in, all tables belong to the server's own role.
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
    await this.#asServer((connection) => connection.query(`drop role if exists ${quoted(login.user)}`));
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
    if ((await this.#make(login)) && (await this.#pool.letsIn(login))) return login;
    this.#report();
    return undefined;
  }

  /** @returns whether the role is there, and the server's own role may act for it */
  #make(login: Login): Promise<boolean> {
    return this.#asServer(async (connection) => {
      try {
        const { rows } = await connection.query("select 1 from pg_roles where rolname = $1", [login.user]);
        if (rows.length === 0)
          await connection.query(`create role ${quoted(login.user)} login password '${verifierOf(login)}'`);
        if (!(await actsFor(connection, login))) await connection.query(`grant ${quoted(login.user)} to current_user`);
        return await actsFor(connection, login);
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

/** Whether the rights of the role are those of the server's own, too: it drops schemas and cancels statements. */
async function actsFor(connection: PooledConnection, { user }: Login): Promise<boolean> {
  const { rows } = await connection.query("select 1 where pg_has_role($1, 'usage')", [user]);
  return rows.length > 0;
}
