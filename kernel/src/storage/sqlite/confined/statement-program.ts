// Runs the SQL of an isolated plugin on one database file: SQLite cannot be interrupted from Node, but a process can be
// ended in the middle of a statement.
import { Worker } from "node:worker_threads";
import { SqliteEngine } from "../sqlite-engine.js";
import type { StatementAnswer, StatementQuestion } from "./statement-process.js";

/**
 * With what SQLite sorts and keeps for itself, which no limit of V8 counts; pages of the file that are mapped count as
 * well.
 */
const mostBytes = 640_000_000;
/** As for the results that PostgreSQL sends: more could not cross to another process anyway. */
const mostResultBytes = 72 * 1024 * 1024;
const mostRows = 500_000;
/**
 * A statement that never ends would outlive a server that was killed, and one that sorts without end would take all
 * memory: the thread is not held up by them.
 */
const watching = `
  const { workerData: { server, mostBytes } } = require("node:worker_threads");
  setInterval(() => {
    if (process.ppid !== server || process.memoryUsage.rss() > mostBytes) process.kill(process.pid, "SIGKILL");
  }, 200);`;

const [path = "", mode, server] = process.argv.slice(2);
const engine = new SqliteEngine(path, { readOnly: mode === "reads" });
const watched = { server: Number(server), mostBytes };
new Worker(watching, { eval: true, workerData: watched, resourceLimits: { maxOldGenerationSizeMb: 8 } }).unref();
// A key that is meant for the server reaches the whole group of processes.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
process.on("message", (question: StatementQuestion) => process.send?.(answerTo(question)));
process.once("disconnect", () => {
  engine.close();
  process.exit();
});

function answerTo({ sql, parameters }: StatementQuestion): StatementAnswer {
  try {
    const result = engine.run(sql, parameters);
    const { inTransaction } = engine;
    const tooLarge =
      isTooLarge(result.rows) && `its result was larger than ${mostResultBytes} bytes or ${mostRows} rows`;
    return tooLarge ? { tooLarge, inTransaction } : { result, inTransaction };
  } catch (thrown) {
    const { message, code, errcode } = thrown as { message: string; code?: string; errcode?: number };
    const fault = { message, ...(code !== undefined && { code }), ...(errcode !== undefined && { errcode }) };
    return { fault, inTransaction: engine.inTransaction };
  }
}

function isTooLarge(rows: readonly unknown[]): boolean {
  if (rows.length > mostRows) return true;
  let bytes = 0;
  for (const row of rows as Record<string, unknown>[])
    for (const value of Object.values(row)) {
      bytes += typeof value === "string" ? value.length : value instanceof Uint8Array ? value.byteLength : 8;
      if (bytes > mostResultBytes) return true;
    }
  return false;
}
