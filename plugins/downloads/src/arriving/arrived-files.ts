import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";
import { ReleaseUnusable, TryLater } from "../errors.js";
import { endingOf, isAudio, isContent } from "../deciding/formats.js";

export interface ArrivedFile {
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
}

export interface Arrived {
  /** Files that hold something to read or hear, by path. */
  readonly content: readonly ArrivedFile[];
  /** Names of the files that do not fit, so that a message can say what arrived instead. */
  readonly others: readonly string[];
  /** The folder, where all of it is one work in parts. */
  readonly parts: string | undefined;
}

const mostEntries = 20_000;
const deepest = 8;

/**
 * What lies at a path that a download left behind. Links are passed over, so that nothing leads out of it.
 * @throws {TryLater} it is not there @throws {ReleaseUnusable} it is neither a file nor a folder, or has too many
 *   entries
 */
export async function readArrived(path: string): Promise<Arrived> {
  const found = await lstat(path).catch((cause: unknown) => {
    throw new TryLater(
      "What the client downloaded is not where it says. If the client runs on another machine, set a path mapping.",
      { afterMs: 60_000, cause },
    );
  });
  if (found.isFile()) return sorted([{ path, name: nameOf(path), sizeBytes: found.size }], undefined);
  if (!found.isDirectory()) throw new ReleaseUnusable("What arrived is neither a file nor a folder.");
  return sorted(await walk(path), path);
}

async function walk(root: string): Promise<ArrivedFile[]> {
  const files: ArrivedFile[] = [];
  let seen = 0;
  const enter = async (folder: string, depth: number): Promise<void> => {
    for await (const entry of await opendir(folder)) {
      if ((seen += 1) > mostEntries) throw new ReleaseUnusable(`It holds more than ${mostEntries} files.`);
      const path = join(folder, entry.name);
      if (entry.isDirectory() && depth < deepest) await enter(path, depth + 1);
      else if (entry.isFile()) files.push({ path, name: entry.name, sizeBytes: (await lstat(path)).size });
    }
  };
  await enter(root, 1);
  return files;
}

function sorted(files: readonly ArrivedFile[], folder: string | undefined): Arrived {
  const content = files.filter(({ name }) => isContent(endingOf(name)));
  const allAudio = content.length > 1 && content.every(({ name }) => isAudio(endingOf(name)));
  return {
    content: content.toSorted((one, other) => (one.path < other.path ? -1 : 1)),
    others: files.flatMap(({ name }) => (isContent(endingOf(name)) ? [] : [name])),
    parts: allAudio ? folder : undefined,
  };
}

const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);
