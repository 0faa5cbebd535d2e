/** What a test wants of a MOBI; records of the header by their type. */
export interface MobiPlan {
  readonly title?: string;
  /** 6 for a MOBI, 8 for an AZW3. */
  readonly version?: number;
  readonly records?: ReadonlyArray<readonly [type: number, value: string | Uint8Array]>;
  readonly isProtected?: boolean;
  readonly cover?: Uint8Array;
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
  return palmDatabase([first, Buffer.from("The tide came in."), ...(plan.cover ? [plan.cover] : [])]);
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
