import {
  keepTag,
  type AudioTags,
  type ByteRange,
  type Mark,
  type MutableTags,
  type TagName,
} from "../recording/recording.js";
import { frameText, namedText } from "./id3-text.js";
import { namedTag } from "./named-tags.js";
import { Unreadable, type Source } from "./source.js";

/** An ID3v2 tag at the beginning of a file. */
export interface Id3 {
  readonly tags: AudioTags;
  readonly marks: readonly Mark[];
  readonly picture: ByteRange | undefined;
  /** The first byte behind it. */
  readonly end: number;
}

const mostFrames = 5000;
const mostTextBytes = 1024 * 1024;
/** A tag whose every byte was altered has to be read as a whole. */
const mostUnsyncedBytes = 16 * 1024 * 1024;
/** Chapters hold frames of their own, but no chapters. */
const chapterFrames = new Set(["TIT2", "TIT3"]);

const names: Readonly<Record<string, TagName>> = {
  TIT2: "title",
  TT2: "title",
  TALB: "album",
  TAL: "album",
  TPE1: "artist",
  TP1: "artist",
  TPE2: "albumArtist",
  TP2: "albumArtist",
  TCOM: "composer",
  TCM: "composer",
  MVNM: "series",
  MVIN: "seriesPart",
  TLAN: "language",
  TDRC: "date",
  TYER: "date",
  TYE: "date",
  TPUB: "publisher",
  TPB: "publisher",
  TCON: "genre",
  TRCK: "track",
  TRK: "track",
  TPOS: "disc",
  TPA: "disc",
  GRP1: "grouping",
};

/** Nothing was found, as in a file without a tag. */
export const noId3: Id3 = { tags: {}, marks: [], picture: undefined, end: 0 };

/** @param at - where it begins @throws {Unreadable} for a tag that is longer than the file */
export function readId3(source: Source, at: number): Id3 {
  if (at + 10 > source.sizeBytes) return noId3;
  const head = source.read(at, 10);
  if (head.toString("latin1", 0, 3) !== "ID3" || head[3]! < 2 || head[3]! > 4) return noId3;
  const [version, flags, length] = [head[3]!, head[5]!, syncSafe(head, 6)];
  const end = at + 10 + length + (flags & 0x10 ? 10 : 0);
  if (end > source.sizeBytes) throw new Unreadable("The tag of the file is longer than the file.");
  const body = { start: at + 10, end: at + 10 + length };
  if ((flags & 0x80) === 0 || version === 4) return { ...new Frames(source, { version, flags }).read(body), end };
  // The places in an altered tag are not those in the file, so that its picture cannot be sent from there.
  const plain = withoutSync(source, body);
  const found = new Frames(plain, { version, flags }).read({ start: 0, end: plain.sizeBytes });
  return { ...found, picture: undefined, end };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

class Frames {
  readonly #tags: MutableTags = {};
  readonly #marks: Array<Mark & { readonly id: string }> = [];
  #picture: ByteRange | undefined;

  constructor(
    private readonly source: Source | Bytes,
    private readonly kind: { readonly version: number; readonly flags: number },
  ) {}

  read({ start, end }: Span): Omit<Id3, "end"> {
    const extended = this.kind.version > 2 && (this.kind.flags & 0x40) !== 0 ? this.#extendedBytes(start) : 0;
    for (const frame of this.#framesIn({ start: start + extended, end })) this.#take(frame);
    const marks = this.#marks
      .toSorted((a, b) => a.startMs - b.startMs)
      .map(({ startMs, title }) => ({ startMs, title }));
    return { tags: this.#tags, marks, picture: this.#picture };
  }

  #extendedBytes(start: number): number {
    const bytes = this.source.read(start, 4);
    return this.kind.version === 4 ? syncSafe(bytes, 0) : bytes.readUInt32BE(0) + 4;
  }

  *#framesIn({ start, end }: Span): Generator<Span & { readonly id: string }> {
    const isShort = this.kind.version === 2;
    const headBytes = isShort ? 6 : 10;
    for (let [at, count] = [start, 0]; at + headBytes <= end; count += 1) {
      const head = this.source.read(at, headBytes);
      const id = head.toString("latin1", 0, isShort ? 3 : 4);
      if (!/^[A-Z][A-Z0-9]{2,3}$/.test(id)) return;
      const length = this.#lengthOf(head);
      const next = at + headBytes + length;
      if (next > end || count > mostFrames)
        throw new Unreadable("The tag of the file has a frame of impossible length.");
      const flags = isShort ? 0 : head[9]!;
      // Compressed and encrypted frames are left out; a length indicator stands before the content.
      if (this.kind.version !== 4 ? (flags & 0xc0) === 0 : (flags & 0x0c) === 0)
        yield { id, start: at + headBytes + (this.kind.version === 4 && flags & 0x01 ? 4 : 0), end: next };
      at = next;
    }
  }

  #lengthOf(head: Buffer): number {
    if (this.kind.version === 2) return head.readUIntBE(3, 3);
    return this.kind.version === 4 ? syncSafe(head, 4) : head.readUInt32BE(4);
  }

  #take({ id, start, end }: Span & { readonly id: string }): void {
    if (id === "APIC" || id === "PIC") this.#takePicture({ start, end }, id === "PIC");
    else if (id === "CHAP") this.#takeChapter({ start, end });
    else if (end - start > mostTextBytes || end <= start) return;
    else this.#takeText(id, this.source.read(start, end - start));
  }

  #takeText(id: string, bytes: Buffer): void {
    if (id === "TXXX" || id === "TXX") {
      const { name, text } = namedText(bytes, 1);
      keepTag(this.#tags, namedTag(name), text);
    } else if (id === "COMM" || id === "COM") keepTag(this.#tags, "description", namedText(bytes, 4).text);
    else keepTag(this.#tags, names[id], frameText(bytes));
  }

  /** `id\0`, then start and end in milliseconds and in bytes, then frames with the title. */
  #takeChapter({ start, end }: Span): void {
    const head = this.source.read(start, Math.min(256, end - start));
    const idEnd = head.indexOf(0);
    if (idEnd < 0 || idEnd + 17 > head.length) return;
    let title = "";
    for (const frame of this.#framesIn({ start: start + idEnd + 17, end }))
      if (chapterFrames.has(frame.id) && frame.end - frame.start < 4096)
        title ||= frameText(this.source.read(frame.start, frame.end - frame.start));
    this.#marks.push({ id: head.toString("latin1", 0, idEnd), startMs: head.readUInt32BE(idEnd + 1), title });
  }

  /** Encoding, media type, kind, description, picture. */
  #takePicture({ start, end }: Span, isShort: boolean): void {
    const head = this.source.read(start, Math.min(512, end - start));
    const typeEnd = isShort ? 4 : head.indexOf(0, 1) + 1;
    const isWide = head[0] === 1 || head[0] === 2;
    let at = typeEnd + 1;
    while (at + 1 < head.length && !(head[at] === 0 && (!isWide || head[at + 1] === 0))) at += isWide ? 2 : 1;
    const offset = start + at + (isWide ? 2 : 1);
    if (typeEnd > 0 && at < head.length && offset < end) this.#picture ??= { offset, length: end - offset };
  }
}

/** Bytes in memory, read as those of a file are. */
class Bytes {
  constructor(private readonly bytes: Buffer) {}

  get sizeBytes(): number {
    return this.bytes.length;
  }

  read(offset: number, length: number): Buffer {
    if (offset + length > this.bytes.length) throw new Unreadable("The tag of the file is cut off.");
    return this.bytes.subarray(offset, offset + length);
  }
}

/** Programs put a zero behind each 0xFF, so that a tag never looks like sound. */
function withoutSync(source: Source, { start, end }: Span): Bytes {
  if (end - start > mostUnsyncedBytes) throw new Unreadable("The tag of the file is too long.");
  const bytes = source.read(start, end - start);
  const plain = Buffer.alloc(bytes.length);
  let length = 0;
  for (let index = 0; index < bytes.length; index += 1)
    if (index === 0 || bytes[index] !== 0 || bytes[index - 1] !== 0xff) plain[length++] = bytes[index]!;
  return new Bytes(plain.subarray(0, length));
}

/** Four bytes of seven bits each. */
function syncSafe(bytes: Buffer, at: number): number {
  return (bytes[at]! << 21) | (bytes[at + 1]! << 14) | (bytes[at + 2]! << 7) | bytes[at + 3]!;
}
