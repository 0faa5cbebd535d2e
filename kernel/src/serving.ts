import { setTimeout as pause } from "node:timers/promises";
import { isLongboxError, type Releasable } from "@longbox/sdk";
import { Kernel } from "./kernel.js";
import type { KernelOptions } from "./kernel-options.js";
import { finishRestore } from "./backup/index.js";
import { ServerLog } from "./logging/server-log.js";
import { pluginInStack, watchForFaults } from "./plugins/containment/fault-watch.js";
import { currentOwner } from "./plugins/containment/attribution.js";
import { currentCause, describeCause } from "./plugins/containment/request-cause.js";
import { restWhenIdle } from "./memory/resting.js";
import { answerWith, type ClosedDoor } from "./http/receiving/closed-door.js";
import { databaseAnswers, isDatabaseAway, TemporaryPlaces } from "./storage/index.js";
import { awaitTurn, type Turn } from "./servers/turn.js";
import { takeBlockedNote, writeBlockedNote } from "./supervisor/blocked-note.js";
import { watchForBlocking } from "./supervisor/blocked-watch.js";
import { readHeldBack, type FormerEnds } from "./supervisor/repeated-ends.js";
import {
  heartbeatMs,
  heldBackVariable,
  restartCode,
  supervisedVariable,
  type KernelMessage,
} from "./supervisor/protocol.js";
import { whenAskedToEnd } from "./supervisor/supervise.js";

/** Runs a kernel as this process, below a supervisor: until a signal, or until the supervisor is gone. */
export async function serve(options: KernelOptions): Promise<void> {
  const log = new ServerLog();
  const ending = new Ending();
  whenAskedToEnd(() => ending.end(0));
  let alive: NodeJS.Timeout | undefined;
  /** From now on the supervisor watches this process. */
  const listening = (url: string) => {
    alive ??= setInterval(() => tell({ kind: "alive" }), heartbeatMs).unref();
    tell({ kind: "listening", url });
  };
  try {
    const turn = await awaitTurn(options, {
      own: (part) => ending.own(part),
      listening,
      lost: () => ending.end(restartCode),
      log: log.logger("servers"),
    });
    const kernel = await openKernel({ ...options, peerSecret: turn.peerSecret }, log, ending);
    await run(kernel, turn, { options, log, ending }).finally(() => clearInterval(alive));
  } catch (fault) {
    if (!isDatabaseAway(fault) || !isLongboxError(fault)) throw fault;
    log
      .logger("kernel")
      .error("The database server does not answer; Longbox waits for it.", { cause: String(fault.cause) });
    const { host, port, socket } = options;
    const door = await answerWith(fault, socket ?? { host, port });
    listening(door.url);
    await untilDatabaseAnswers(door, options, ending);
  }
}

async function openKernel(options: KernelOptions, log: ServerLog, ending: Ending): Promise<Kernel> {
  // What libraries put into the system's temporary folder is swept with ours, and lies on no smaller disk.
  new TemporaryPlaces(options.dataFolder).useForLibraries();
  if (await finishRestore(options.dataFolder)) log.logger("kernel").info("A backup was restored.");
  return Kernel.open(options, log, () => ending.end(restartCode));
}

interface Run {
  readonly options: KernelOptions;
  readonly log: ServerLog;
  readonly ending: Ending;
}

async function run(kernel: Kernel, turn: Turn, { options, log, ending }: Run): Promise<void> {
  const { dataFolder } = options;
  ending.kernel = kernel;
  process.once("exit", () => ending.begun || blameForExit(kernel, dataFolder));
  watchForFaults(kernel.host, log.logger("kernel"), () => ending.end(1));
  tell({ kind: "alive" });
  watchForBlocking(dataFolder, {
    turned: () => tell({ kind: "alive" }),
    abandonRequests: () => kernel.abandonRequests(),
  });
  const blocked = await takeBlockedNote(dataFolder);
  const before: FormerEnds = { blocked, heldBack: readHeldBack(process.env[heldBackVariable]) };
  const { url, installed } = await begin(kernel, turn, before);
  if (installed >= manyPlugins && process.env[supervisedVariable] === "first") return ending.end(restartCode);
  sayHowToBegin(kernel);
  await turn.answersAt(url);
  tell({ kind: "listening", url });
  restWhenIdle();
}

/**
 * Every request is told that the database server is away, until it is back and this process ends to be started again.
 */
async function untilDatabaseAnswers(door: ClosedDoor, { storage }: KernelOptions, ending: Ending): Promise<void> {
  while (!ending.begun && !(await databaseAnswers(storage))) await pause(betweenLooksMs);
  await Promise.race([door.close(), pause(lastAnswersMs, undefined, { ref: false })]);
  ending.end(restartCode);
}

/** How often the database server is looked for. */
const betweenLooksMs = 500;
/** How long those who were connected when it came back wait for their answer. */
const lastAnswersMs = 2_000;

/** How long those who wait for an answer during a restart wait for a plugin that takes long. */
const restartPatienceMs = 5_000;

/**
 * A kernel that has installed so many plugins ends before it serves, and the supervisor starts it again, in about a
 * second: it would keep the memory that installing took, 20 MB, for as long as it runs.
 */
const manyPlugins = 10;

interface Begun {
  readonly url: string;
  /** How many plugins were brought along. */
  readonly installed: number;
}

/** Health can be asked at once. After a restart, all other requests wait until everything is there again. */
async function begin(kernel: Kernel, { hasFollowed }: Turn, before: FormerEnds): Promise<Begun> {
  if (hasFollowed || process.env[supervisedVariable] === "again") {
    const starting = kernel.startPlugins(before);
    const url = await kernel.listen(Promise.race([starting, pause(restartPatienceMs, undefined, { ref: false })]));
    return { url, installed: await starting };
  }
  const url = await kernel.listen();
  return { url, installed: await kernel.startPlugins(before) };
}

/** How long the orderly end may take. */
const endLimitMs = 30_000;

/** The one way out of this process. */
class Ending {
  kernel: Kernel | undefined;
  readonly #owned: Releasable[] = [];
  begun = false;

  /** Releases it at the end, the last one first. */
  own(part: Releasable): void {
    this.#owned.push(part);
  }

  end(code: number): void {
    if (this.begun) return;
    this.begun = true;
    void this.#end(code);
  }

  async #end(code: number): Promise<void> {
    if (code === restartCode) tell({ kind: "restarting" });
    // What does not let go is left behind: everything acknowledged is on disk, and the next start sweeps up.
    setTimeout(() => {
      process.stderr.write(`The server did not end within ${endLimitMs} ms; it ends as it is.\n`);
      void leave(code);
    }, endLimitMs).unref();
    try {
      await this.kernel?.stop();
      for (const part of this.#owned.toReversed()) await part.release();
      await leave(code);
    } catch (failure) {
      process.stderr.write(`${failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)}\n`);
      await leave(1);
    }
  }
}

/**
 * Exits once the supervisor knows that nothing is left to do: `process.exit` waits for threads that cannot be
 * interrupted, such as those with a long query of SQLite, and the supervisor ends the process when that takes long.
 */
async function leave(code: number): Promise<never> {
  // Without a supervisor there is no reader of the code, and nothing would end the process.
  if (!process.connected) process.kill(process.pid, "SIGKILL");
  await new Promise((resolve) => process.send?.({ kind: "ended", code } satisfies KernelMessage, resolve));
  process.exit(code);
}

/** Something other than the kernel has ended the process. The call is still on the stack. */
function blameForExit(kernel: Kernel, dataFolder: string): void {
  const plugin = pluginInStack(kernel.host, new Error("exit")) ?? currentOwner()?.id;
  const cause = currentCause();
  if (plugin !== undefined)
    writeBlockedNote(dataFolder, {
      plugin,
      reason: "It ended the process of the whole server.",
      cause: cause && describeCause(cause),
    });
  process.exitCode = 1;
}

function tell(message: KernelMessage): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

/** From another machine, the first account is made with this token. It goes past the log, which is kept. */
function sayHowToBegin(kernel: Kernel): void {
  const { open, setupToken } = kernel.access.openMode;
  if (open)
    process.stderr.write(
      `There is no account yet. To make the first one from another machine, use the setup token ${setupToken}\n`,
    );
}
