import { spawn, type ChildProcess } from "node:child_process";
import { constants } from "node:os";
import type { Duplex, Readable } from "node:stream";
import type { Logger } from "@longbox/sdk";
import { Channel, type ChannelOptions } from "../wire/channel.js";
import { processEntry } from "./code-folders.js";
import { commandFor, type FenceKind, type Grants } from "./fence.js";
import { memoryOf } from "./memory-use.js";
import { placeIn, ProcessEnded, wordsOfEnd, type EndKind, type EndShared, type ProcessEnd } from "./process-ended.js";

const longestLine = 2_000;
/** Of its last output: the stack of an abort comes after a long one of the engine. */
const longestWords = 20_000;
/** The connections of the process come after its standard streams. */
const firstConnection = 3;
const pingEveryMs = 500;
/** Modules are loaded without a pause, which takes long on a busy machine. */
const startingMs = 15_000;
const weighEveryMs = 200;
/** How long the last output of a process that has ended may be on its way; something else may hold its streams open. */
const lastWordsMs = 1_000;
/** A process that has closed its connection may take so long to end. */
const endingMs = 2_000;

export interface ProcessLimits {
  /** How much memory the process may take in all, in bytes. */
  readonly memoryBytes: number;
  /** How long its event loop may be blocked. */
  readonly blockedMs: number;
}

export interface ProcessStart extends ProcessLimits {
  readonly fence: FenceKind;
  readonly grants: Grants;
  /** How many plugins may be in it in all, one after the other or at once. */
  readonly seats: number;
  /** Called once a process that several plugins have been in ends by itself, before their calls are refused. */
  readonly lost?: () => void;
}

/** A plugin in a process. */
export interface SeatStart {
  readonly plugin: string;
  /** Where its code lies. */
  readonly folder: string;
  readonly log: Logger;
}

type SeatChannel = Pick<ChannelOptions, "doors" | "kinds" | "run" | "failed">;

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

/** One plugin in a process, with a channel to what runs of it. */
export interface Seat {
  readonly channel: Channel;
  /**
   * The memory of the process, with that of the processes that it started; undefined before it was weighed, and where
   * the system does not tell.
   */
  readonly memoryBytes: number | undefined;
  /** The ids of the other plugins that are in the process now. */
  readonly sharers: readonly string[];
  /** The plugin has been activated: from now on it may not be blocked for long. */
  started(): void;
  /** Leaves the process, and ends it, whatever it is doing, when no other plugin is in it. */
  release(): Promise<void>;
}

interface Taken extends SeatStart {
  readonly channel: Channel;
  readonly listener: EndListener | undefined;
  isStarting: boolean;
  isReleased: boolean;
  /** Its connection has been lost. */
  isLost: boolean;
}

/** Starts a process for one plugin. */
export function startAlone(
  start: Omit<ProcessStart, "seats"> & SeatStart,
  channel: SeatChannel,
  listener?: EndListener,
): Seat {
  return new IsolatedProcess({ ...start, seats: 1 }).seat(start, channel, listener);
}

/**
 * A process behind a fence, for one plugin or for several that share it. It is ended when it hangs, takes too much
 * memory or breaks the rules of a channel.
 */
export class IsolatedProcess {
  /** Settles once the process is gone. */
  readonly gone: Promise<void>;
  readonly #child: ChildProcess;
  readonly #start: ProcessStart;
  readonly #watches: readonly NodeJS.Timeout[];
  /** All plugins that have been in it. */
  readonly #taken: Taken[] = [];
  #lastWords = "";
  #why: Pick<ProcessEnd, "kind" | "how"> | undefined;
  /** Whose channel broke. */
  #breaker: Taken | undefined;
  /** It was ended because it had closed a connection, and did not end by itself. */
  #isHelped = false;
  #isOver = false;
  #memoryBytes: number | undefined;

  constructor(start: ProcessStart) {
    this.#start = start;
    const { program, arguments: given } = commandFor(start.fence, start.grants, [processEntry, String(start.seats)]);
    const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    this.#child = spawn(program, given, {
      cwd: "/",
      env: { TZ: timeZone },
      stdio: ["ignore", "pipe", "pipe", ...Array.from({ length: start.seats }, () => "pipe" as const)],
    });
    // A connection that no plugin has taken yet may break when the process ends.
    for (const connection of this.#child.stdio.slice(firstConnection)) connection?.on("error", () => undefined);
    this.gone = new Promise((resolve) => {
      this.#child.once("exit", () => resolve());
      this.#child.once("error", () => resolve());
    });
    this.#listen(this.#child.stdout!);
    this.#listen(this.#child.stderr!);
    this.#child.once("error", (fault) => this.#end({ kind: "killed", how: fault.message }));
    const hear = (code: number | null, signal: NodeJS.Signals | null) => this.#end(this.#reason(code, signal));
    // After its last output.
    this.#child.once("close", hear);
    this.#child.once("exit", (code, signal) => setTimeout(() => hear(code, signal), lastWordsMs).unref());
    this.#watches = [
      setInterval(() => void this.#ping(), pingEveryMs).unref(),
      setInterval(() => void this.#weigh(), weighEveryMs).unref(),
    ];
  }

  /** Whether another plugin can come in. */
  get hasRoom(): boolean {
    const connection = this.#child.stdio[firstConnection + this.#taken.length];
    return !this.#isOver && this.#why === undefined && connection?.destroyed === false;
  }

  /** Lets a plugin in. `hasRoom` has to be true. */
  seat(start: SeatStart, channel: SeatChannel, listener?: EndListener): Seat {
    const connection = this.#child.stdio[firstConnection + this.#taken.length] as Duplex;
    const taken: Taken = {
      ...start,
      listener,
      isStarting: true,
      isReleased: false,
      isLost: false,
      channel: new Channel(connection, {
        ...channel,
        rule: "all",
        lost: (fault) => {
          this.#hearLost(taken, fault);
          return undefined;
        },
      }),
    };
    this.#taken.push(taken);
    const memory = () => this.#memoryBytes;
    const sharers = () => this.#sharersOf(taken);
    return {
      channel: taken.channel,
      get memoryBytes() {
        return memory();
      },
      get sharers() {
        return sharers();
      },
      started: () => void (taken.isStarting = false),
      release: () => this.#release(taken),
    };
  }

  get #present(): Taken[] {
    return this.#taken.filter((taken) => !taken.isReleased);
  }

  #sharersOf(taken: Taken): string[] {
    return this.#present.flatMap((other) => (other === taken ? [] : other.plugin));
  }

  #shared(taken: Taken, culprit: Taken | undefined): EndShared {
    if (this.#taken.length === 1) return { sharers: [], by: "plugin" };
    const by = culprit === undefined ? "unknown" : culprit === taken ? "plugin" : "sharer";
    return { sharers: this.#taken.flatMap(({ plugin }) => (plugin === taken.plugin ? [] : plugin)), by };
  }

  /** Calls that are under way wait until it is known how the process ended. */
  #hearLost(taken: Taken, fault?: Error): void {
    if (taken.isReleased || taken.isLost) return;
    taken.isLost = true;
    if (fault) {
      this.#breaker ??= taken;
      this.#why ??= { kind: "own", how: `the connection to it broke (${fault.message})` };
    }
    if (this.#taken.length > 1) this.#start.lost?.();
    taken.listener?.lost(this.#why?.kind === "blocked" ? this.#pingedAt : performance.now());
    if (this.#why === undefined) setTimeout(() => this.#help(taken), endingMs).unref();
    else this.#child.kill("SIGKILL");
  }

  /** A process that is ending by itself says how before it is helped along. */
  #help(taken: Taken): void {
    if (this.#isOver) return;
    this.#breaker ??= taken;
    this.#isHelped = true;
    this.#child.kill("SIGKILL");
  }

  get #isEnding(): boolean {
    return this.#taken.some(({ isLost }) => isLost);
  }

  async #release(taken: Taken): Promise<void> {
    taken.isReleased = true;
    if (this.#present.length === 0) {
      this.#watchNoMore();
      this.#isOver = true;
      this.#child.kill("SIGKILL");
      await this.gone;
    }
    taken.channel.end(new ProcessEnded(taken.plugin, { kind: "killed", how: "it was stopped" }));
  }

  #watchNoMore(): void {
    for (const watch of this.#watches) clearInterval(watch);
    this.#memoryBytes = undefined;
  }

  #end(how: ProcessEnd): void {
    this.#watchNoMore();
    if (this.#isOver) return;
    this.#isOver = true;
    const said = this.#lastWords.trim() === "" ? undefined : this.#lastWords.trim();
    const found = said === undefined ? undefined : this.#findPlace(said);
    const culprit = this.#taken.length === 1 ? this.#taken[0] : (this.#breaker ?? found?.taken);
    const whose = found && this.#taken.length > 1 ? `${found.place} of "${found.taken.plugin}"` : found?.place;
    const present = this.#present;
    const faults = present.map((taken) => {
      const fault = new ProcessEnded(taken.plugin, { ...how, place: whose, said }, this.#shared(taken, culprit));
      this.#hearLost(taken);
      taken.channel.end(fault);
      return fault;
    });
    for (const [index, taken] of present.entries()) taken.listener?.ended(faults[index]!);
  }

  /** The innermost frame of a plugin. Where there are several, an earlier line of the output would prove nothing. */
  #findPlace(said: string): { readonly taken: Taken; readonly place: string } | undefined {
    const words = this.#taken.length === 1 ? said : (wordsOfEnd(said) ?? "");
    for (const line of words.split("\n"))
      for (const taken of this.#taken) {
        const place = placeIn(line, taken.folder);
        if (place !== undefined) return { taken, place };
      }
    return undefined;
  }

  #reason(code: number | null, signal: NodeJS.Signals | null): ProcessEnd {
    if (this.#why !== undefined) return this.#why;
    // bubblewrap passes a signal on as 128 and its number.
    const number = signal === null ? (code ?? 0) - 128 : constants.signals[signal];
    const name = Object.entries(constants.signals).find(([, each]) => each === number)?.[0];
    const isKilled = number === constants.signals.SIGKILL;
    if (isKilled && this.#isHelped)
      return { kind: "own", how: "it closed its connection to the server, and went on without it" };
    // The engine ends with a signal then; a plugin that only writes the same words does not.
    if (name !== undefined && !isKilled && /^FATAL ERROR: .*out of memory/im.test(this.#lastWords))
      return { kind: "memory", how: "its heap took more memory than it may have" };
    const kind: EndKind = isKilled ? "killed" : "own";
    return { kind, how: name === undefined ? `with the code ${code}` : `with the signal ${name}` };
  }

  #listen(output: Readable): void {
    output.setEncoding("utf8");
    output.on("data", (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-longestWords);
      const shared = this.#present.length > 1 && { of: this.#present.map(({ plugin }) => plugin) };
      this.#present[0]?.log.info("Output of the plugin's process.", { text: text.slice(0, longestLine), ...shared });
    });
  }

  #pinging = false;
  #pingedAt = 0;

  async #ping(): Promise<void> {
    const [asked] = this.#present;
    if (this.#pinging || !asked || this.#isEnding) return;
    this.#pinging = true;
    this.#pingedAt = performance.now();
    const blockedMs = Math.max(
      this.#start.blockedMs,
      this.#present.some(({ isStarting }) => isStarting) ? startingMs : 0,
    );
    const stop = () => this.#stop("blocked", `it did nothing else for ${blockedMs} ms`);
    const late = setTimeout(stop, Math.max(blockedMs - pingEveryMs, pingEveryMs));
    try {
      await asked.channel.call("ping", []);
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
    // A process on its way to the end does nothing else, and has its own reason.
    if (this.#isEnding) return;
    this.#why ??= { kind, how };
    this.#child.kill("SIGKILL");
  }
}

const megabytes = (bytes: number) => Math.round(bytes / 1_000_000);
