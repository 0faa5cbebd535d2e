import { existsSync } from "node:fs";
import { hash } from "node:crypto";
import { basename } from "node:path";
import type { FormatInspector, InspectedFile, Inspection } from "../contract.js";
import { partialMd5 } from "../fingerprints/partial-md5.js";
import { boundedInspection, failedInspection } from "./bounded-inspection.js";
import type { CurrentFile } from "./current-file.js";
import { FileWindow, LinkLeadsOut, NotRegular } from "./file-window.js";
import type { LoadedFormats } from "./loaded-formats.js";
import { OpenFile } from "./open-file.js";

/** A file that was looked into. */
export interface Inspected {
  /** The format's id; undefined when none of the formats is that of the file. */
  readonly format: string | undefined;
  readonly inspection: Inspection;
  /** Identifies the contents, independent of the file's name. */
  readonly fingerprint: string;
  /** The fingerprint by which devices identify the file; undefined for a folder, and for a file that cannot be read. */
  readonly partialMd5: string | undefined;
}

/** A file to be looked into, as the disk shows it. */
export interface FileToInspect {
  readonly path: string;
  readonly sizeBytes: number;
  readonly isFolder: boolean;
  /** Companions may lie beside it. */
  readonly hasCompanions: boolean;
}

/** Bytes at each end of a file that, with its size, identify a file whose format knows nothing better. */
const sampleBytes = 65_536;

export interface InspectorOptions {
  readonly formats: LoadedFormats;
  /** Called with each file, so that the server knows which one this thread inspects. */
  readonly current: CurrentFile;
  /** Why files are not to be looked into, by their paths. */
  readonly refused: ReadonlyMap<string, string>;
  /** Of the library that is scanned: no link may lead out of it. Undefined for files outside of libraries. */
  readonly rootFolder?: string | undefined;
  /** The longest that looking into one file may take. */
  readonly longestMs: number;
  /** Hears that a file took too long: its inspector may still be at work. */
  readonly abandoned: () => void;
}

/** Looks into files, one after the other. For worker threads. */
export class FileInspector {
  readonly #window = new FileWindow();

  constructor(private readonly options: InspectorOptions) {}

  /** The format of a file, and its metadata. Never throws for a bad file. */
  async inspect(file: FileToInspect): Promise<Inspected> {
    const { current, refused } = this.options;
    const error = refused.get(file.path);
    if (error !== undefined) return this.#failed(error, file);
    current.begin(file.path);
    try {
      return file.isFolder ? await this.#inspectFolder(file) : await this.#inspectFile(file);
    } catch (thrown) {
      return this.#failed(reasonOf(thrown), file);
    } finally {
      this.#window.close();
      current.end();
    }
  }

  async #inspectFile(file: FileToInspect): Promise<Inspected> {
    const { formats } = this.options;
    this.#window.open(file.path, this.options.rootFolder);
    const name = basename(file.path);
    const partialMd5 = this.#partialMd5();
    const format = formats.findFormat({ name, head: this.#window.head });
    if (format === undefined) return { ...this.#failed(unknownFormat(file.sizeBytes), file), partialMd5 };
    const companions = file.hasCompanions ? formats.companionsOf(file.path).filter((path) => existsSync(path)) : [];
    const given = this.#run(format.inspect, { ...file, companions });
    const inspection = given instanceof Promise ? await given : given;
    const { identity } = inspection;
    const fingerprint = identity ? fingerprintOf(file.sizeBytes, identity) : this.#sampleFingerprint(file.sizeBytes);
    return { format: inspection.awaitsFormat ? undefined : format.id, inspection, fingerprint, partialMd5 };
  }

  /** A file that cannot be read to its end may still be identified. */
  #partialMd5(): string | undefined {
    try {
      return partialMd5((offset, length) => this.#window.readUpTo(offset, length));
    } catch {
      return undefined;
    }
  }

  async #inspectFolder(file: FileToInspect): Promise<Inspected> {
    const format = this.options.formats.findFolder(file.path);
    if (!format) return this.#failed(unknownFormat(file.sizeBytes), file);
    const inspection = await this.#run(format.inspect, { ...file, companions: [] });
    const { identity } = inspection;
    const fingerprint = identity ? fingerprintOf(file.sizeBytes, identity) : folderFingerprint(file);
    return { format: format.id, inspection, fingerprint, partialMd5: undefined };
  }

  /** An inspector that throws or takes too long makes one unreadable file. Most answer at once, without a promise. */
  #run(
    inspector: FormatInspector,
    file: Pick<InspectedFile, "path" | "sizeBytes" | "companions">,
  ): Inspection | Promise<Inspection> {
    const open = new OpenFile({ ...file, rootFolder: this.options.rootFolder }, this.#window);
    let isLater = false;
    try {
      const given = inspector.inspect(open);
      isLater = given instanceof Promise;
      return given instanceof Promise ? this.#runOn(given, open) : boundedInspection(given);
    } catch (thrown) {
      return failedInspection(reasonOf(thrown));
    } finally {
      if (!isLater) open.end();
    }
  }

  async #runOn(given: Promise<Inspection>, open: OpenFile): Promise<Inspection> {
    try {
      return boundedInspection(await this.#withinTime(given, open));
    } catch (thrown) {
      return failedInspection(reasonOf(thrown));
    } finally {
      open.end();
    }
  }

  async #withinTime(given: Promise<Inspection>, file: OpenFile): Promise<Inspection> {
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      file.end();
      this.options.abandoned();
      reject(new TookTooLong());
    }, this.options.longestMs);
    return Promise.race([given, promise]).finally(() => clearTimeout(timer));
  }

  #failed(error: string, file: FileToInspect): Inspected {
    const fingerprint = file.isFolder ? folderFingerprint(file) : this.#sampleFingerprint(file.sizeBytes, file.path);
    return { format: undefined, inspection: failedInspection(error), fingerprint, partialMd5: undefined };
  }

  /** Nothing is known of a file that cannot be opened. @param path - opens the file first, where it is not open */
  #sampleFingerprint(sizeBytes: number, path?: string): string {
    try {
      if (path !== undefined && !this.#window.isOpen) this.#window.open(path, this.options.rootFolder);
      const length = Math.min(sizeBytes, sampleBytes);
      const head = this.#window.readUpTo(0, length);
      const tail = this.#window.readUpTo(Math.max(0, sizeBytes - sampleBytes), length);
      return fingerprintOf(sizeBytes, Buffer.concat([head, tail]));
    } catch {
      return "";
    } finally {
      if (path !== undefined) this.#window.close();
    }
  }
}

function folderFingerprint({ path, sizeBytes }: FileToInspect): string {
  return `${sizeBytes.toString(36)}-${path}`;
}

class TookTooLong extends Error {
  constructor() {
    super("Reading the file takes too long.");
  }
}

/** The sentence that is kept beside a file that could not be read. It never holds a path. */
function reasonOf(thrown: unknown): string {
  if (thrown instanceof TookTooLong || thrown instanceof LinkLeadsOut || thrown instanceof NotRegular)
    return thrown.message;
  const code = (thrown as NodeJS.ErrnoException | undefined)?.code;
  if (code === "EACCES" || code === "EPERM") return "The server may not read this file.";
  return typeof code === "string" ? `The file could not be read (${code}).` : "The file could not be read.";
}

function unknownFormat(sizeBytes: number): string {
  return sizeBytes === 0 ? "The file is empty." : "The file has none of the formats that can be read here.";
}

function fingerprintOf(sizeBytes: number, bytes: Uint8Array): string {
  return `${sizeBytes.toString(36)}-${hash("sha256", bytes, "base64url").slice(0, 27)}`;
}
