import { seededRandom } from "@longbox/test/fixtures";
import { afterAll, beforeAll, expect, it } from "vitest";
import { flacFile } from "./support/lossless-file.js";
import { openListeningRoom, type ListeningRoom } from "./support/listening-room.js";
import { id3Frame, mp3File, syncSafe } from "./support/mp3-file.js";
import { box, mp4File, u32 } from "./support/mp4-file.js";
import { opusFile } from "./support/opus-file.js";

const m4b = mp4File({ seconds: 2, chapters: [[0, "One"]], nero: [[0, "One"]], tags: { "\xa9alb": "Book" } });
const ftyp = box("ftyp", Buffer.from("M4B \0\0\0\0", "latin1"));
const longList = vorbisHead(0xffffffff);

/** A copy with bytes changed where a text stands. @param from - bytes behind the text */
function altered(file: Buffer, text: string, from: number, ...bytes: readonly number[]): Buffer {
  const copy = Buffer.from(file);
  const at = copy.indexOf(text, 0, "latin1");
  if (at < 0) throw new Error(`There is no ${text} in the file.`);
  Buffer.from(bytes).copy(copy, at + from);
  return copy;
}

function vorbisHead(count: number): Buffer {
  const comments = Buffer.alloc(8);
  comments.writeUInt32LE(count, 4);
  return Buffer.concat([Buffer.from("fLaC"), u32(0x84 * 2 ** 24 + comments.length), comments]);
}

function id3(length: number, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 4, 0, 0]), syncSafe(length), body]);
}

const nested = (depth: number): Buffer => (depth === 0 ? Buffer.alloc(0) : box("udta", nested(depth - 1)));

/** Each is refused, with its reason. */
const hostile: Readonly<Record<string, readonly [file: Buffer, reason: RegExp]>> = {
  "box-too-long.m4b": [altered(m4b, "moov", -4, 0x7f, 0xff, 0xff, 0xff), /cut off/],
  "box-of-one-byte.m4b": [altered(m4b, "mdia", -4, 0, 0, 0, 1), /longer than its parent|impossible length/],
  "box-of-no-length.m4b": [Buffer.concat([ftyp, u32(4), Buffer.from("free"), Buffer.alloc(64)]), /impossible length/],
  "box-beyond-parent.m4b": [altered(m4b, "mdhd", -4, 0, 0xff, 0xff, 0xff), /longer than its parent/],
  "no-header.m4b": [Buffer.concat([ftyp, box("mdat", Buffer.alloc(2000))]), /no header/],
  "cut.m4b": [m4b.subarray(0, m4b.length - 200), /cut off/],
  "many-boxes.m4b": [
    Buffer.concat([ftyp, Buffer.concat(Array.from({ length: 6000 }, () => box("free")))]),
    /too many boxes/,
  ],
  "many-chapters.m4b": [
    altered(m4b, "stts\0\0\0\0\0\0\0\x01\0\0\0\x01", 12, 0xff, 0xff, 0xff, 0xff),
    /too many chapters|table of lengths|cut off/,
  ],
  "no-time.m4b": [altered(altered(m4b, "mdhd", 20, 0, 0, 0, 0), "mvhd", 20, 0, 0, 0, 0), /how long/],
  "no-timescale.m4b": [altered(altered(m4b, "mdhd", 16, 0, 0, 0, 0), "mvhd", 16, 0, 0, 0, 0), /how long/],
  "protected.m4b": [mp4File({ seconds: 1, codec: "aavd" }), /DRM/],
  "no-sound.m4b": [altered(m4b, "soun", 0, 0x76, 0x69, 0x64, 0x65), /no sound/],
  "tag-too-long.mp3": [id3(200_000_000, Buffer.alloc(2000)), /longer than the file/],
  "frame-too-long.mp3": [
    id3(100, Buffer.concat([Buffer.from("TIT2"), syncSafe(90_000), Buffer.alloc(2000)])),
    /impossible length/,
  ],
  "no-frames.mp3": [
    id3(12, Buffer.concat([id3Frame("TIT2", Buffer.from("\x03")), Buffer.alloc(9000)])),
    /no MP3 audio/,
  ],
  "false-starts.mp3": [
    id3(10, Buffer.alloc(400_000, Buffer.from([0xff, 0xfb, 0x18, 0xc0, 0]))),
    /no MP3 audio|too long/,
  ],
  "many-comments.flac": [longList, /too many tags/],
  "cut-comments.flac": [vorbisHead(12), /cut off/],
  "endless-blocks.flac": [
    Buffer.concat([Buffer.from("fLaC"), Buffer.alloc(4000, Buffer.from([1, 0, 0, 0]))]),
    /too many blocks/,
  ],
  "no-samples.flac": [
    Buffer.concat([flacFile({ seconds: 1 }).subarray(0, 18), Buffer.alloc(24), vorbisHead(0).subarray(4)]),
    /how long/,
  ],
  "no-end.opus": [opusFile({ seconds: 1 }).subarray(0, 100), /how long/],
  "bad-page.opus": [altered(opusFile({ seconds: 1 }), "OpusTags", -28, 0x58), /damaged/],
  "endless-tags.opus": [endlessTags(), /too long|too many|cut off/],
};

/** Pages of a packet that never ends. */
function endlessTags(): Buffer {
  const head = opusFile({ seconds: 1 }).subarray(0, 47);
  const page = Buffer.alloc(27 + 255 + 255 * 255, 255);
  page.write("OggS\0\0", "latin1");
  page.writeUInt32LE(7, 14);
  page[26] = 255;
  return Buffer.concat([head, ...Array.from({ length: 150 }, () => page)]);
}

/** Files of every format with bytes changed at random, in the places where headers are. */
function damaged(): Readonly<Record<string, Buffer>> {
  const random = seededRandom(15);
  const chapters = [
    [0, "One"],
    [1, "Two"],
  ] as const;
  const whole = {
    m4b,
    mp3: mp3File({ seconds: 2, hasInfo: true, id3: { texts: { TALB: "Book" }, chapters } }),
    flac: flacFile({ seconds: 1, comments: ["ALBUM=Book", "CHAPTER001=00:00:00"] }),
    opus: opusFile({ seconds: 2, comments: ["ALBUM=Book"] }),
  };
  const files = Object.entries(whole).flatMap(([ending, file]) =>
    Array.from({ length: 60 }, (_, index) => {
      const copy = Buffer.from(file);
      const from = ending === "m4b" ? file.lastIndexOf("moov") : 0;
      for (let changes = random.between(1, 6); changes > 0; changes -= 1)
        copy[random.between(from, Math.min(file.length - 1, from + 1200))] = random.between(0, 255);
      return [
        `Damaged/${ending} ${index}.${ending}`,
        copy.subarray(0, index % 10 === 0 ? random.between(1, file.length) : file.length),
      ] as const;
    }),
  );
  return Object.fromEntries(files);
}

let room: ListeningRoom;
beforeAll(async () => {
  const files = Object.fromEntries(Object.entries(hostile).map(([name, [file]]) => [name, file]));
  const deep = Buffer.concat([ftyp, nested(3000), m4b.subarray(m4b.readUInt32BE(0))]);
  room = await openListeningRoom({
    ...files,
    "zz good.m4b": m4b,
    "deep.m4b": deep,
    ...damaged(),
    "Parts/01.mp3": mp3File({ seconds: 1 }),
    "Parts/02.mp3": Buffer.alloc(500, 7),
  });
});
afterAll(() => room[Symbol.asyncDispose]());

/** Why each file cannot be read, by its name; undefined for those that can. */
async function errors(): Promise<ReadonlyMap<string, string | undefined>> {
  const admin = room.host.as("admin");
  const found = new Map<string, string | undefined>();
  const { body } = await admin.get("/api/collection?filter=audiobook");
  for (const { id } of body as Array<{ id: number }>) {
    const { issues, unlinkedFiles } = (await admin.get(`/api/collection/${id}`)).body;
    const files = [...issues.flatMap((issue: { files: object[] }) => issue.files), ...unlinkedFiles];
    for (const { name, error } of files as Array<{ name: string; error?: string }>) found.set(name, error);
  }
  return found;
}

it("refuses each hostile file with a reason, and reads the others", async () => {
  const found = await errors();
  const wrong = Object.entries(hostile).filter(
    ([name, [, reason]]) => !reason.test(found.get(name) ?? "(it was read)"),
  );
  expect(wrong.map(([name]) => [name, found.get(name)])).toEqual([]);
  expect([found.get("zz good.m4b"), found.get("deep.m4b"), found.get("Parts")]).toEqual([
    undefined,
    undefined,
    "02.mp3: The file has none of the formats that can be read here.",
  ]);
});

it("reads a damaged file, or says why not in a sentence", async () => {
  const found = [...(await errors())].filter(([name]) => /^(?:m4b|mp3|flac|opus) \d+\./.test(name));
  expect(found).toHaveLength(240);
  const refused = found.flatMap(([, error]) => error ?? []);
  expect(refused.length).toBeGreaterThan(20);
  // What the engine says of an inspector that throws is no reason.
  expect(refused.filter((error) => !/^[A-Z][^/]+\.$/.test(error) || error === "The file could not be read.")).toEqual(
    [],
  );
});
