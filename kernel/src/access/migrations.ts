import { migration, type Migration, type MigrationStep } from "@longbox/sdk";

/** The tables of accounts, in the kernel's own database. Times are ISO 8601 texts in UTC. */
export const accessMigrations: readonly Migration[] = [
  migration("0001-access", async (step) => {
    await createAccounts(step);
    await createSessions(step);
    await createKeys(step);
    await createRoles(step);
    await createNotices(step);
    await createSignInHistory(step);
  }),
];

/** Migrations run in the order of their names, and this one was written after those of `plugins`. */
export const languageMigration: Migration = migration("users-0001-language", async ({ schema, types }) => {
  await schema.alterTable("account").addColumn("language", types.text).execute();
});

async function createAccounts({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("account")
    .addColumn("id", types.id, types.numbered)
    .addColumn("username", types.text, (column) => column.notNull())
    .addColumn("username_key", types.text, (column) => column.notNull().unique())
    .addColumn("email", types.text)
    .addColumn("password", types.text)
    .addColumn("role", types.text, (column) => column.notNull())
    .addColumn("active", types.flag, (column) => column.notNull().defaultTo(1))
    .addColumn("hide_mature", types.flag, (column) => column.notNull().defaultTo(0))
    .addColumn("created_at", types.text, (column) => column.notNull())
    .addColumn("seen_at", types.text)
    .execute();
  await schema.createIndex("account_role").on("account").column("role").execute();
}

async function createSessions({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("session")
    .addColumn("id", types.id, types.numbered)
    .addColumn("account_id", types.id, (column) => column.notNull().references("account.id").onDelete("cascade"))
    .addColumn("token_hash", types.text, (column) => column.notNull().unique())
    .addColumn("created_at", types.text, (column) => column.notNull())
    .addColumn("seen_at", types.text, (column) => column.notNull())
    .addColumn("expires_at", types.text, (column) => column.notNull())
    .execute();
  await schema.createIndex("session_account").on("session").column("account_id").execute();
  await schema.createIndex("session_expiry").on("session").column("expires_at").execute();
}

/** Failed attempts, and the devices from which sign-ins succeeded. Times are milliseconds since 1970. */
async function createSignInHistory({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("failure_count")
    .addColumn("id", types.text, (column) => column.primaryKey())
    .addColumn("kind", types.text, (column) => column.notNull())
    .addColumn("name_hash", types.text, (column) => column.notNull())
    .addColumn("place", types.text, (column) => column.notNull())
    .addColumn("failures", types.count, (column) => column.notNull())
    .addColumn("expires_at", types.instant, (column) => column.notNull())
    .execute();
  await schema
    .createTable("known_device")
    .addColumn("name_hash", types.text, (column) => column.notNull())
    .addColumn("device_hash", types.text, (column) => column.notNull())
    .addColumn("seen_at", types.instant, (column) => column.notNull())
    .addPrimaryKeyConstraint("known_device_key", ["name_hash", "device_hash"])
    .execute();
  await schema.createIndex("known_device_seen").on("known_device").column("seen_at").execute();
}

async function createKeys({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("api_key")
    .addColumn("account_id", types.id, (column) => column.primaryKey().references("account.id").onDelete("cascade"))
    .addColumn("key_hash", types.text, (column) => column.notNull().unique())
    .addColumn("prefix", types.text, (column) => column.notNull())
    .addColumn("created_at", types.text, (column) => column.notNull())
    .addColumn("used_at", types.text)
    .execute();
}

async function createRoles({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("role")
    .addColumn("name", types.text, (column) => column.primaryKey())
    .addColumn("label", types.text, (column) => column.notNull())
    .addColumn("permissions", types.json, (column) => column.notNull())
    .execute();
  await schema
    .createTable("identity")
    .addColumn("provider", types.text, (column) => column.notNull())
    .addColumn("subject", types.text, (column) => column.notNull())
    .addColumn("account_id", types.id, (column) => column.notNull().references("account.id").onDelete("cascade"))
    .addPrimaryKeyConstraint("identity_key", ["provider", "subject"])
    .execute();
  await schema.createIndex("identity_account").on("identity").column("account_id").execute();
}

async function createNotices({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("account_notice")
    .addColumn("id", types.id, types.numbered)
    .addColumn("kind", types.text, (column) => column.notNull())
    .addColumn("account_id", types.id, (column) => column.notNull())
    .addColumn("created_at", types.text, (column) => column.notNull())
    .execute();
  await schema
    .createTable("notice_cursor")
    .addColumn("plugin", types.text, (column) => column.notNull())
    .addColumn("kind", types.text, (column) => column.notNull())
    .addColumn("notice_id", types.id, (column) => column.notNull())
    .addPrimaryKeyConstraint("notice_cursor_key", ["plugin", "kind"])
    .execute();
}
