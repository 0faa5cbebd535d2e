import { spawn, type ChildProcess } from "node:child_process";
import { betweenLooksMs, findStack, pluginOnStack, type CaughtPlugin } from "./blocked-loop.js";
import { blamedPlugin, readCause, writeBlockedNote } from "./blocked-note.js";
import { readBlockingMark } from "./blocking-mark.js";
import { bindSocket, type ListeningSocket } from "./listening-socket.js";
import {
  closeWatchVariable,
  heldBackVariable,
  restartCode,
  standbyVariable,
  supervisedVariable,
  type BeginMessage,
  type KernelMessage,
  type Stack,
} from "./protocol.js";
import { heldBackText, RepeatedEnds } from "./repeated-ends.js";
import { Silence } from "./silence.js";
import { sparingMemory } from "./sparing-memory.js";

export interface SupervisorOptions {
  readonly host: string;
  readonly port: number;
  readonly dataFolder: string;
  /** The program and what it is called with. */
  readonly program: string;
  readonly parameters: readonly string[];
  /** How long the event loop may stand still. */
  readonly blockedMs: number;
  /** Folders of plugins that do not lie in the store, by path. */
  readonly linked: ReadonlyMap<string, string>;
}

const stackLimitMs = 4_000;
/**
 * A kernel that has been silent for this long is looked at for the first time; several signs of life are missing then.
 */
const leastSilenceMs = 1_000;
/** About how long a process takes to open its inspector. */
const inspectorMs = 200;
/** Timers count by another clock than that of the last sign. */
const clockStepMs = 5;
/** Longer than the kernel gives itself to end. */
const restartLimitMs = 45_000;
/**
 * How long a kernel that has nothing left to do may take to exit: it writes the code that V8 compiled, which is slow on
 * a small machine. Node waits for threads that are busy in SQLite without end.
 */
const exitLimitMs = 5_000;
/** What is stuck outside of JavaScript may be at honest work, such as a migration: it gets so many times as long. */
const silences = 6;

/** Runs the kernel as a process of its own, holds the socket for it, and starts it again when it dies or hangs. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #socket: ListeningSocket;
  #child: ChildProcess | undefined;
  /** The kernel after this one, which has loaded its modules and waits. */
  #next: ChildProcess | undefined;
  readonly #silence = new Silence();
  /** Ends once the kernel has been silent for so long that it is looked at. */
  #looking: NodeJS.Timeout | undefined;
  #alive = false;
  #announced = false;
  /** A kernel has ended to be started again, and clients may know it. */
  #hasServed = false;
  #stopping = false;
  /** The kernel ends to be started again, however it ends. */
  #restarting = false;
  #investigating = false;
  /** The code of a kernel that has said that it has ended. */
  #ended: number | undefined;
  /** The last kernel got stuck, and the plugin is not known. */
  #unexplained = false;
  readonly #ends = new RepeatedEnds();

  private constructor(options: SupervisorOptions, socket: ListeningSocket) {
    this.#options = options;
    this.#socket = socket;
  }

  /** Takes the socket. @throws {Error} when it cannot be had */
  static async open(options: SupervisorOptions): Promise<Supervisor> {
    return new Supervisor(options, await bindSocket(options.host, options.port));
  }

  /** Settles with the exit code once the kernel has ended for good. */
  async run(): Promise<number> {
    const watching = setInterval(() => void this.#watch(), Math.min(500, this.#options.blockedMs / 2));
    // The next look of the interval would come up to half a second later.
    this.#looking = setTimeout(() => void this.#watch(), this.#patienceMs + clockStepMs).unref();
    try {
      for (;;) {
        const code = await this.#runOnce();
        const isRestart = code === restartCode || this.#restarting;
        // It has ended in order, to be started again.
        if (this.#stopping) return code === restartCode ? 0 : code;
        if (!isRestart && !this.#mayStartAgain()) return code;
        this.#hasServed ||= isRestart;
      }
    } finally {
      clearInterval(watching);
      clearTimeout(this.#looking);
      this.#dropNext();
      this.#socket.close();
    }
  }

  /** Ends the kernel, by force when it does not end by itself. */
  stop(): void {
    this.#stopping = true;
    const child = this.#child;
    child?.kill("SIGTERM");
    if (child) this.#killLater(child);
  }

  async #runOnce(): Promise<number> {
    this.#alive = false;
    this.#restarting = false;
    this.#ended = undefined;
    const environment = {
      [supervisedVariable]: this.#hasServed || this.#announced ? "again" : "first",
      [heldBackVariable]: heldBackText(this.#ends.heldBack),
      [closeWatchVariable]: this.#unexplained ? "1" : "",
    };
    const child = this.#next ?? this.#spawn(environment);
    if (this.#next) child.send({ kind: "begin", environment } satisfies BeginMessage, () => undefined);
    this.#next = undefined;
    this.#child = child;
    child.on("message", (message: KernelMessage) => this.#hear(message));
    if (this.#stopping) child.kill("SIGTERM");
    const { promise, resolve } = Promise.withResolvers<number>();
    child.once("error", () => resolve(1));
    child.once("exit", (code) => resolve(code ?? this.#ended ?? 1));
    return promise;
  }

  #spawn(environment: Readonly<Record<string, string>>): ChildProcess {
    const { program, parameters } = this.#options;
    const child = spawn(
      process.execPath,
      [...sparingMemory.flags, "--inspect-port=127.0.0.1:0", program, ...parameters],
      {
        env: { ...sparingMemory.environment, ...process.env, ...environment },
        // The last of these are `socketDescriptor` and `followerDescriptor`.
        stdio: ["ignore", "ignore", "pipe", "ipc", this.#socket.fd, this.#socket.fd],
      },
    );
    child.stderr!.pipe(process.stderr, { end: false });
    return child;
  }

  /** The kernel will probably be killed: the next one loads its modules meanwhile. */
  #prepareNext(): void {
    if (this.#next || this.#stopping) return;
    const next = this.#spawn({ [supervisedVariable]: "again", [standbyVariable]: "1" });
    this.#next = next;
    const gone = () => {
      if (this.#next === next) this.#next = undefined;
    };
    next.once("error", gone).once("exit", gone);
  }

  #dropNext(): void {
    this.#next?.kill("SIGKILL");
    this.#next = undefined;
  }

  /** How long the kernel may be silent before it is looked at. */
  get #patienceMs(): number {
    return Math.max(this.#options.blockedMs - betweenLooksMs - inspectorMs, leastSilenceMs);
  }

  #hear(message: KernelMessage): void {
    this.#silence.break(this.#child?.pid);
    this.#looking?.refresh();
    this.#alive = true;
    if (message.kind === "restarting") this.#insistOnRestart();
    if (message.kind === "ended") this.#insistOnExit(message.code);
    if (message.kind !== "listening") return;
    if (this.#announced) return;
    this.#announced = true;
    process.stdout.write(`${JSON.stringify({ listening: message.url })}\n`);
  }

  /** A kernel that has said that it ends is not waited for without end. */
  #insistOnRestart(): void {
    this.#restarting = true;
    if (this.#child) this.#killLater(this.#child);
  }

  #insistOnExit(code: number): void {
    this.#ended = code;
    if (this.#child) this.#killLater(this.#child, exitLimitMs);
  }

  #killLater(child: ChildProcess, limitMs = restartLimitMs): void {
    const timer = setTimeout(() => child.kill("SIGKILL"), limitMs).unref();
    child.once("exit", () => clearTimeout(timer));
  }

  /** A first kernel that never came up would not the next time either, unless it is known why. */
  #mayStartAgain(): boolean {
    const plugin = blamedPlugin(this.#options.dataFolder);
    if (plugin === undefined && !this.#announced) return false;
    return this.#ends.add(plugin);
  }

  async #watch(): Promise<void> {
    const { blockedMs, linked } = this.#options;
    const child = this.#child;
    if (
      !child ||
      !this.#alive ||
      this.#investigating ||
      this.#stopping ||
      child.exitCode !== null ||
      this.#silence.lengthMs < this.#patienceMs
    )
      return;
    this.#investigating = true;
    let killed = false;
    try {
      const caught = (frames: Stack) => pluginOnStack(frames, linked);
      const leftMs = (limitMs: number) => this.#silence.leftMs(limitMs, child.pid);
      const { stack, cause } = await findStack(child, stackLimitMs, {
        answers: () => this.#prepareNext(),
        isInPlugin: (frames) => caught(frames) !== undefined,
        patienceLeftMs: () => leftMs(blockedMs),
        willKill: () => leftMs(blockedMs) <= 0,
      });
      const looping = caught(stack);
      // A slow machine is no reason to kill: only a plugin that is caught in the act, or a very long silence.
      if (leftMs(looping === undefined ? blockedMs * silences : blockedMs) > 0) return;
      this.#leaveWord(looping, cause, this.#silence.lengthMs);
      child.kill("SIGKILL");
      killed = true;
    } finally {
      this.#investigating = false;
      if (!killed) this.#dropNext();
    }
  }

  /** Tells the next kernel of which plugin this one dies, as far as that is known. */
  #leaveWord(looping: CaughtPlugin | undefined, cause: string | undefined, silentMs: number): void {
    const { blockedMs, dataFolder } = this.#options;
    const mark = looping === undefined ? readBlockingMark(dataFolder) : { plugin: looping.plugin, cause };
    const plugin = mark?.plugin;
    this.#unexplained = plugin === undefined;
    if (plugin === undefined)
      return void process.stderr.write(
        `The kernel has been stuck for ${silentMs} ms; by which plugin is not known. The next one will look more closely.\n`,
      );
    const told =
      looping === undefined ? `${blockedMs * silences} ms, outside of JavaScript` : `${blockedMs} ms, ${looping.place}`;
    const reason = `It kept the whole server waiting for more than ${told}.`;
    writeBlockedNote(dataFolder, { plugin, reason, cause: readCause(mark?.cause) });
  }
}
