import { UnreadableArchive } from "../archives/unreadable.js";
import { knownKinds, type KindOfArchive, type KnownKind } from "./known-kinds.js";
import { NoReader } from "./no-reader.js";

/** A reader as it is sent to threads. */
export interface ReaderDescription extends KindOfArchive {
  /** The URL of its module. */
  readonly module: string;
}

/** The readers that are there, and the known kinds that have none. For the server and for its threads. */
export class ReaderSet {
  constructor(readonly readers: readonly ReaderDescription[]) {}

  /** Known kinds that nothing reads at present. */
  get missing(): readonly KnownKind[] {
    return knownKinds.filter(({ id }) => this.#find(id) === undefined);
  }

  /** @throws {NoReader} */
  get(id: string): ReaderDescription {
    const found = this.#find(id);
    if (found) return found;
    throw new NoReader(knownKinds.find((kind) => kind.id === id) ?? { title: id });
  }

  /** The kind that the first bytes show, whether or not there is a reader for it. */
  findKind(head: Buffer): KindOfArchive | undefined {
    return [...this.readers, ...this.missing].find((kind) => isOfKind(head, kind));
  }

  /**
   * The reader that unpacks entries of ZIPs packed by a method.
   * @throws {UnreadableArchive} `unsupported`, or `no-reader` when a package that is not installed knows the method
   */
  getForZip(method: number): ReaderDescription {
    const knows = ({ zipMethods }: KindOfArchive) => zipMethods?.includes(method) ?? false;
    const found = this.readers.find(knows);
    if (found) return found;
    const missing = this.missing.find(knows);
    if (missing) throw new NoReader({ ...missing, title: "ZIPs that are packed like this" });
    throw new UnreadableArchive("unsupported", "The archive is packed by a method that cannot be read here.");
  }

  #find(id: string): ReaderDescription | undefined {
    return this.readers.find((reader) => reader.id === id);
  }
}

/** Whether a file begins with the signature of the kind. */
export function isOfKind(head: Buffer, { magic }: Pick<KindOfArchive, "magic">): boolean {
  return magic.some((digits) => head.subarray(0, digits.length / 2).toString("hex") === digits);
}
