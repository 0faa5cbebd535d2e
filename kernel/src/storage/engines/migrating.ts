import {
  createQueryId,
  sql,
  type Kysely,
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryResult,
  type RootOperationNode,
  type UnknownRow,
} from "kysely";
import { isLongboxError, LongboxError, type Migration, type MigrationStep } from "@longbox/sdk";
import type { MigrationRules } from "./migration-rules.js";
import { checksumOf } from "./recorded-step.js";

interface AppliedTable {
  longbox_migration: { name: string; checksum: string; applied_at: number };
}

interface Step {
  readonly name: string;
  readonly checksum: string;
}

interface PendingStep extends Step {
  readonly migration: Migration;
}

/** Who brings which database up to date, and by the rules of which engine. */
export interface Migrating {
  readonly owner: string;
  readonly database: Kysely<any>;
  readonly rules: MigrationRules;
}

/** Brings a database up to these steps, each in a transaction of its own. @returns how many were taken */
export async function migrate(migrating: Migrating, migrations: readonly Migration[]): Promise<number> {
  const { owner, rules } = migrating;
  const steps = await stepsOf(migrations);
  return migrating.database.connection().execute(async (connection) => {
    const applied = await appliedSteps(connection, rules);
    refuseWhatDoesNotFit(owner, steps, applied);
    const pending = steps.slice(applied.length);
    if (pending.length === 0) return 0;
    await rules.whileTablesChange(connection, async () => {
      for (const step of pending) await apply({ ...migrating, database: connection }, step);
    });
    return pending.length;
  });
}

/** Refuses a database that does not fit these steps. */
export async function checkMigrations(migrating: Migrating, migrations: readonly Migration[]): Promise<void> {
  const { owner, database, rules } = migrating;
  refuseWhatDoesNotFit(owner, await stepsOf(migrations), await appliedSteps(database, rules));
}

function stepsOf(migrations: readonly Migration[]): Promise<PendingStep[]> {
  return Promise.all(
    [...migrations]
      .sort((one, other) => (one.name < other.name ? -1 : 1))
      .map(async (migration) => ({ name: migration.name, checksum: await checksumOf(migration), migration })),
  );
}

/** Reads without making the table, so that a database which will be refused stays as it is. */
async function appliedSteps(database: Kysely<AppliedTable>, rules: MigrationRules): Promise<Step[]> {
  if (!(await rules.hasTable(database, "longbox_migration"))) return [];
  return database.selectFrom("longbox_migration").select(["name", "checksum"]).orderBy("name").execute();
}

function refuseWhatDoesNotFit(owner: string, steps: readonly Step[], applied: readonly Step[]): void {
  const known = new Set(steps.map((step) => step.name));
  const unknown = applied.map((step) => step.name).filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new LongboxError(
      "conflict",
      "kernel/database-newer",
      `The data of "${owner}" was written by a newer version: this one does not know ${unknown.join(", ")}. Install the newer version, or restore a backup.`,
      { owner, unknown },
    );
  }
  applied.forEach((step, index) => {
    const now = steps[index] as Step;
    if (now.name !== step.name)
      throw changed(owner, now.name, `comes before "${step.name}", which has been applied already`);
    if (now.checksum !== step.checksum) throw changed(owner, now.name, "is not what was applied under that name");
  });
}

function changed(owner: string, name: string, what: string): LongboxError {
  return new LongboxError("conflict", "kernel/migration-changed", `The migration "${name}" of "${owner}" ${what}.`, {
    owner,
    name,
  });
}

async function apply({ owner, database, rules }: Migrating, step: PendingStep): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await makeAppliedTable(transaction, rules);
    await rules.putOffKeys?.(transaction);
    await attempt({ owner, database: transaction, rules }, step);
    const broken = await rules.findBrokenKeys(transaction);
    if (broken) {
      throw new LongboxError(
        "internal",
        "kernel/migration-breaks-keys",
        `The migration "${step.name}" of "${owner}" leaves ${broken.rows} rows of ${broken.table} that refer to missing rows.`,
      );
    }
    await transaction
      .insertInto("longbox_migration")
      .values({ name: step.name, checksum: step.checksum, applied_at: Date.now() })
      .execute();
  });
}

/** Runs the step; what the engine refuses is told with the name of the step and the statement. */
async function attempt({ owner, database, rules }: Migrating, step: PendingStep): Promise<void> {
  const last = new LastQuery();
  const watched = database.withPlugin(last);
  try {
    await step.migration.up(stepOn(watched, rules));
  } catch (cause) {
    if (isLongboxError(cause)) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const statement = last.statement(database);
    throw new LongboxError(
      "internal",
      "kernel/migration-failed",
      `The migration "${step.name}" of "${owner}" failed: ${reason}${statement === undefined ? "" : `, in: ${statement}`}`,
      { owner, migration: step.name, statement },
      { cause },
    );
  }
}

/** Remembers the query that was run last. */
class LastQuery implements KyselyPlugin {
  #node: RootOperationNode | undefined;

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    this.#node = node;
    return node;
  }

  transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return Promise.resolve(result);
  }

  /** Its SQL, shortened. */
  statement(database: Kysely<any>): string | undefined {
    const compiled = this.#node && database.getExecutor().compileQuery(this.#node, createQueryId());
    return compiled?.sql.slice(0, statementLength);
  }
}

const statementLength = 300;

async function makeAppliedTable({ schema }: Kysely<any>, { types }: MigrationRules): Promise<void> {
  await schema
    .createTable("longbox_migration")
    .ifNotExists()
    .addColumn("name", types.text, (column) => column.primaryKey())
    .addColumn("checksum", types.text, (column) => column.notNull())
    .addColumn("applied_at", types.instant, (column) => column.notNull())
    .execute();
}

function stepOn(database: Kysely<any>, rules: MigrationRules): MigrationStep {
  return {
    schema: database.schema,
    types: rules.types,
    database,
    async raw(statements) {
      for (const statement of statements[rules.engine]) await sql.raw(statement).execute(database);
    },
  };
}
