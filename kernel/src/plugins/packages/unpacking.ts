import { createReadStream } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { Parser } from "tar/parse";
import type { ReadEntry } from "tar/read-entry";
import type { PackageLimits } from "./package-limits.js";
import { PackageRefused } from "./refusals.js";

/**
 * Unpacks a package's tarball into an empty folder, without its outermost folder.
 *
 * Only plain files and folders are taken. Links, devices, absolute paths, `..`, backslashes, control characters, names
 * that meet when case or Unicode form is ignored, too many entries and too many bytes each refuse the whole package.
 */
export async function unpackTarball(
  tarball: string,
  folder: string,
  limits: PackageLimits,
): Promise<{ files: number; bytes: number }> {
  const unpacking = new Unpacking(folder, limits);
  const parser = new Parser({ strict: true, onReadEntry: (entry) => unpacking.take(entry, parser) });
  // What the parser would pass over: entries of kinds that it does not know, and headers that are too large.
  parser.on("ignoredEntry", (entry) => unpacking.take(entry, parser));
  try {
    // The parser would unpack on this thread. It is a minipass stream, which has what `pipeline` uses of a stream, and
    // another type.
    await pipeline(createReadStream(tarball), createGunzip(), parser as unknown as NodeJS.WritableStream);
  } catch (cause) {
    await unpacking.settled();
    throw (
      unpacking.refusal ??
      new PackageRefused("kernel/tarball-broken", "The package is not a readable tarball.", { cause })
    );
  }
  await unpacking.settled();
  if (unpacking.refusal) throw unpacking.refusal;
  if (unpacking.files === 0) throw new PackageRefused("kernel/tarball-broken", "The package holds no files.");
  return { files: unpacking.files, bytes: unpacking.bytes };
}

class Unpacking {
  refusal: unknown;
  files = 0;
  bytes = 0;
  #entries = 0;
  #last: Promise<void> = Promise.resolve();
  readonly #names = new Map<string, "file" | "folder">();
  readonly #folder: string;
  readonly #limits: PackageLimits;

  constructor(folder: string, limits: PackageLimits) {
    this.#folder = folder;
    this.#limits = limits;
  }

  take(entry: ReadEntry, parser: Parser): void {
    if (this.refusal) return void entry.resume();
    try {
      const name = this.#accept(entry);
      if (name === undefined) return void entry.resume();
      const written = this.#write(name, entry).catch((failure: unknown) => this.#refuse(failure, parser));
      this.#last = Promise.all([this.#last, written]).then(() => undefined);
    } catch (failure) {
      this.#refuse(failure, parser);
      entry.resume();
    }
  }

  async settled(): Promise<void> {
    await this.#last;
  }

  #refuse(failure: unknown, parser: Parser): void {
    this.refusal ??= failure;
    parser.abort(failure instanceof Error ? failure : new Error(String(failure)));
  }

  /** The path below the folder, or undefined for what needs no writing. */
  #accept(entry: ReadEntry): string | undefined {
    this.#entries += 1;
    if (this.#entries > this.#limits.entries)
      throw new PackageRefused(
        "kernel/tarball-too-many-files",
        `The package holds more than ${this.#limits.entries} entries.`,
      );
    const kind = kindOf(entry);
    const name = safeName(entry.path);
    if (name === undefined) return undefined;
    this.#claim(name, kind);
    if (kind === "folder") return undefined;
    if (entry.size > this.#limits.fileBytes)
      throw new PackageRefused(
        "kernel/file-too-large",
        `The file "${name}" of the package is larger than ${this.#limits.fileBytes} bytes.`,
      );
    this.bytes += entry.size;
    if (this.bytes > this.#limits.unpackedBytes)
      throw new PackageRefused(
        "kernel/unpacked-too-large",
        `The package unpacks to more than ${this.#limits.unpackedBytes} bytes.`,
      );
    this.files += 1;
    return name;
  }

  #claim(name: string, kind: "file" | "folder"): void {
    const key = comparable(name);
    const known = this.#names.get(key);
    if (known !== undefined && !(known === "folder" && kind === "folder"))
      throw new PackageRefused("kernel/tarball-duplicate", `The package holds "${name}" twice.`);
    this.#names.set(key, kind);
    for (let parent = path.posix.dirname(name); parent !== "."; parent = path.posix.dirname(parent)) {
      if (this.#names.get(comparable(parent)) === "file")
        throw new PackageRefused(
          "kernel/tarball-duplicate",
          `The package holds "${parent}" both as a file and as a folder.`,
        );
      this.#names.set(comparable(parent), "folder");
    }
  }

  async #write(name: string, entry: ReadEntry): Promise<void> {
    const target = path.join(this.#folder, name);
    await mkdir(path.dirname(target), { recursive: true });
    const handle = await open(target, "wx", 0o644);
    try {
      for await (const chunk of entry as AsyncIterable<Buffer>) await handle.writeFile(chunk);
      await handle.datasync();
    } finally {
      await handle.close();
    }
  }
}

function kindOf(entry: ReadEntry): "file" | "folder" {
  switch (entry.type) {
    case "File":
    case "OldFile":
    case "ContiguousFile":
      return "file";
    case "Directory":
    case "GNUDumpDir":
      return "folder";
    case "SymbolicLink":
    case "Link":
      throw new PackageRefused("kernel/tarball-link", `The package holds a link, "${entry.path}".`);
    case "CharacterDevice":
    case "BlockDevice":
    case "FIFO":
      throw new PackageRefused("kernel/tarball-device", `The package holds a device, "${entry.path}".`);
    default:
      throw new PackageRefused(
        "kernel/tarball-broken",
        `The package holds an entry of an unknown kind, "${entry.path}".`,
      );
  }
}

/** Strips the outermost folder, which npm calls `package`. */
function safeName(name: string): string | undefined {
  if (name.includes("\\"))
    throw new PackageRefused("kernel/tarball-backslash", `The package holds a name with a backslash, "${name}".`);
  if (path.posix.isAbsolute(name) || /^[A-Za-z]:/.test(name) || name.split("/").includes(".."))
    throw new PackageRefused("kernel/tarball-outside", `The package holds a name that leads outside of it, "${name}".`);
  // oxlint-disable-next-line no-control-regex -- these are the characters that are refused
  if (/[\u0000-\u001f\u007f]/.test(name) || name.length > 500)
    throw new PackageRefused("kernel/tarball-bad-name", "The package holds a name that no file should have.");
  const parts = name
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .slice(1);
  return parts.length === 0 ? undefined : parts.join("/");
}

function comparable(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
