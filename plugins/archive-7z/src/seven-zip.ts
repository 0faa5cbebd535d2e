import { lstatSync, mkdirSync, realpathSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ArchiveEntry, ArchiveExtraction, ArchiveListing } from "@longbox/comics/contract";
import type { SevenZipModule } from "7z-wasm";
import { archiveName, run, runOnFile } from "./module-run.js";
import { SevenZipProblem } from "./seven-zip-problem.js";

/**
 * Lists a 7z archive. It always counts as solid: unpacking a part of it decodes everything before it more often than
 * not.
 * @throws {SevenZipProblem}
 */
export async function list(path: string, mostEntries: number): Promise<ArchiveListing> {
  const printed = await runOnFile(path, ["l", "-slt", "-pnone", archiveName]);
  const entries: ArchiveEntry[] = [];
  const [, ...blocks] = printed.split(/^-{10,}$/m);
  for (const block of blocks.join("\n").split(/\n(?=Path = )/)) {
    const entry = entryOf(block);
    if (entry) entries.push(entry);
    if (entries.length > mostEntries) throw new SevenZipProblem("too-large");
  }
  return { entries, solid: true };
}

/** 7-Zip compares each entry with each name that it is given: up to so many it takes no time. */
const fewNames = 500;

/** Writes the named entries as `0`, `1`, … @throws {SevenZipProblem} */
export async function extract({ path, names, folder, mostBytes }: ArchiveExtraction): Promise<void> {
  const inside = join(folder, "unpacked");
  mkdirSync(inside);
  const choice = await choose(path, names);
  let written: { isTooMuch(): boolean } | undefined;
  try {
    await runOnFile(path, ["x", "-y", "-bd", "-spd", "-pnone", "-o/out", archiveName, choice.parameter], (module) => {
      module.FS.writeFile("/names.txt", `${choice.names.join("\n")}\n`);
      module.FS.mkdir("/out");
      written = countWritten(module, mostBytes);
      module.FS.mount(module.NODEFS, { root: inside }, "/out");
    });
  } catch (thrown) {
    throw written?.isTooMuch() ? new SevenZipProblem("too-large", { cause: thrown }) : thrown;
  }
  // This thread has nothing else to do, and thousands of small entries would wait for the threads of the whole process.
  const root = realpathSync.native(inside);
  for (const [index, name] of names.entries()) takeOut(root, name, join(folder, String(index)));
  rmSync(inside, { recursive: true, force: true });
}

/** Which names are listed for 7-Zip, to be unpacked or to be left out: the fewer ones, where that is worth looking. */
async function choose(
  path: string,
  names: readonly string[],
): Promise<{ parameter: string; names: readonly string[] }> {
  if (names.length > fewNames) {
    const { entries } = await list(path, Number.POSITIVE_INFINITY);
    const wanted = new Set(names);
    const others = entries.map(({ name }) => name).filter((name) => !wanted.has(name));
    if (others.length < names.length) return { parameter: "-x@/names.txt", names: others };
  }
  return { parameter: "@/names.txt", names };
}

/** Unpacks the only entry of a ZIP in memory, by any method that 7-Zip knows. @throws {SevenZipProblem} */
export async function unpackZip(zip: Uint8Array): Promise<Uint8Array> {
  let unpacked: Uint8Array | undefined;
  await run(["x", "-y", "-bd", "-pnone", "-o/out", "/small.zip"], (module) => {
    module.FS.writeFile("/small.zip", zip);
    module.FS.mkdir("/out");
    return () => (unpacked = module.FS.readFile("/out/page") as Uint8Array);
  });
  if (!unpacked) throw new SevenZipProblem("damaged");
  return unpacked;
}

function entryOf(block: string): ArchiveEntry | undefined {
  const field = (name: string) => new RegExp(`^${name} = (.*)$`, "m").exec(block)?.[1];
  const name = field("Path");
  if (name === undefined || field("Folder") === "+" || /^D/.test(field("Attributes") ?? "")) return undefined;
  return { name, sizeBytes: Number(field("Size") ?? 0), encrypted: field("Encrypted") === "+" };
}

/** Links and whatever else is no plain file is not taken out. */
function takeOut(root: string, name: string, target: string): void {
  const path = join(root, name);
  // An entry that was not unpacked, for whatever reason, is damaged.
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isFile() || !realpathSync.native(path).startsWith(`${root}/`)) throw new SevenZipProblem("damaged");
  renameSync(path, target);
}

/** The file, what is written, from which place in it, how many bytes, and where to in the file. */
type WriteCall = [stream: unknown, buffer: unknown, offset: number, length: number, position?: number];

/** The number by which the program's system says that a file is too large. */
const tooLargeNumber = 22;

/** Ends the unpacking before more is written than an archive may hold. Each run has a module of its own. */
function countWritten(module: SevenZipModule, mostBytes: number): { isTooMuch(): boolean } {
  const { NODEFS, FS } = module as unknown as {
    NODEFS: { stream_ops: { write: (...call: WriteCall) => number } };
    FS: { ErrnoError: new (number: number) => Error };
  };
  const { write } = NODEFS.stream_ops;
  let bytes = 0;
  NODEFS.stream_ops.write = (...call) => {
    bytes += call[3];
    if (bytes > mostBytes) throw new FS.ErrnoError(tooLargeNumber);
    return write(...call);
  };
  return { isTooMuch: () => bytes > mostBytes };
}
