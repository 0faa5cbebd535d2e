/** What a test wants of a MOBI; records of the header by their type. */
export interface MobiPlan {
  readonly title?: string;
  /** 6 for a MOBI, 8 for an AZW3. */
  readonly version?: number;
  readonly records?: ReadonlyArray<readonly [type: number, value: string | Uint8Array]>;
  readonly isProtected?: boolean;
  readonly cover?: Uint8Array;
  /** Of the text, in bytes. */
  readonly textLength?: number;
  /** The table of contents: where chapters begin in the text, and their titles. */
  readonly chapters?: ReadonlyArray<readonly [offset: number, title: string]>;
}

const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** Makes the header of a MOBI, a record of text, and a cover. */
export function mobi({
  title = "The Salt Road",
  version = 6,
  isProtected = false,
  ...plan
}: MobiPlan = {}): Uint8Array {
  const records = [...(plan.records ?? []), ...(plan.cover ? [[201, uint32(0)] as const] : [])];
  const header = Buffer.alloc(16 + 232);
  header.writeUInt16BE(isProtected ? 2 : 0, 12);
  header.write("MOBI", 16, "latin1");
  header.writeUInt32BE(232, 20);
  header.writeUInt32BE(65_001, 28);
  header.writeUInt32BE(version, 36);
  header.writeUInt32BE(plan.cover ? 2 : 0xffffffff, 108);
  header.writeUInt32BE(0x40, 128);
  header.writeUInt32BE(plan.textLength ?? 17, 4);
  header.writeUInt32BE(plan.chapters ? (plan.cover ? 3 : 2) : 0xffffffff, 244);
  const extra = Buffer.concat(
    records.map(([type, value]) => {
      const bytes = typeof value === "string" ? Buffer.from(value) : value;
      return Buffer.concat([uint32(type), uint32(bytes.length + 8), bytes]);
    }),
  );
  const exth = Buffer.concat([Buffer.from("EXTH"), uint32(extra.length + 12), uint32(records.length), extra]);
  header.writeUInt32BE(header.length + exth.length, 84);
  header.writeUInt32BE(Buffer.byteLength(title), 88);
  const first = Buffer.concat([header, exth, Buffer.from(title)]);
  const contents = plan.chapters ? contentsIndex(plan.chapters) : [];
  return palmDatabase([first, Buffer.from("The tide came in."), ...(plan.cover ? [plan.cover] : []), ...contents]);
}

/** Seven bits a byte, the last byte marked. */
function number(value: number): Buffer {
  const bytes = [(value & 0x7f) | 0x80];
  for (let left = value >> 7; left > 0; left >>= 7) bytes.unshift(left & 0x7f);
  return Buffer.from(bytes);
}

/** An index of the contents (NCX): its description, its entries, its strings. */
function contentsIndex(chapters: ReadonlyArray<readonly [offset: number, title: string]>): Buffer[] {
  const strings = chapters.map(([, title]) => Buffer.concat([number(Buffer.byteLength(title)), Buffer.from(title)]));
  const places = strings.map((_, index) => Buffer.concat(strings.slice(0, index)).length);
  // Of each entry: the offset, the length, the title, and the depth.
  const fields = [1, 1, 1, 0, 2, 1, 2, 0, 3, 1, 4, 0, 4, 1, 8, 0, 0, 0, 0, 1];
  const tags = Buffer.concat([Buffer.from("TAGX"), uint32(12 + fields.length), uint32(1), Buffer.from(fields)]);
  const entries = chapters.map(([offset], index) => {
    const name = Buffer.from(String(index).padStart(3, "0"));
    const values = [offset, 1000, places[index]!, 0].map(number);
    return Buffer.concat([Buffer.from([name.length]), name, Buffer.from([0x0f]), ...values]);
  });
  return [indexRecord(1, [tags]), indexRecord(entries.length, entries), Buffer.concat(strings)];
}

function indexRecord(count: number, parts: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(192);
  header.write("INDX", 0, "latin1");
  header.writeUInt32BE(header.length, 4);
  header.writeUInt32BE(count, 24);
  const begins: number[] = [];
  let end = header.length;
  for (const part of parts) {
    begins.push(end);
    end += part.length;
  }
  header.writeUInt32BE(end, 20);
  const table = Buffer.alloc(begins.length * 2);
  for (const [index, begin] of begins.entries()) table.writeUInt16BE(begin, index * 2);
  return Buffer.concat([header, ...parts, Buffer.from("IDXT"), table]);
}

function palmDatabase(records: readonly Uint8Array[]): Uint8Array {
  const directory = Buffer.alloc(78 + records.length * 8 + 2);
  directory.write("The_Salt_Roa", 0, "latin1");
  directory.write("BOOKMOBI", 60, "latin1");
  directory.writeUInt16BE(records.length, 76);
  let offset = directory.length;
  for (const [index, record] of records.entries()) {
    directory.writeUInt32BE(offset, 78 + index * 8);
    offset += record.length;
  }
  return Buffer.concat([directory, ...records]);
}
