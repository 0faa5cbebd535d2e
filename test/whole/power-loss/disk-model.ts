import { link, mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

/** A change of a file's bytes that may be lost as long as the file was not synced. */
type Change =
  | { readonly kind: "write"; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: "resize"; readonly sizeBytes: number };

class ModelFile {
  now: Buffer = Buffer.alloc(0);
  /** What is on the disk for certain. */
  synced: Buffer = Buffer.alloc(0);
  pending: Change[] = [];

  change(change: Change): void {
    this.now = applied(this.now, change);
    this.pending.push(change);
  }

  /** @param before - Only what was changed before the syncing began */
  sync(before: number): void {
    for (const change of this.pending.splice(0, before)) this.synced = applied(this.synced, change);
  }
}

function applied(bytes: Buffer, change: Change): Buffer {
  const sizeBytes =
    change.kind === "resize" ? change.sizeBytes : Math.max(bytes.length, change.offset + change.bytes.length);
  const next = Buffer.alloc(sizeBytes);
  bytes.copy(next);
  if (change.kind === "write") change.bytes.copy(next, change.offset);
  return next;
}

type Entry = ModelFile | "folder";
type Names = Map<string, Entry>;

interface NameChange {
  /** The folders of which any has to be synced for the change to be on disk. */
  readonly folders: ReadonlySet<string>;
  apply(names: Names): void;
}

/**
 * A file system that forgets what was not synced, more than any real one does: bytes of a file last once the file was
 * synced, names in a folder once the folder was.
 */
export class DiskModel {
  readonly root: string;
  readonly #now: Names = new Map();
  readonly #synced: Names = new Map();
  #pending: NameChange[] = [];

  constructor(root: string) {
    this.root = root;
    for (const names of [this.#now, this.#synced]) names.set(root, "folder");
  }

  knows(path: string | undefined): path is string {
    return path !== undefined && (path === this.root || path.startsWith(`${this.root}/`));
  }

  file(path: string): ModelFile | undefined {
    const entry = this.#now.get(path);
    return entry === "folder" ? undefined : entry;
  }

  add(path: string, entry: Entry): void {
    this.#name([path], (names) => void names.set(path, entry));
  }

  create(path: string): ModelFile {
    const file = new ModelFile();
    this.add(path, file);
    return file;
  }

  remove(path: string): void {
    this.#name([path], (names) => void names.delete(path));
  }

  /** Also with everything inside, for a folder. */
  rename(from: string, to: string): void {
    this.#name([from, to], (names) => {
      for (const [path, entry] of [...names]) {
        if (path !== from && !path.startsWith(`${from}/`)) continue;
        names.delete(path);
        names.set(to + path.slice(from.length), entry);
      }
    });
  }

  /** How much there is to sync at this moment; a sync that begins now covers no more. */
  toSync(path: string): () => void {
    const entry = this.#now.get(path);
    if (entry === "folder") {
      const covered = new Set(this.#pending);
      return () => this.#syncFolder(path, covered);
    }
    const count = entry?.pending.length ?? 0;
    let done = false;
    return () => {
      if (!done) entry?.sync(Math.min(count, entry.pending.length));
      done = true;
    };
  }

  /**
   * Writes what would be found after the power went at this moment.
   * @param survives - Decides for each change that was not synced; names are lost from some point on
   */
  async writeTo(folder: string, survives: () => boolean): Promise<void> {
    const names: Names = new Map(this.#synced);
    for (const change of this.#pending) {
      if (!survives()) break;
      change.apply(names);
    }
    const paths = [...names.keys()].sort();
    const written = new Map<ModelFile, string>();
    for (const path of paths) {
      if (!this.#isReachable(path, names)) continue;
      const target = join(folder, relative(this.root, path));
      const entry = names.get(path)!;
      if (entry === "folder") await mkdir(target, { recursive: true });
      else if (written.has(entry)) await link(written.get(entry)!, target);
      else {
        await writeFile(target, foundBytes(entry, survives));
        written.set(entry, target);
      }
    }
  }

  #isReachable(path: string, names: Names): boolean {
    for (let here = dirname(path); this.knows(here); here = dirname(here)) if (!names.has(here)) return false;
    return true;
  }

  #name(paths: readonly string[], apply: (names: Names) => void): void {
    apply(this.#now);
    this.#pending.push({ folders: new Set(paths.map((path) => dirname(path))), apply });
  }

  #syncFolder(path: string, covered: ReadonlySet<NameChange>): void {
    const isCovered = (change: NameChange) => covered.has(change) && change.folders.has(path);
    for (const change of this.#pending) if (isCovered(change)) change.apply(this.#synced);
    this.#pending = this.#pending.filter((change) => !isCovered(change));
  }
}

function foundBytes(file: ModelFile, survives: () => boolean): Buffer {
  let bytes = file.synced;
  for (const change of file.pending) if (survives()) bytes = applied(bytes, change);
  return bytes;
}
