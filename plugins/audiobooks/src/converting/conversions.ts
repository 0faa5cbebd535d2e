import { spawn, type ChildProcessByStdio } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Readable } from "node:stream";
import { Socket } from "node:net";
import type { Content, Releasable } from "@longbox/sdk";
import { CannotConvert, ConvertingTooMuch } from "../audiobook-errors.js";

/** One conversion takes a core for as long as the listener's buffer is not full. */
const mostAtOnce = 4;
/** An answer of which nothing is read for so long is ended, and its process with it. */
const stalledMs = 10 * 60_000;

type Ffmpeg = ChildProcessByStdio<null, Readable, null>;

export interface ConversionRequest {
  /** The real path of a file that was opened: ffmpeg follows no link. */
  readonly path: string;
  /** Seconds from the beginning of the file. */
  readonly from: number;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
}

/** Converts sound that a browser cannot play into MP3, with the ffmpeg of the machine. */
export class Conversions implements Releasable {
  readonly #running = new Set<Ffmpeg>();

  /** @param program - the path of ffmpeg; undefined where there is none */
  constructor(private readonly program: string | undefined) {}

  get areAvailable(): boolean {
    return this.program !== undefined;
  }

  /** @throws {CannotConvert} @throws {ConvertingTooMuch} */
  start({ path, from, signal }: ConversionRequest): Content {
    if (this.program === undefined) throw new CannotConvert();
    if (this.#running.size >= mostAtOnce) throw new ConvertingTooMuch();
    const child = spawn(this.program, parametersFor(path, from), { stdio: ["ignore", "pipe", "ignore"], env: {} });
    this.#running.add(child);
    const watch = watchStalls(child);
    const stop = () => child.kill("SIGKILL");
    signal.addEventListener("abort", stop);
    child.stdout.on("close", stop);
    // The answer that sends the stream hears of its fault too; without a listener here, one before that ends the
    // server.
    child.stdout.on("error", stop);
    child.on("error", (thrown) => child.stdout.destroy(thrown));
    child.once("close", () => {
      watch.release();
      signal.removeEventListener("abort", stop);
      this.#running.delete(child);
    });
    return { kind: "stream", stream: child.stdout, contentType: "audio/mpeg" };
  }

  async release(): Promise<void> {
    const closed = [...this.#running].map(
      (child) => new Promise<void>((resolve) => child.once("close", () => resolve())),
    );
    for (const child of this.#running) child.kill("SIGKILL");
    await Promise.all(closed);
  }
}

function watchStalls(child: Ffmpeg): { release(): void } {
  // Where it cannot be told, no count equals another.
  const readBytes = () => (child.stdout instanceof Socket ? child.stdout.bytesRead : Number.NaN);
  let before = Number.NaN;
  const timer = setInterval(() => {
    if (readBytes() === before) child.kill("SIGKILL");
    before = readBytes();
  }, stalledMs).unref();
  return { release: () => clearInterval(timer) };
}

/** Only files are opened, and only as the containers that books have. */
function parametersFor(path: string, from: number): string[] {
  const input = [
    "-protocol_whitelist",
    "file",
    "-format_whitelist",
    "mov,mp3,flac,ogg",
    "-ss",
    String(from),
    "-i",
    `file:${path}`,
  ];
  const output = ["-map", "0:a:0", "-map_metadata", "-1", "-ac", "2", "-c:a", "libmp3lame", "-b:a", "96k", "-f", "mp3"];
  return ["-nostdin", "-v", "error", ...input, ...output, "pipe:1"];
}

/** The ffmpeg of the machine, in the folders of `PATH`. */
export async function findFfmpeg(folders = process.env["PATH"] ?? ""): Promise<string | undefined> {
  for (const folder of folders.split(delimiter).filter(Boolean)) {
    const path = join(folder, "ffmpeg");
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}
