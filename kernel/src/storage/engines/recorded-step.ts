import {
  Kysely,
  sql,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
} from "kysely";
import type { ColumnTypes, EngineStatements, Migration } from "@longbox/sdk";

/** The column types under their own names, so that a step is recorded alike whatever engine it will run on. */
const named: ColumnTypes = {
  id: sql`id`,
  instant: sql`instant`,
  count: sql`count`,
  real: sql`real`,
  flag: sql`flag`,
  text: sql`text`,
  folded: sql`folded`,
  json: sql`json`,
  bytes: sql`bytes`,
  numbered: (column) => column.primaryKey().autoIncrement(),
};

/** Checksums of steps whose code runs in another process, which has worked them out. */
export const knownChecksums = new WeakMap<Migration, string>();

/**
 * The checksum of a step: over the statements that it runs, recorded without a database. It does not depend on the
 * engine, so that data can move from one to another, nor on how the code was compiled.
 */
export async function checksumOf(step: Migration): Promise<string> {
  const known = knownChecksums.get(step);
  if (known !== undefined) return known;
  const recorded = await record(step, ({ sqlite, postgres }) => ["raw", sqlite, postgres]);
  // Importing it would take 8 ms of each process that tries a plugin, or runs one without steps.
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(JSON.stringify(recorded)).digest("hex");
}

/** What a step did while nothing was changed. */
export interface StepRun {
  /** What it says in the words of one engine or the other; nothing has checked that it says it for each. */
  readonly raw: readonly Partial<EngineStatements>[];
  /** It went on after its end. */
  readonly late: boolean;
  readonly isEmpty: boolean;
}

export async function runOf(step: Migration): Promise<StepRun> {
  const raw: Partial<EngineStatements>[] = [];
  const recorded = await record(step, (statements: EngineStatements | undefined) => void raw.push(statements ?? {}));
  const { length } = recorded;
  await new Promise((resolve) => setImmediate(resolve));
  return { raw, late: recorded.length > length, isEmpty: length === 0 };
}

async function record(step: Migration, asRecorded: (statements: EngineStatements) => unknown): Promise<unknown[]> {
  const recorder = new Recorder();
  const database = recordingDatabase(recorder);
  try {
    await step.up({
      schema: database.schema,
      types: named,
      database,
      raw: async (statements) => recorder.record(asRecorded(statements)),
    });
  } catch {
    // A step that cannot go on without rows ends here, every time alike; a real fault shows when the step is applied.
    recorder.record("ended early");
  }
  return recorder.recorded;
}

class Recorder implements DatabaseConnection {
  readonly recorded: unknown[] = [];

  record(what: unknown): void {
    this.recorded.push(what);
  }

  async executeQuery({ sql: text, parameters }: CompiledQuery): Promise<{ rows: [] }> {
    this.record([text, parameters]);
    return { rows: [] };
  }

  async *streamQuery(query: CompiledQuery): AsyncIterableIterator<{ rows: [] }> {
    yield await this.executeQuery(query);
  }
}

function recordingDatabase(recorder: Recorder): Kysely<any> {
  const driver: Driver = {
    init: async () => undefined,
    acquireConnection: async () => recorder,
    beginTransaction: async () => undefined,
    commitTransaction: async () => undefined,
    rollbackTransaction: async () => undefined,
    releaseConnection: async () => undefined,
    destroy: async () => undefined,
  };
  return new Kysely({
    dialect: {
      createDriver: () => driver,
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (database) => new SqliteIntrospector(database),
    },
  });
}
