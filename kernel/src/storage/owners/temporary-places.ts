import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { releasable, type Releasable } from "@longbox/sdk";
import { z } from "zod";
import { writeDurably } from "../documents/durable-file.js";

const noteSchema = z.object({ path: z.string() });
const noteName = /^elsewhere-(\d+)-[0-9a-f-]{36}\.json$/;

/**
 * Names of temporary things that lie beside their goal, since they become it by a rename: hidden, with the process that
 * makes them.
 */
const besideName = /^\..+\.longbox-(\d+)-[0-9a-f-]{36}$/;

/**
 * The folder of temporary files, emptied when the server starts. Temporary files that must lie elsewhere, beside their
 * goal on another disk, is noted here first, so that the next start finds it.
 */
export class TemporaryPlaces {
  readonly folder: string;

  constructor(dataFolder: string) {
    this.folder = join(dataFolder, "temporary");
  }

  /**
   * Makes libraries of this process and its threads create their temporary files here. On a full disk nothing changes.
   */
  useForLibraries(): void {
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      process.env["TMPDIR"] = this.folder;
    } catch {
      return;
    }
  }

  /** Makes a new folder, which is removed when it is released. */
  async make(owner: string): Promise<Releasable & { readonly path: string }> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const path = await mkdtemp(join(this.folder, `${owner}-`));
    return { path, ...releasable(() => rm(path, { recursive: true, force: true })) };
  }

  /**
   * A name beside a goal anywhere, noted before anything is there. Releasing it removes what is there, and the note.
   */
  async beside(goal: string): Promise<Releasable & { readonly path: string }> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const path = temporaryBeside(goal);
    const note = join(this.folder, `elsewhere-${process.pid}-${randomUUID()}.json`);
    await writeDurably(note, JSON.stringify({ path }));
    return {
      path,
      ...releasable(async () => {
        await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
        await rm(note, { force: true });
      }),
    };
  }

  /** Removes leftovers of processes that have ended. Call while no other server uses the data folder. */
  async sweep(): Promise<void> {
    for (const name of await namesIn(this.folder)) {
      const path = join(this.folder, name);
      const maker = noteName.exec(name)?.[1];
      if (maker !== undefined && (await goesOn(Number(maker)))) continue;
      if (maker !== undefined) await removeNoted(path);
      await rm(path, { recursive: true, force: true });
    }
  }
}

/** A hidden name beside a goal, on the same file system, that {@link sweepBeside} finds. */
export function temporaryBeside(goal: string): string {
  return join(dirname(goal), `.${basename(goal)}.longbox-${process.pid}-${randomUUID()}`);
}

/** Removes what processes that have ended left beside this goal. */
export async function sweepBeside(goal: string): Promise<void> {
  for (const name of await namesIn(dirname(goal))) {
    const maker = besideName.exec(name)?.[1];
    if (maker === undefined || !name.startsWith(`.${basename(goal)}.longbox-`) || isRunning(Number(maker))) continue;
    await rm(join(dirname(goal), name), { recursive: true, force: true });
  }
}

/** A noted path is removed only if its name has the form of the names made here. */
async function removeNoted(note: string): Promise<void> {
  const text = await readFile(note, "utf8").catch(() => "{}");
  const { path } = noteSchema.safeParse(parseJson(text)).data ?? {};
  if (path !== undefined && besideName.test(basename(path))) await rm(path, { recursive: true, force: true });
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

/** Whether a process still runs a moment later: the server that had the folder before may have been killed just now. */
async function goesOn(pid: number): Promise<boolean> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    if (!isRunning(pid)) return false;
    await setTimeout(50);
  }
  return true;
}

/**
 * Whether another process with this id runs. If another program has the same id by now, the leftovers wait for a later
 * start.
 */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (fault) {
    return (fault as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Whether the process is a zombie: it has ended, and its parent has not read its exit code. False on systems other than
 * Linux.
 */
function isZombie(pid: number): boolean {
  try {
    // The name in parentheses may hold anything; the state follows the last one.
    return /\) Z [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
