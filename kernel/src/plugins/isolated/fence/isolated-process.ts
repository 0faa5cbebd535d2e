import { spawn, type ChildProcess } from "node:child_process";
import { constants } from "node:os";
import type { Duplex, Readable } from "node:stream";
import type { Logger } from "@longbox/sdk";
import { Channel, type ChannelOptions } from "../wire/channel.js";
import { processEntry } from "./code-folders.js";
import { commandFor, type FenceKind, type Grants } from "./fence.js";
import { memoryOf } from "./memory-use.js";
import { placeIn, ProcessEnded, type EndKind, type ProcessEnd } from "./process-ended.js";

const longestLine = 2_000;
/** Of its last output: the stack of an abort comes after a long one of the engine. */
const longestWords = 20_000;
const pingEveryMs = 500;
/** Modules are loaded without a pause, which takes long on a busy machine. */
const startingMs = 15_000;
const weighEveryMs = 200;
/** A process on its way to the end may say why on its standard error. */
const lastWordsMs = 100;
/** A process that has closed its connection may take so long to end. */
const endingMs = 2_000;

export interface ProcessLimits {
  /** How much memory the process may take in all, in bytes. */
  readonly memoryBytes: number;
  /** How long its event loop may be blocked. */
  readonly blockedMs: number;
}

export interface ProcessStart extends ProcessLimits {
  readonly plugin: string;
  /** Where its code lies. */
  readonly folder: string;
  readonly fence: FenceKind;
  readonly grants: Grants;
  readonly log: Logger;
}

/** Who hears of an end that was not asked for. */
export interface EndListener {
  /**
   * Called first, before the calls that are under way are refused.
   * @param begunBefore - what ended the process had begun before this time of `performance.now()`
   */
  lost(begunBefore: number): void;
  /** Called once it is known how it ended. */
  ended(fault: ProcessEnded): void;
}

/** A process behind a fence, with a channel to what runs in it. It is ended when it hangs, or takes too much memory. */
export class IsolatedProcess {
  readonly channel: Channel;
  /** Settles once the process is gone. */
  readonly gone: Promise<void>;
  readonly #child: ChildProcess;
  readonly #start: ProcessStart;
  readonly #watches: readonly NodeJS.Timeout[];
  #lastWords = "";
  #why: Pick<ProcessEnd, "kind" | "how"> | undefined;
  #isExpected = false;
  #isStarting = true;
  #memoryBytes: number | undefined;

  constructor(
    start: ProcessStart,
    channel: Pick<ChannelOptions, "doors" | "kinds" | "run" | "failed">,
    listener?: EndListener,
  ) {
    this.#start = start;
    const { program, arguments: given } = commandFor(start.fence, start.grants, processEntry);
    const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    this.#child = spawn(program, given, { cwd: "/", env: { TZ: timeZone }, stdio: ["ignore", "pipe", "pipe", "pipe"] });
    this.gone = new Promise((resolve) => {
      this.#child.once("exit", () => resolve());
      this.#child.once("error", () => resolve());
    });
    this.channel = new Channel(this.#child.stdio[3] as Duplex, {
      ...channel,
      rule: "all",
      lost: () => new ProcessEnded(start.plugin, this.#why ?? { kind: "own", how: "its connection was closed" }),
      closed: (reason) => {
        if (!(reason instanceof ProcessEnded))
          this.#why ??= { kind: "own", how: `the connection to it broke (${reason.message})` };
        // Calls are refused in a later turn of the event loop.
        if (!this.#isExpected) listener?.lost(this.#why?.kind === "blocked" ? this.#pingedAt : performance.now());
        // A process that is ending by itself should say how before it is helped along.
        if (this.#why === undefined) setTimeout(() => this.#child.kill("SIGKILL"), endingMs).unref();
        else this.#child.kill("SIGKILL");
      },
    });
    this.#listen(this.#child.stdout!);
    this.#listen(this.#child.stderr!);
    const end = (how: ProcessEnd) => this.#end(how, listener);
    this.#child.once("error", (fault) => end({ kind: "killed", how: fault.message }));
    this.#child.once("exit", (code, signal) => setTimeout(() => end(this.#reason(code, signal)), lastWordsMs));
    this.#watches = [
      setInterval(() => void this.#ping(), pingEveryMs).unref(),
      setInterval(() => void this.#weigh(), weighEveryMs).unref(),
    ];
  }

  /** Its memory, with the processes that it started, when it was weighed last; undefined before, and where the system does not tell. */
  get memoryBytes(): number | undefined {
    return this.#memoryBytes;
  }

  /** The plugin has been activated: from now on it may not be blocked for long. */
  started(): void {
    this.#isStarting = false;
  }

  /** Ends it, whatever it is doing. */
  async release(): Promise<void> {
    this.#isExpected = true;
    this.#watchNoMore();
    this.#child.kill("SIGKILL");
    await this.gone;
    this.channel.end(new ProcessEnded(this.#start.plugin, { kind: "killed", how: "it was stopped" }));
  }

  #watchNoMore(): void {
    for (const watch of this.#watches) clearInterval(watch);
    this.#memoryBytes = undefined;
  }

  #end(how: ProcessEnd, listener: EndListener | undefined): void {
    this.#watchNoMore();
    const fault = new ProcessEnded(this.#start.plugin, how);
    this.channel.end(fault);
    if (this.#isExpected) return;
    this.#isExpected = true;
    listener?.ended(fault);
  }

  #reason(code: number | null, signal: NodeJS.Signals | null): ProcessEnd {
    const said = this.#lastWords.trim() === "" ? undefined : this.#lastWords.trim();
    const place = said && placeIn(said, this.#start.folder);
    if (this.#why !== undefined) return { ...this.#why, place, said };
    if (said?.includes("heap out of memory"))
      return { kind: "memory", how: "its heap took more memory than it may have", place, said };
    // bubblewrap passes a signal on as 128 and its number.
    const number = signal === null ? (code ?? 0) - 128 : constants.signals[signal];
    const name = Object.entries(constants.signals).find(([, each]) => each === number)?.[0];
    const kind: EndKind = number === constants.signals.SIGKILL ? "killed" : "own";
    return { kind, how: name === undefined ? `with the code ${code}` : `with the signal ${name}`, place, said };
  }

  #listen(output: Readable): void {
    output.setEncoding("utf8");
    output.on("data", (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-longestWords);
      this.#start.log.info("Output of the plugin's process.", { text: text.slice(0, longestLine) });
    });
  }

  #pinging = false;
  #pingedAt = 0;

  async #ping(): Promise<void> {
    if (this.#pinging) return;
    this.#pinging = true;
    this.#pingedAt = performance.now();
    const blockedMs = Math.max(this.#start.blockedMs, this.#isStarting ? startingMs : 0);
    const stop = () => this.#stop("blocked", `it did nothing else for ${blockedMs} ms`);
    const late = setTimeout(stop, Math.max(blockedMs - pingEveryMs, pingEveryMs));
    try {
      await this.channel.call("ping", []);
    } catch {
      // The channel has ended, which the end of the process tells.
    } finally {
      clearTimeout(late);
      this.#pinging = false;
    }
  }

  #weighing = false;

  /** Apart from the ping, since a process that answers nothing may take memory meanwhile. */
  async #weigh(): Promise<void> {
    if (this.#weighing || this.#child.pid === undefined) return;
    this.#weighing = true;
    const { memoryBytes } = this.#start;
    const used = await memoryOf(this.#child.pid);
    this.#weighing = false;
    this.#memoryBytes = used;
    if (used !== undefined && used > memoryBytes)
      this.#stop("memory", `it took ${megabytes(used)} MB of memory, and may have ${megabytes(memoryBytes)} MB`);
  }

  #stop(kind: EndKind, how: string): void {
    this.#why ??= { kind, how };
    this.#child.kill("SIGKILL");
  }
}

const megabytes = (bytes: number) => Math.round(bytes / 1_000_000);
