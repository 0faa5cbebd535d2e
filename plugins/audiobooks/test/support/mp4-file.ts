/** An M4B that players play: AAC frames of silence, with chapters, tags and a picture. */
export interface Mp4Options {
  readonly seconds: number;
  readonly tags?: Readonly<Record<string, string>>;
  /** Start in seconds, and title; in a text track. */
  readonly chapters?: ReadonlyArray<readonly [start: number, title: string]>;
  /** The same in Nero's list. */
  readonly nero?: ReadonlyArray<readonly [start: number, title: string]>;
  readonly picture?: Uint8Array;
  /** The header stands before the sound. */
  readonly moovFirst?: boolean;
  /** The codec of the sample description, `mp4a` by default. */
  readonly codec?: string;
}

const sampleRate = 44_100;
const samplesInFrame = 1024;
/** A frame of AAC-LC with one channel of silence. */
const silence = Buffer.from([0x00, 0xc8, 0x00, 0x80, 0x23, 0x80]);

const u16 = (value: number) => Buffer.from([value >> 8, value & 255]);
export function u32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, index * 4);
  return bytes;
}
export const box = (type: string, ...content: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, "latin1"), body]);
};
const zeros = (length: number) => Buffer.alloc(length);

export function mp4File(options: Mp4Options): Buffer {
  const frames = Math.round((options.seconds * sampleRate) / samplesInFrame);
  const sound = Buffer.alloc(frames * silence.length, silence);
  const titles = (options.chapters ?? []).map(([, title]) => {
    const text = Buffer.from(title);
    return Buffer.concat([u16(text.length), text]);
  });
  const mdat = box("mdat", sound, ...titles);
  const ftyp = box("ftyp", Buffer.from("M4B \0\0\0\0M4B mp42isom", "latin1"));
  const movieAt = (mdatAt: number) =>
    movie(options, { frames, titles, soundAt: mdatAt + 8, titlesAt: mdatAt + 8 + sound.length });
  if (!options.moovFirst) return Buffer.concat([ftyp, mdat, movieAt(ftyp.length)]);
  const { length } = movieAt(0);
  return Buffer.concat([ftyp, movieAt(ftyp.length + length), mdat]);
}

interface Layout {
  readonly frames: number;
  readonly titles: readonly Buffer[];
  readonly soundAt: number;
  readonly titlesAt: number;
}

function movie(options: Mp4Options, layout: Layout): Buffer {
  const duration = layout.frames * samplesInFrame;
  const header = Buffer.concat([
    u32(0, 0, 0, sampleRate, duration, 0x10000),
    u16(0x100),
    zeros(10),
    matrix,
    zeros(24),
    u32(3),
  ]);
  const chapters = options.chapters ?? [];
  return box(
    "moov",
    box("mvhd", header),
    soundTrack(layout, { duration, isChaptered: chapters.length > 0, codec: options.codec ?? "mp4a" }),
    ...(chapters.length > 0 ? [textTrack(chapters, layout, duration)] : []),
    box("udta", ...(options.nero ? [neroList(options.nero)] : []), tagList(options)),
  );
}

const matrix = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

function track(
  id: number,
  parts: { flags: number; duration: number; volume: number },
  ...rest: readonly Buffer[]
): Buffer {
  const head = Buffer.concat([
    u32(parts.flags, 0, 0, id, 0, parts.duration),
    zeros(8),
    u32(0),
    u16(parts.volume),
    u16(0),
    matrix,
    u32(0, 0),
  ]);
  return box("trak", box("tkhd", head), ...rest);
}

function media(handler: string, parts: { timescale: number; duration: number; header: Buffer; table: Buffer }): Buffer {
  return box(
    "mdia",
    box("mdhd", u32(0, 0, 0, parts.timescale, parts.duration), u16(0x15c7), u16(0)),
    box("hdlr", u32(0, 0), Buffer.from(handler, "latin1"), zeros(12), Buffer.from("\0")),
    box("minf", parts.header, box("dinf", box("dref", u32(0, 1), box("url ", u32(1)))), parts.table),
  );
}

interface Sound {
  readonly duration: number;
  readonly isChaptered: boolean;
  readonly codec: string;
}

function soundTrack(layout: Layout, { duration, isChaptered, codec }: Sound): Buffer {
  const table = box("stbl", box("stsd", u32(0, 1), soundEntry(codec)), ...sampleTables(layout));
  return track(
    1,
    { flags: 7, duration, volume: 0x100 },
    ...(isChaptered ? [box("tref", box("chap", u32(2)))] : []),
    media("soun", { timescale: sampleRate, duration, header: box("smhd", zeros(8)), table }),
  );
}

function soundEntry(codec: string): Buffer {
  const settings = Buffer.from([0x05, 2, 0x12, 0x08]);
  const decoder = Buffer.concat([
    Buffer.from([0x04, 13 + settings.length, 0x40, 0x15, 0, 0, 0]),
    u32(32_000, 32_000),
    settings,
  ]);
  const head = Buffer.from([0x03, 3 + decoder.length + 3, 0, 1, 0]);
  const esds = Buffer.concat([u32(0), head, decoder, Buffer.from([0x06, 1, 2])]);
  const sound = [u16(1), u16(16), zeros(4), u32(sampleRate * 65_536)];
  return box(codec, zeros(6), u16(1), zeros(8), ...sound, box("esds", esds));
}

/** A chunk for each second, and a length for each frame, as encoders write them. */
function sampleTables({ frames, soundAt }: Layout): Buffer[] {
  const perChunk = 43;
  const chunks = Math.ceil(frames / perChunk);
  const places = Buffer.alloc(chunks * 4);
  for (let chunk = 0; chunk < chunks; chunk += 1)
    places.writeUInt32BE(soundAt + chunk * perChunk * silence.length, chunk * 4);
  const rest = frames % perChunk;
  const full = rest === 0 ? u32(0, 1, 1, perChunk, 1) : u32(0, 2, 1, perChunk, 1, chunks, rest, 1);
  return [
    box("stts", u32(0, 1, frames, samplesInFrame)),
    box("stsc", chunks === 1 ? u32(0, 1, 1, frames, 1) : full),
    box("stsz", u32(0, 0, frames), Buffer.alloc(frames * 4, u32(silence.length))),
    box("stco", u32(0, chunks), places),
  ];
}

function textTrack(
  chapters: ReadonlyArray<readonly [number, string]>,
  { titles, titlesAt }: Layout,
  duration: number,
): Buffer {
  const seconds = duration / sampleRate;
  const times = chapters.map(([start], index) => [
    1,
    Math.round(((chapters[index + 1]?.[0] ?? seconds) - start) * 1000),
  ]);
  const stbl = box(
    "stbl",
    box("stsd", u32(0, 1), box("text", zeros(6), u16(1), zeros(43))),
    box("stts", u32(0, times.length, ...times.flat())),
    box("stsc", u32(0, 1, 1, chapters.length, 1)),
    box("stsz", u32(0, 0, titles.length, ...titles.map(({ length }) => length))),
    box("stco", u32(0, 1, titlesAt)),
  );
  const header = box("gmhd", box("gmin", zeros(16)));
  return track(
    2,
    { flags: 0, duration, volume: 0 },
    media("text", { timescale: 1000, duration: Math.round(seconds * 1000), header, table: stbl }),
  );
}

function neroList(chapters: ReadonlyArray<readonly [number, string]>): Buffer {
  const rows = chapters.map(([start, title]) => {
    const text = Buffer.from(title);
    const head = zeros(9);
    head.writeBigUInt64BE(BigInt(Math.round(start * 10_000_000)));
    head[8] = text.length;
    return Buffer.concat([head, text]);
  });
  return box("chpl", Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, rows.length]), ...rows);
}

/** Names that are no atoms become freeform tags. */
function tagList({ tags = {}, picture }: Mp4Options): Buffer {
  const items = Object.entries(tags).map(([name, text]) => {
    const value = box("data", u32(1, 0), Buffer.from(text));
    if (/^(?:\xa9...|aART|desc|ldes|CDEK|trkn|disk)$/.test(name)) return box(name, value);
    return box(
      "----",
      box("mean", u32(0), Buffer.from("com.apple.iTunes")),
      box("name", u32(0), Buffer.from(name)),
      value,
    );
  });
  const covr = picture ? [box("covr", box("data", u32(13, 0), picture))] : [];
  const handler = box("hdlr", u32(0, 0), Buffer.from("mdirappl", "latin1"), zeros(9));
  return box("meta", u32(0), handler, box("ilst", ...items, ...covr));
}
