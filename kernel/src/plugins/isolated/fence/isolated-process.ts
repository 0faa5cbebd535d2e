import { spawn, type ChildProcess } from "node:child_process";
import type { Duplex, Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { LongboxError, type Logger } from "@longbox/sdk";
import { Channel, type ChannelOptions } from "../wire/channel.js";
import { commandFor, type FenceKind, type Grants } from "./fence.js";
import { memoryOf } from "./memory-use.js";

const entry = fileURLToPath(new URL("../child/entry.js", import.meta.url));
const longestLine = 2_000;
const lookEveryMs = 500;
/** A process on its way to the end may say why on its standard error. */
const lastWordsMs = 100;

export interface ProcessLimits {
  /** How much memory the process may take in all, in bytes. */
  readonly memoryBytes: number;
  /** How long its event loop may be blocked. */
  readonly blockedMs: number;
}

export interface ProcessStart extends ProcessLimits {
  readonly plugin: string;
  readonly fence: FenceKind;
  readonly grants: Grants;
  readonly log: Logger;
}

/** The process of an isolated plugin ended without being told to. */
export class ProcessEnded extends LongboxError {
  constructor(plugin: string, how: string) {
    super(
      "unavailable",
      "kernel/isolated-ended",
      `The process of the plugin "${plugin}" ended: ${how}.`,
      { plugin, how },
      { retryAfterSeconds: 2 },
    );
  }
}

/** A process behind a fence, with a channel to what runs in it. It is ended when it hangs, or takes too much memory. */
export class IsolatedProcess {
  readonly channel: Channel;
  /** Settles once the process is gone. */
  readonly gone: Promise<void>;
  readonly #child: ChildProcess;
  readonly #start: ProcessStart;
  readonly #watch: NodeJS.Timeout;
  #lastWords = "";
  #why: string | undefined;
  #isExpected = false;

  /**
   * @param ended - hears when it ended without having been told to
   */
  constructor(
    start: ProcessStart,
    channel: Pick<ChannelOptions, "doors" | "kinds" | "run" | "failed">,
    ended: (fault: ProcessEnded) => void,
  ) {
    this.#start = start;
    const { program, arguments: given } = commandFor(start.fence, start.grants, entry);
    const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    this.#child = spawn(program, given, { cwd: "/", env: { TZ: timeZone }, stdio: ["ignore", "pipe", "pipe", "pipe"] });
    this.gone = new Promise((resolve) => {
      this.#child.once("exit", () => resolve());
      this.#child.once("error", () => resolve());
    });
    this.channel = new Channel(this.#child.stdio[3] as Duplex, {
      ...channel,
      rule: "all",
      lost: () => new ProcessEnded(start.plugin, this.#why ?? "its connection was closed"),
      closed: (reason) => {
        if (!(reason instanceof ProcessEnded)) this.#why ??= `the connection to it broke (${reason.message})`;
        this.#child.kill("SIGKILL");
      },
    });
    this.#listen(this.#child.stdout!);
    this.#listen(this.#child.stderr!);
    const end = (how: string) => this.#end(how, ended);
    this.#child.once("error", (fault) => end(fault.message));
    this.#child.once("exit", (code, signal) => setTimeout(() => end(this.#reason(code, signal)), lastWordsMs));
    this.#watch = setInterval(() => void this.#look(), lookEveryMs);
    this.#watch.unref();
  }

  /** Ends it, whatever it is doing. */
  async release(): Promise<void> {
    this.#isExpected = true;
    clearInterval(this.#watch);
    this.#child.kill("SIGKILL");
    await this.gone;
    this.channel.end(new ProcessEnded(this.#start.plugin, "it was stopped"));
  }

  #end(how: string, ended: (fault: ProcessEnded) => void): void {
    clearInterval(this.#watch);
    const fault = new ProcessEnded(this.#start.plugin, how);
    this.channel.end(fault);
    if (this.#isExpected) return;
    this.#isExpected = true;
    ended(fault);
  }

  #reason(code: number | null, signal: NodeJS.Signals | null): string {
    if (this.#why !== undefined) return this.#why;
    if (this.#lastWords.includes("heap out of memory")) return "its heap took more memory than it may have";
    const how = signal === null ? `with the code ${code}` : `with the signal ${signal}`;
    const said = this.#lastWords.trim().split("\n").at(-1);
    return said ? `${how}, after "${said.slice(0, 200)}"` : how;
  }

  #listen(output: Readable): void {
    output.setEncoding("utf8");
    output.on("data", (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-longestLine);
      this.#start.log.info("Output of the plugin's process.", { text: text.slice(0, longestLine) });
    });
  }

  #looking = false;

  async #look(): Promise<void> {
    if (this.#looking || this.#child.pid === undefined) return;
    this.#looking = true;
    const { memoryBytes, blockedMs } = this.#start;
    const late = setTimeout(() => this.#stop(`it did nothing else for ${blockedMs} ms`), blockedMs);
    try {
      const used = await memoryOf(this.#child.pid);
      if (used !== undefined && used > memoryBytes)
        this.#stop(
          `it took ${Math.round(used / 1_000_000)} MB of memory, and may have ${Math.round(memoryBytes / 1_000_000)} MB`,
        );
      await this.channel.call("ping", []);
    } catch {
      // The channel has ended, which the end of the process tells.
    } finally {
      clearTimeout(late);
      this.#looking = false;
    }
  }

  #stop(why: string): void {
    this.#why ??= why;
    this.#child.kill("SIGKILL");
  }
}
