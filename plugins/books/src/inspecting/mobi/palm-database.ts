import type { InspectedFile } from "@longbox/files/contract";
import { damaged } from "../unreadable.js";

const headerBytes = 78;
const entryBytes = 8;

/** A record of a Palm database: where it lies in the file, in bytes. */
export interface PalmRecord {
  readonly offset: number;
  readonly length: number;
}

/** The records of a Palm database, the container of MOBI and AZW3. */
export class PalmDatabase {
  readonly count: number;
  readonly #directory: Buffer;

  /** @throws {UnreadableBook} */
  constructor(private readonly file: Pick<InspectedFile, "read" | "sizeBytes">) {
    const header = file.read(0, headerBytes);
    if (header.length < headerBytes) throw damaged("it is cut off");
    this.count = header.readUInt16BE(76);
    this.#directory = Buffer.from(file.read(headerBytes, this.count * entryBytes));
    if (this.count === 0 || this.#directory.length < this.count * entryBytes) throw damaged("it is cut off");
  }

  /** Undefined when there is no such record, or it does not lie in the file. */
  find(index: number): PalmRecord | undefined {
    if (!(index >= 0 && index < this.count)) return undefined;
    const offset = this.#directory.readUInt32BE(index * entryBytes);
    const end = index + 1 < this.count ? this.#directory.readUInt32BE((index + 1) * entryBytes) : this.file.sizeBytes;
    return offset < end && end <= this.file.sizeBytes ? { offset, length: end - offset } : undefined;
  }

  /** The bytes of a record, at most so many. @throws {UnreadableBook} */
  read(index: number, mostBytes: number): Buffer {
    const record = this.find(index);
    if (!record) throw damaged("a part of it is missing");
    return Buffer.from(this.file.read(record.offset, Math.min(record.length, mostBytes)));
  }
}
