import { damaged } from "../inspecting/unreadable.js";
import type { PalmDatabase } from "../inspecting/mobi/palm-database.js";

const largestRecordBytes = 256 * 1024;
const mostRecords = 100;
const mostValues = 1000;
/** Where fields of an index record lie. */
const at = { headerLength: 4, entryTable: 20, count: 24 };

/** The values of an entry by their field. */
export type IndexEntry = ReadonlyMap<number, readonly number[]>;

interface MobiIndex {
  readonly entries: readonly IndexEntry[];
  /** The record in which its strings begin. */
  readonly firstString: number;
}

/** A kind of value that entries have: `mask` are its bits in the control byte. */
interface Field {
  readonly tag: number;
  readonly valuesEach: number;
  readonly mask: number;
  readonly isEnd: boolean;
}

/**
 * Reads an index (INDX): a record that describes it, records of entries, records of strings.
 * @throws {UnreadableBook}
 */
export function readIndex(database: PalmDatabase, record: number, mostEntries: number): MobiIndex {
  const description = readRecord(database, record);
  const { fields, controlBytes } = readFields(description);
  const records = Math.min(description.readUInt32BE(at.count), mostRecords);
  const entries: IndexEntry[] = [];
  for (let index = 1; index <= records; index++) {
    const bytes = readRecord(database, record + index);
    for (const begin of entriesIn(bytes))
      if (entries.length < mostEntries) entries.push(readEntry(bytes.subarray(begin), fields, controlBytes));
  }
  return { entries, firstString: record + records + 1 };
}

function readRecord(database: PalmDatabase, record: number): Buffer {
  const bytes = database.read(record, largestRecordBytes);
  if (bytes.length < at.count + 4 || bytes.toString("latin1", 0, 4) !== "INDX") throw damaged("an index is broken");
  return bytes;
}

function readFields(description: Buffer): { fields: Field[]; controlBytes: number } {
  const begin = description.readUInt32BE(at.headerLength);
  if (begin + 12 > description.length || description.toString("latin1", begin, begin + 4) !== "TAGX")
    throw damaged("an index is broken");
  const end = Math.min(begin + description.readUInt32BE(begin + 4), description.length);
  const fields: Field[] = [];
  for (let offset = begin + 12; offset + 4 <= end; offset += 4) {
    const [tag = 0, valuesEach = 0, mask = 0, isEnd = 0] = [...description.subarray(offset, offset + 4)];
    fields.push({ tag, valuesEach, mask, isEnd: isEnd === 1 });
  }
  return { fields, controlBytes: description.readUInt32BE(begin + 8) };
}

/** Where entries begin. */
function* entriesIn(bytes: Buffer): Generator<number> {
  const table = bytes.readUInt32BE(at.entryTable);
  const count = bytes.readUInt32BE(at.count);
  for (let index = 0, offset = table + 4; index < count && offset + 2 <= bytes.length; index++, offset += 2)
    yield bytes.readUInt16BE(offset);
}

/** A name, control bytes that say which values there are, and the values. */
function readEntry(bytes: Buffer, fields: readonly Field[], controlBytes: number): IndexEntry {
  const control = 1 + (bytes[0] ?? 0);
  const reading = new Numbers(bytes, control + controlBytes);
  const counted = countsOf(bytes.subarray(control, control + controlBytes), fields, reading);
  const entry = new Map<number, number[]>();
  for (const { tag, count, byteLength } of counted) {
    const end = byteLength === undefined ? undefined : reading.offset + byteLength;
    const values: number[] = [];
    while (values.length < mostValues && (end === undefined ? values.length < count : reading.offset < end)) {
      const value = reading.next();
      if (value === undefined) break;
      values.push(value);
    }
    entry.set(tag, values);
  }
  return entry;
}

interface Counted {
  readonly tag: number;
  readonly count: number;
  /** Of all values together, where their number was not told. */
  readonly byteLength: number | undefined;
}

function countsOf(control: Buffer, fields: readonly Field[], reading: Numbers): Counted[] {
  const counted: Counted[] = [];
  let byte = 0;
  for (const { tag, valuesEach, mask, isEnd } of fields) {
    if (isEnd) {
      byte += 1;
      continue;
    }
    const bits = (control[byte] ?? 0) & mask;
    if (bits === 0) continue;
    const hasManyBits = (mask & (mask - 1)) !== 0;
    if (bits === mask && hasManyBits) counted.push({ tag, count: 0, byteLength: reading.next() ?? 0 });
    else counted.push({ tag, count: (bits / (mask & -mask)) * valuesEach, byteLength: undefined });
  }
  return counted;
}

/** Numbers of seven bits a byte; the highest bit marks the last byte. */
class Numbers {
  constructor(
    private readonly bytes: Buffer,
    public offset: number,
  ) {}

  next(): number | undefined {
    let value = 0;
    for (let length = 0; length < 5 && this.offset < this.bytes.length; length++) {
      const byte = this.bytes[this.offset++]!;
      value = value * 128 + (byte & 0x7f);
      if ((byte & 0x80) !== 0) return value;
    }
    return undefined;
  }
}
