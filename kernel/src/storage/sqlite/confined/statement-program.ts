// Runs the SQL of an isolated plugin on one database file: SQLite cannot be interrupted from Node, but a process can be
// ended in the middle of a statement.
import { Worker } from "node:worker_threads";
import { SqliteEngine } from "../sqlite-engine.js";
import type { StatementAnswer, StatementQuestion } from "./statement-process.js";

/** A statement that never ends would outlive a server that was killed: the thread is not held up by it. */
const endingWithServer = `
  const { workerData: server } = require("node:worker_threads");
  setInterval(() => { if (process.ppid !== server) process.kill(process.pid, "SIGKILL"); }, 1000);`;

const [path = "", mode, server] = process.argv.slice(2);
const engine = new SqliteEngine(path, { readOnly: mode === "reads" });
const limits = { maxOldGenerationSizeMb: 8 };
new Worker(endingWithServer, { eval: true, workerData: Number(server), resourceLimits: limits }).unref();
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
    return { result, inTransaction: engine.inTransaction };
  } catch (thrown) {
    const { message, code, errcode } = thrown as { message: string; code?: string; errcode?: number };
    const fault = { message, ...(code !== undefined && { code }), ...(errcode !== undefined && { errcode }) };
    return { fault, inTransaction: engine.inTransaction };
  }
}
