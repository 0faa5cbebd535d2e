import { join } from "node:path";
import { DiskModel } from "./disk-model.ts";
import { bytesOf, pathOf, readTrace, type Step } from "./tracing.ts";

/** Replays a trace on a model of the disk. */
export class Replay {
  readonly disk: DiskModel;
  /** What the program has said on its output so far, line by line. */
  readonly said: string[] = [];
  readonly #positions = new Map<string, number>();
  readonly #syncs = new Map<string, () => void>();

  constructor(root: string) {
    this.disk = new DiskModel(root);
  }

  /** @returns whether it changed what a power cut would leave */
  take(step: Step): boolean {
    if (step.at === "begin") return this.#begin(step);
    if (step.result?.startsWith("-1") === true) return false;
    const handle = this.#handlers[step.call];
    if (handle === undefined) return this.#refuseUnknown(step);
    return handle(step.arguments, step);
  }

  #begin({ call, arguments: [descriptor = ""], thread }: Step): boolean {
    const path = call === "fsync" || call === "fdatasync" ? pathOf(descriptor) : undefined;
    if (this.disk.knows(path)) this.#syncs.set(thread, this.disk.toSync(path));
    return false;
  }

  readonly #handlers: Record<string, (values: readonly string[], step: Step) => boolean> = {
    openat: ([folder = "", name = "", flags = ""], { result = "" }) =>
      this.#open(absolute(folder, name), flags, result),
    write: ([descriptor = "", bytes = ""]) => this.#write(descriptor, bytesOf(bytes), undefined),
    pwrite64: ([descriptor = "", bytes = "", , offset]) => this.#write(descriptor, bytesOf(bytes), Number(offset)),
    ftruncate: ([descriptor = "", sizeBytes]) => this.#resize(descriptor, Number(sizeBytes)),
    fsync: (_, { thread }) => this.#synced(thread),
    fdatasync: (_, { thread }) => this.#synced(thread),
    rename: ([from = "", to = ""]) => this.#rename(bytesOf(from).toString(), bytesOf(to).toString()),
    link: ([from = "", to = ""]) => this.#link(bytesOf(from).toString(), bytesOf(to).toString()),
    unlink: ([path = ""]) => this.#remove(bytesOf(path).toString()),
    unlinkat: ([folder = "", path = ""]) => this.#remove(absolute(folder, path)),
    rmdir: ([path = ""]) => this.#remove(bytesOf(path).toString()),
    mkdir: ([path = ""]) => this.#makeFolder(bytesOf(path).toString()),
    copy_file_range: ([from = "", start = "", to = "", at = ""], { result }) =>
      this.#copy({ from, start, to, at, count: Number(result) }),
  };

  #open(path: string, flags: string, result: string): boolean {
    const descriptor = result.split("<")[0]!;
    this.#positions.delete(descriptor);
    if (!this.disk.knows(path) || flags.includes("O_DIRECTORY")) return false;
    const known = this.disk.file(path);
    if (known === undefined && flags.includes("O_CREAT")) this.disk.create(path);
    else if (known !== undefined && flags.includes("O_TRUNC")) known.change({ kind: "resize", sizeBytes: 0 });
    else return false;
    return true;
  }

  #write(descriptor: string, bytes: Buffer, at: number | undefined): boolean {
    if (/^1\b/.test(descriptor)) {
      this.said.push(...bytes.toString().trim().split("\n"));
      return false;
    }
    const path = pathOf(descriptor);
    const file = this.disk.knows(path) ? this.disk.file(path) : undefined;
    if (file === undefined) return false;
    const number = descriptor.split("<")[0]!;
    const offset = at ?? this.#positions.get(number) ?? 0;
    if (at === undefined) this.#positions.set(number, offset + bytes.length);
    file.change({ kind: "write", offset, bytes });
    return true;
  }

  #copy({
    from,
    start,
    to,
    at,
    count,
  }: {
    from: string;
    start: string;
    to: string;
    at: string;
    count: number;
  }): boolean {
    const [source, target] = [pathOf(from), pathOf(to)];
    const bytes = this.disk.knows(source) ? this.disk.file(source)?.now : undefined;
    if (!this.disk.knows(target) || count === 0) return false;
    if (bytes === undefined) throw new Error(`${String(source)} is copied from outside of the disk.`);
    const offset = Number(/\d+/.exec(start)?.[0] ?? 0);
    const position = /\d+/.exec(at)?.[0];
    return this.#write(
      to,
      bytes.subarray(offset, offset + count),
      position === undefined ? undefined : Number(position),
    );
  }

  #resize(descriptor: string, sizeBytes: number): boolean {
    const path = pathOf(descriptor);
    const file = this.disk.knows(path) ? this.disk.file(path) : undefined;
    file?.change({ kind: "resize", sizeBytes });
    return file !== undefined;
  }

  #synced(thread: string): boolean {
    this.#syncs.get(thread)?.();
    return this.#syncs.delete(thread);
  }

  #rename(from: string, to: string): boolean {
    if (!this.disk.knows(from) && !this.disk.knows(to)) return false;
    this.disk.rename(from, to);
    return true;
  }

  #link(from: string, to: string): boolean {
    const file = this.disk.knows(from) ? this.disk.file(from) : undefined;
    if (file !== undefined) this.disk.add(to, file);
    return file !== undefined;
  }

  #remove(path: string): boolean {
    if (this.disk.knows(path)) this.disk.remove(path);
    return this.disk.knows(path);
  }

  #makeFolder(path: string): boolean {
    if (this.disk.knows(path)) this.disk.add(path, "folder");
    return this.disk.knows(path);
  }

  /** A way to change files that the model does not know would make every later answer wrong. */
  #refuseUnknown({ call, arguments: values }: Step): boolean {
    const path = values.map(pathOf).find((each) => this.disk.knows(each));
    if (path !== undefined) throw new Error(`The model of the disk does not know ${call} of ${path}.`);
    return false;
  }
}

/** Every step after which the disk is another, counted. @param counts - From when on they count; by default all do */
export async function countChanges(
  trace: string,
  root: string,
  counts: (replay: Replay) => boolean = () => true,
): Promise<number> {
  const replay = new Replay(root);
  let changes = 0;
  for await (const step of readTrace(trace)) if (replay.take(step) && counts(replay)) changes += 1;
  return changes;
}

function absolute(folder: string, name: string): string {
  const path = bytesOf(name).toString();
  return path.startsWith("/") ? path : join(pathOf(folder) ?? "/", path);
}
