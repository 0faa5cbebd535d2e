import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { flacFile, pictureComment } from "./support/lossless-file.js";
import { openListeningRoom, type ListeningRoom } from "./support/listening-room.js";
import { mp3File } from "./support/mp3-file.js";
import { mp4File } from "./support/mp4-file.js";
import { opusFile } from "./support/opus-file.js";

const chapters = [
  [0, "Opening"],
  [4, "Middle ½"],
  [7.5, "The end"],
] as const;
const picture = await sharp({ create: { width: 40, height: 40, channels: 3, background: "#a33" } })
  .png()
  .toBuffer();
/** Larger than a page of Ogg. */
const largePicture = await sharp({
  create: {
    width: 300,
    height: 300,
    channels: 3,
    background: "#a33",
    noise: { type: "gaussian", mean: 90, sigma: 40 },
  },
})
  .png()
  .toBuffer();
const markers =
  "<Markers><Marker><Name>One &amp; all</Name><Time>0:00.000</Time></Marker><Marker><Name>Two</Name><Time>0:06.500</Time></Marker></Markers>";
const cue = (file: string) =>
  `TITLE "Whole"\r\nFILE "${file}" MP3\r\n  TRACK 01 AUDIO\r\n    TITLE "First"\r\n    INDEX 01 00:00:00\r\n  TRACK 02 AUDIO\r\n    TITLE "Second"\r\n    INDEX 00 00:01:00\r\n    INDEX 01 00:03:45\r\n`;
const part = (track: number, title: string) =>
  mp3File({
    seconds: 3.6,
    id3: { texts: { TALB: "Sixty Bells", TPE1: "Ada Quill", TIT2: title, TRCK: `${track}/3` } },
  });

const tags = {
  "\xa9alb": "Night Bell",
  aART: "Ada Quill",
  "\xa9nrt": "Ira Bloom",
  SERIES: "Low Tides",
  "SERIES-PART": "2",
  ASIN: "B0EXAMPLE1",
  ISBN: "978-0-306-40615-7",
  "\xa9day": "2019-04-02",
  desc: "A bell rings.",
};

let room: ListeningRoom;
beforeAll(async () => {
  room = await openListeningRoom({
    "Ada/night.m4b": mp4File({ seconds: 10, chapters, nero: chapters, tags, picture }),
    "Ada/Nero.m4a": mp4File({ seconds: 10, nero: chapters, moovFirst: true, tags: { "\xa9nam": "Nero" } }),
    "Ada/Marks.mp3": mp3File({
      seconds: 10,
      hasInfo: true,
      hasId3v1: true,
      id3: { texts: { TALB: "Marks", NARRATOR: "Ira Bloom; Oz Lee" }, chapters, picture },
    }),
    "Ada/Drive.mp3": mp3File({ seconds: 10, id3: { texts: { TALB: "Drive", "OverDrive MediaMarkers": markers } } }),
    "Ada/Salt Road.mp3": mp3File({ seconds: 10 }),
    "Ada/Salt Road.cue": Buffer.from(cue("Salt Road.mp3")),
    "Ada/Reeds.flac": flacFile({
      seconds: 2,
      comments: [
        "ALBUM=Reeds",
        "ARTIST=Ada Quill",
        "LANGUAGE=eng",
        "CHAPTER001=00:00:00.000",
        "CHAPTER001NAME=A",
        "CHAPTER002=00:00:01.250",
        "CHAPTER002NAME=B",
      ],
      picture,
    }),
    "Ada/Small.opus": opusFile({ seconds: 2, comments: ["TITLE=Small", pictureComment(picture)] }),
    "Ada/Large.opus": opusFile({ seconds: 2, comments: [pictureComment(largePicture), "TITLE=Large"] }),
    "Ada/Commented.flac": flacFile({ seconds: 2, comments: ["TITLE=Commented", pictureComment(picture)] }),
    "Ada/Broken.opus": opusFile({ seconds: 2, comments: ["TITLE=Broken", "METADATA_BLOCK_PICTURE=AAAA/w=="] }),
    "Ada/Quiet.opus": opusFile({ seconds: 5, comments: ["TITLE=Quiet", "ARTIST=Ada Quill"] }),
    "Ada/Sixty Bells/03.mp3": part(1, "Gate"),
    "Ada/Sixty Bells/01.mp3": part(3, "Sea"),
    "Ada/Sixty Bells/02.mp3": part(2, "Tower"),
    "Ada/Discs/CD 1/01.mp3": mp3File({ seconds: 3.6 }),
    "Ada/Discs/CD 2/01.mp3": mp3File({ seconds: 7.2 }),
    "Ada/Discs/cover.png": picture,
    "Low Tides/03 - Ebb (2020).m4b": mp4File({ seconds: 2 }),
    "Low Tides/04 - Flood.m4b": mp4File({ seconds: 2 }),
  });
});
afterAll(() => room[Symbol.asyncDispose]());

const chaptersOf = async (title: string) => {
  const { id } = (await room.books())[title]!;
  return (await room.host.as("viewer").get(`/api/audiobooks/issue/${id}/chapters`)).body;
};

describe("a library of audiobooks", () => {
  it("has a book for each file, and one for each folder of parts", async () => {
    const found = await room.books();
    expect(
      Object.entries(found)
        .map(([title, { format, seconds }]) => [title, format, seconds])
        .toSorted(),
    ).toEqual([
      ["Broken", "opus", 2],
      ["Commented", "flac", 2],
      ["Discs", "audioparts", 11],
      ["Drive", "mp3", 10],
      ["Ebb", "m4b", 2],
      ["Flood", "m4b", 2],
      ["Large", "opus", 2],
      ["Marks", "mp3", 10],
      ["Nero", "m4a", 10],
      ["Night Bell", "m4b", 10],
      ["Quiet", "opus", 5],
      ["Reeds", "flac", 2],
      ["Salt Road", "mp3", 10],
      ["Sixty Bells", "audioparts", 11],
      ["Small", "opus", 2],
    ]);
    expect(found["Night Bell"]!.label.within).toBe("Low Tides, audiobook 2");
    expect(found["Ebb"]!.label.within).toBe("Low Tides, audiobook 3");
  });

  it("knows author, narrator, date, ids and description", async () => {
    const { cvIssueId, id } = (await room.books())["Night Bell"]!;
    expect((await room.host.as("viewer").get(`/api/issue/${cvIssueId}`)).body).toMatchObject({
      description: "A bell rings.",
      credits: [
        { name: "Ada Quill", role: "author" },
        { name: "Ira Bloom", role: "narrator" },
      ],
      ids: { asin: ["B0EXAMPLE1"], isbn: ["9780306406157"] },
      language: "en",
      coverDate: "2019-04-02",
    });
    const [info] = (await room.host.as("viewer").get(`/api/audiobooks/info?issues=${id},999999`)).body;
    expect(info).toEqual({
      id,
      cvIssueId,
      title: "Night Bell",
      authors: ["Ada Quill"],
      narrators: ["Ira Bloom"],
      series: "Low Tides",
      number: "2",
      duration: 10.008,
      size: expect.any(Number),
      format: "m4b",
      codec: "aac",
      cover: `/api/audiobooks/issue/${id}/cover`,
      progress: null,
    });
  });
});

describe("chapters", () => {
  const three = [
    { title: "Opening", start: 0, end: 4 },
    { title: "Middle ½", start: 4, end: 7.5 },
    { title: "The end", start: 7.5, end: 10.008 },
  ];

  it.each(["Night Bell", "Nero", "Marks"])(
    "are read from a text track, Nero's list and frames of ID3: %s",
    async (title) => {
      expect(await chaptersOf(title)).toMatchObject({ chapters: three, duration: 10.008, joined: true });
    },
  );

  it("are read from markers of OverDrive, cue sheets and comments of Vorbis", async () => {
    const named = async (title: string) =>
      (await chaptersOf(title)).chapters.map((one: { title: string; start: number }) => [one.title, one.start]);
    expect(await named("Drive")).toEqual([
      ["One & all", 0],
      ["Two", 6.5],
    ]);
    expect(await named("Salt Road")).toEqual([
      ["First", 0],
      ["Second", 3.6],
    ]);
    expect(await named("Reeds")).toEqual([
      ["A", 0],
      ["B", 1.25],
    ]);
    expect(await named("Quiet")).toEqual([["Quiet", 0]]);
  });

  it("are the files of a folder, by disc and track, on one timeline", async () => {
    expect(await chaptersOf("Sixty Bells")).toMatchObject({
      chapters: [
        { title: "Gate", start: 0 },
        { title: "Tower", start: 3.6 },
        { title: "Sea", start: 7.2, end: 10.8 },
      ],
      parts: [{ name: "03.mp3" }, { name: "02.mp3", start: 3.6 }, { name: "01.mp3", end: 10.8 }],
      joined: true,
    });
    expect(await chaptersOf("Discs")).toMatchObject({
      chapters: [{ title: "01" }, { title: "01", start: 3.6, end: 10.8 }],
    });
  });
});

it.each(["Night Bell", "Marks", "Reeds", "Discs", "Small", "Large", "Commented"])(
  "shows the picture in the files or in the folder: %s",
  async (title) => {
    const { id } = (await room.books())[title]!;
    const cover = await room.host.as("viewer").get(`/api/audiobooks/issue/${id}/cover?w=20`);
    expect([cover.status, (await sharp(cover.bytes).metadata()).width]).toEqual([200, expect.any(Number)]);
    expect((await sharp(cover.bytes).stats()).dominant).toMatchObject({ r: expect.any(Number) });
  },
);

it.each(["Quiet", "Broken"])("answers 404 for a book without a picture that can be shown: %s", async (title) => {
  const { id } = (await room.books())[title]!;
  expect(await room.host.as("viewer").get(`/api/audiobooks/issue/${id}/cover`)).toMatchObject({
    status: 404,
    body: { code: expect.stringMatching(/\/no-cover$/) },
  });
});
