import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { lstat, mkdir, realpath, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import sevenZipModule, { type SevenZipModule, type SevenZipModuleFactory } from "7z-wasm";
import { UnreadableArchive } from "../unreadable.js";
import type { ArchiveEntries, ListedEntry } from "./tasks.js";

const loadSevenZip = ("default" in sevenZipModule ? sevenZipModule.default : sevenZipModule) as SevenZipModuleFactory;
const archiveName = "/archive";
const mostEntries = 200_000;

/** Lists a 7z archive. @throws {UnreadableArchive} */
export async function list(path: string): Promise<ArchiveEntries> {
  const printed = await runOnFile(path, ["l", "-slt", "-pnone", archiveName]);
  const entries: ListedEntry[] = [];
  const [header = "", ...blocks] = printed.split(/^-{10,}$/m);
  for (const block of blocks.join("\n").split(/\n(?=Path = )/)) {
    const entry = entryOf(block);
    if (entry) entries.push(entry);
    if (entries.length > mostEntries)
      throw new UnreadableArchive("too-large", "The archive's directory is too large to be that of a comic.");
  }
  return { entries, solid: /^Solid = \+/m.test(header) };
}

/** Writes the named entries as `0`, `1`, … @throws {UnreadableArchive} */
export async function extract(path: string, names: readonly string[], folder: string): Promise<void> {
  const inside = join(folder, "unpacked");
  await mkdir(inside);
  await runOnFile(path, ["x", "-y", "-bd", "-spd", "-pnone", "-o/out", archiveName, "@/names.txt"], (module) => {
    module.FS.writeFile("/names.txt", `${names.join("\n")}\n`);
    module.FS.mkdir("/out");
    module.FS.mount(module.NODEFS, { root: inside }, "/out");
  });
  const root = await realpath(inside);
  for (const [index, name] of names.entries()) await takeOut(root, name, join(folder, String(index)));
  await rm(inside, { recursive: true, force: true });
}

/** Unpacks the only entry of a ZIP in memory, by any method that 7-Zip knows. @throws {UnreadableArchive} */
export async function unpackSmallZip(zip: Uint8Array): Promise<Uint8Array> {
  let unpacked: Uint8Array | undefined;
  await run(["x", "-y", "-bd", "-pnone", "-o/out", "/small.zip"], (module) => {
    module.FS.writeFile("/small.zip", zip);
    module.FS.mkdir("/out");
    return () => (unpacked = module.FS.readFile("/out/page") as Uint8Array);
  });
  if (!unpacked) throw damaged();
  return unpacked;
}

function entryOf(block: string): ListedEntry | undefined {
  const field = (name: string) => new RegExp(`^${name} = (.*)$`, "m").exec(block)?.[1];
  const name = field("Path");
  if (name === undefined || field("Folder") === "+" || /^D/.test(field("Attributes") ?? "")) return undefined;
  return { name, sizeBytes: Number(field("Size") ?? 0), encrypted: field("Encrypted") === "+" };
}

/** Links and whatever else is no plain file is not taken out. */
async function takeOut(root: string, name: string, target: string): Promise<void> {
  const path = join(root, name);
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isFile() || !(await realpath(path)).startsWith(`${root}/`))
    throw new UnreadableArchive("damaged", "The archive is damaged: a page cannot be unpacked.");
  await rename(path, target);
}

type Prepare = (module: SevenZipModule) => void | (() => void);

/** The archive is a file that the module may only read: nothing in it can write beside it. */
async function runOnFile(path: string, parameters: string[], prepare?: Prepare): Promise<string> {
  const descriptor = openSync(path, "r");
  try {
    const { size } = fstatSync(descriptor);
    return await run(parameters, (module) => {
      module.FS.writeFile(archiveName, "");
      const { node } = module.FS.lookupPath(archiveName, {}) as unknown as {
        node: { usedBytes: number; stream_ops: Record<string, unknown> };
      };
      node.usedBytes = size;
      node.stream_ops = {
        ...node.stream_ops,
        read: (_stream: unknown, buffer: Int8Array, offset: number, length: number, position: number) =>
          position >= size ? 0 : readSync(descriptor, buffer, offset, Math.min(length, size - position), position),
      };
      return prepare?.(module);
    });
  } finally {
    closeSync(descriptor);
  }
}

async function run(parameters: string[], prepare: Prepare): Promise<string> {
  const printed: string[] = [];
  const complaints: string[] = [];
  const module = await loadSevenZip({
    print: (line) => void printed.push(line),
    printErr: (line) => void complaints.push(line),
  });
  const finish = prepare(module);
  let code: unknown;
  try {
    code = module.callMain(parameters);
    if (code === 0 || code === undefined) finish?.();
  } catch (thrown) {
    throw new UnreadableArchive("damaged", "The archive is damaged: it cannot be unpacked.", { cause: thrown });
  }
  if (code !== 0 && code !== undefined) throw complaint([...complaints, ...printed].join("\n"));
  return printed.join("\n");
}

function complaint(text: string): UnreadableArchive {
  if (/encrypted|password/i.test(text))
    return new UnreadableArchive("encrypted", "The archive is protected by a password.");
  if (/unsupported method/i.test(text))
    return new UnreadableArchive("unsupported", "The archive is packed by a method that cannot be read here.");
  if (/memory/i.test(text))
    return new UnreadableArchive("too-large", "The archive needs too much memory to be unpacked.");
  return damaged();
}

function damaged(): UnreadableArchive {
  return new UnreadableArchive("damaged", "The archive is damaged: it cannot be unpacked.");
}
