const recordHeaderBytes = 8;
const mostRecords = 1000;

/** The metadata behind the header of a MOBI (EXTH): records by their type. A broken one says nothing from there on. */
export class ExtraHeader {
  readonly #records = new Map<number, Buffer[]>();
  readonly #decoder: InstanceType<typeof TextDecoder>;

  private constructor(isUtf8: boolean) {
    this.#decoder = new TextDecoder(isUtf8 ? "utf-8" : "windows-1252");
  }

  /** @param begin - where it begins in the first record */
  static in(
    header: Buffer,
    begin: number,
    { isThere, isUtf8 }: { readonly isThere: boolean; readonly isUtf8: boolean },
  ): ExtraHeader {
    const extra = new ExtraHeader(isUtf8);
    if (!isThere || begin + 12 > header.length || header.toString("latin1", begin, begin + 4) !== "EXTH") return extra;
    const count = Math.min(header.readUInt32BE(begin + 8), mostRecords);
    let offset = begin + 12;
    for (let index = 0; index < count && offset + recordHeaderBytes <= header.length; index++) {
      const length = header.readUInt32BE(offset + 4);
      if (length < recordHeaderBytes || offset + length > header.length) break;
      extra.#add(header.readUInt32BE(offset), header.subarray(offset + recordHeaderBytes, offset + length));
      offset += length;
    }
    return extra;
  }

  decode(bytes: Uint8Array): string {
    return this.#decoder.decode(bytes);
  }

  texts(type: number): string[] {
    return (this.#records.get(type) ?? []).map((bytes) => this.decode(bytes));
  }

  text(type: number): string | undefined {
    return this.texts(type)[0];
  }

  number(type: number): number | undefined {
    const bytes = this.#records.get(type)?.[0];
    return bytes?.length === 4 ? bytes.readUInt32BE(0) : undefined;
  }

  #add(type: number, bytes: Buffer): void {
    const same = this.#records.get(type);
    if (same) same.push(bytes);
    else this.#records.set(type, [bytes]);
  }
}
