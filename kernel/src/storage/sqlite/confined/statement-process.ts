import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { StatementEnded } from "../../engines/statement-ended.js";
import { StorageClosed } from "../../storage-closed.js";
import type { EngineResult, RemoteEngine } from "../engine.js";

export interface StatementQuestion {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export type StatementAnswer = { readonly inTransaction: boolean } & (
  | { readonly result: EngineResult }
  | { readonly fault: { readonly message: string; readonly code?: string; readonly errcode?: number } }
  /** Why the result is not sent. */
  | { readonly tooLarge: string }
);

export interface StatementLimits {
  /** How long one statement may run. */
  readonly statementMs: number;
}

export const confinedStatements: StatementLimits = { statementMs: 300_000 };

const program = fileURLToPath(new URL("./statement-program.js", import.meta.url));
/** Of the rows of a result, among others: a process that needs more ends. */
const heapMegabytes = 256;
/** A process without a statement ends after this time: it takes about 45 MB, and starts again within 100 ms. */
const idleMs = 60_000;
/** How long a process may take to close its file. */
const closingMs = 2_000;

interface Running {
  readonly child: ChildProcess;
  settle(answer: StatementAnswer): void;
  fail(fault: unknown): void;
}

/**
 * Runs the statements of an isolated plugin on a file in a process of its own, one at a time. Whatever the process
 * does, it can be ended: what was begun is rolled back, and the next statement has a new one.
 */
export class StatementProcess implements RemoteEngine {
  readonly #path: string;
  readonly #mode: "reads" | "writes";
  readonly #limits: StatementLimits;
  #child: ChildProcess | undefined;
  #running: Running | undefined;
  #inTransaction = false;
  #idle: NodeJS.Timeout | undefined;

  constructor(path: string, mode: "reads" | "writes", limits: StatementLimits) {
    this.#path = path;
    this.#mode = mode;
    this.#limits = limits;
  }

  get inTransaction(): boolean {
    return this.#inTransaction;
  }

  /** Call it again once it has settled. @throws {StatementEnded} */
  async run(sql: string, parameters: readonly unknown[]): Promise<EngineResult> {
    clearTimeout(this.#idle);
    const child = (this.#child ??= this.#start());
    const { statementMs } = this.#limits;
    const tooLong = () => this.end(new StatementEnded(`it ran for ${statementMs / 1000} seconds`));
    const limit = setTimeout(tooLong, statementMs);
    hold(child);
    const { promise, resolve: settle, reject: fail } = Promise.withResolvers<StatementAnswer>();
    const running: Running = { child, settle, fail };
    this.#running = running;
    try {
      child.send({ sql, parameters } satisfies StatementQuestion, (fault) => fault && fail(fault));
      const answer = await promise;
      this.#inTransaction = answer.inTransaction;
      if ("tooLarge" in answer) throw new StatementEnded(answer.tooLarge);
      if ("fault" in answer) throw Object.assign(new Error(answer.fault.message), answer.fault);
      return answer.result;
    } finally {
      clearTimeout(limit);
      if (this.#running === running) this.#running = undefined;
      letGo(child);
      this.#rest();
    }
  }

  /** Ends the process, also in the middle of a statement, which fails with this fault. */
  end(fault: unknown): void {
    const child = this.#child;
    if (!child) return;
    this.#lose(child, fault);
    child.kill("SIGKILL");
  }

  /** Lets the process close the file. */
  async close(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    clearTimeout(this.#idle);
    if (this.#running?.child === child) this.end(new StorageClosed());
    // A statement that comes meanwhile has a process of its own.
    this.#child = undefined;
    this.#inTransaction = false;
    const ended = once(child, "exit");
    const limit = setTimeout(() => child.kill("SIGKILL"), closingMs);
    hold(child);
    if (child.connected) child.disconnect();
    if (child.exitCode === null && child.signalCode === null) await ended;
    clearTimeout(limit);
  }

  #start(): ChildProcess {
    const child = fork(program, [this.#path, this.#mode, String(process.pid)], {
      env: {},
      execArgv: [`--max-old-space-size=${heapMegabytes}`, "--max-semi-space-size=1", "--no-warnings"],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    child.on("message", (answer) => {
      if (this.#running?.child === child) this.#running.settle(answer as StatementAnswer);
    });
    child.once("error", (fault) => this.#lose(child, fault));
    child.once("exit", () =>
      this.#lose(child, new StatementEnded("it took too much memory, or its process was killed")),
    );
    return child;
  }

  #lose(child: ChildProcess, fault: unknown): void {
    if (this.#child === child) {
      this.#child = undefined;
      this.#inTransaction = false;
    }
    if (this.#running?.child === child) this.#running.fail(fault);
  }

  #rest(): void {
    if (!this.#child || this.#inTransaction) return;
    this.#idle = setTimeout(() => void this.close(), idleMs).unref();
  }
}

/** The server does not end while it waits for an answer, and does not wait for a process that has nothing to do. */
function hold(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
}

function letGo(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}
