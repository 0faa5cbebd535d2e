import type { Generated, Kysely } from "kysely";
import { migration, type Migration } from "@longbox/sdk";
import { inject, injectable, token } from "../injection.js";

/** Who asked for something. */
export interface Actor {
  readonly id: number;
  readonly username: string;
}

/** Who asks for a change, and what of. */
export interface Requester extends Actor {
  /** The tags of `If-Match`: the change is made only when the plugin's row still has one of them. */
  readonly expects?: string | undefined;
}

/** The kernel itself. */
export const systemActor: Actor = { id: -1, username: "system" };

export interface AuditEntry {
  readonly action:
    | "install"
    | "uninstall"
    | "purge"
    | "enable"
    | "disable"
    | "rollback"
    | "quarantine"
    | "blocked"
    | "isolate"
    | "publish";
  readonly plugin: string;
  readonly version: string | undefined;
  readonly by: Actor;
  readonly reason?: string;
}

export interface AuditTables {
  plugin_audit: {
    id: Generated<number>;
    at: string;
    action: string;
    plugin: string;
    version: string | null;
    user_id: number;
    username: string;
    reason: string | null;
  };
}

/** The kernel's own database, migrated with `auditMigrations`. */
export const AuditDatabase = token<Kysely<AuditTables>>("the database of the audit trail");

/** How many entries are kept at least. */
const kept = 1_000;
/** Old entries are deleted each time that so many were added. */
const deletedAfter = 50;

/** The audit trail of plugins, in the kernel's own database. */
export const auditMigrations: readonly Migration[] = [
  migration("plugins-0001-audit", async ({ schema, types }) => {
    await schema
      .createTable("plugin_audit")
      .addColumn("id", types.id, types.numbered)
      .addColumn("at", types.text, (column) => column.notNull())
      .addColumn("action", types.text, (column) => column.notNull())
      .addColumn("plugin", types.text, (column) => column.notNull())
      .addColumn("version", types.text)
      .addColumn("user_id", types.id, (column) => column.notNull())
      .addColumn("username", types.text, (column) => column.notNull())
      .addColumn("reason", types.text)
      .execute();
  }),
];

/** One line of the trail, as clients see it. */
export interface AuditRow {
  readonly at: string;
  readonly action: string;
  readonly plugin: string;
  readonly version: string | undefined;
  readonly username: string;
  readonly reason: string | undefined;
}

/** Who did what to which plugin, newest first; the last 1 000 are kept, and a few more. */
@injectable()
export class AuditTrail {
  readonly #database: Kysely<AuditTables>;

  constructor(@inject(AuditDatabase) database: Kysely<AuditTables>) {
    this.#database = database;
  }

  async record(entry: AuditEntry): Promise<void> {
    const { id } = await this.#database
      .insertInto("plugin_audit")
      .values({
        at: new Date().toISOString(),
        action: entry.action,
        plugin: entry.plugin,
        version: entry.version ?? null,
        user_id: entry.by.id,
        username: entry.by.username,
        reason: entry.reason ?? null,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    if (id % deletedAfter === 0)
      await this.#database
        .deleteFrom("plugin_audit")
        .where("id", "<=", id - kept)
        .execute();
  }

  async list(limit: number): Promise<AuditRow[]> {
    const rows = await this.#database
      .selectFrom("plugin_audit")
      .selectAll()
      .orderBy("id", "desc")
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      at: row.at,
      action: row.action,
      plugin: row.plugin,
      version: row.version ?? undefined,
      username: row.username,
      reason: row.reason ?? undefined,
    }));
  }
}
