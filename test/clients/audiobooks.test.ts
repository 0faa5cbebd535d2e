import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { needs } from "@longbox/test/needs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openListeningRoom, type ListeningRoom } from "../../plugins/audiobooks/test/support/listening-room.ts";
import { mp3File } from "../../plugins/audiobooks/test/support/mp3-file.ts";
import { mp4File } from "../../plugins/audiobooks/test/support/mp4-file.ts";
import { hasProgram, run, startProxy } from "./support.js";

const require = createRequire(import.meta.url);
const account = { username: "curl", password: "a long password 4711" };
const nightBell = mp4File({
  seconds: 90,
  chapters: [
    [0, "One"],
    [71, "Two"],
  ],
  tags: { "\xa9alb": "Night Bell", aART: "Ada Quill", "\xa9nrt": "Ira Bloom" },
});
const part = (track: number) =>
  mp3File({ seconds: 36, id3: { texts: { TALB: "Sixty", TIT2: `Part ${track}`, TRCK: String(track) } } });
/** What is heard of two files: their frames, without the tags between them. */
const sixty = Buffer.concat([mp3File({ seconds: 36 }), mp3File({ seconds: 36 })]);

let room: ListeningRoom;
let ids: Record<string, number>;
beforeAll(async () => {
  room = await openListeningRoom({ "night.m4b": nightBell, "Sixty/1.mp3": part(1), "Sixty/2.mp3": part(2) });
  expect((await room.host.as("admin").post("/api/users", { ...account, role: "viewer" })).status).toBeLessThan(300);
  ids = Object.fromEntries(Object.entries(await room.books()).map(([title, { id }]) => [title, id]));
});
afterAll(() => room[Symbol.asyncDispose]());

const streamOf = (title: string) => `${room.host.url}/api/audiobooks/issue/${ids[title]}/stream`;
const basic = { authorization: `Basic ${Buffer.from(`${account.username}:${account.password}`).toString("base64")}` };

describe("an audiobook", needs(hasProgram("curl"), "curl is not installed"), () => {
  it.each([
    ["of one file", "Night Bell", nightBell],
    ["of several files, joined", "Sixty", sixty],
  ])("%s is fetched by curl in parts, and a download that was broken off is resumed", async (_, title, bytes) => {
    const user = ["--silent", "--show-error", "--fail", "--user", `${account.username}:${account.password}`];
    const [some, whole] = [join(room.root, ".part"), join(room.root, ".whole")];
    const middle = Math.floor(bytes.length / 2);
    const range = ["--range", `${middle - 50}-${middle + 49}`, "--output", some];
    expect(await run("curl", [...user, ...range, streamOf(title)])).toMatchObject({ code: 0 });
    expect((await readFile(some)).equals(bytes.subarray(middle - 50, middle + 50))).toBe(true);
    await writeFile(whole, bytes.subarray(0, middle));
    const resumed = await run("curl", [...user, "--continue-at", "-", "--output", whole, streamOf(title)]);
    expect(resumed).toMatchObject({ code: 0, errors: "" });
    expect((await readFile(whole)).equals(bytes)).toBe(true);
  });
});

describe("the stream of an audiobook", needs(hasProgram("ffprobe"), "ffprobe is not installed"), () => {
  it("is opened by ffprobe over the network, with its chapters and the length of all files", async () => {
    const probe = async (title: string) => {
      const show = ["-v", "error", "-show_chapters", "-show_format", "-of", "json"];
      const headers = ["-headers", `Authorization: ${basic.authorization}\r\n`];
      const { output, errors } = await run("ffprobe", [...show, ...headers, streamOf(title)]);
      expect(errors).toBe("");
      return JSON.parse(output) as { chapters: Array<{ tags: { title: string } }>; format: { duration: string } };
    };
    const [night, several] = [await probe("Night Bell"), await probe("Sixty")];
    expect(night.chapters.map(({ tags }) => tags.title)).toEqual(["One", "Two"]);
    expect(Number(night.format.duration)).toBeCloseTo(90, 1);
    expect(Number(several.format.duration)).toBeCloseTo(72, 0);
  });
});

describe("the catalog", () => {
  it(
    "gives calibre the audiobook that it searches for, with its file",
    needs(hasProgram("calibre-debug"), "calibre is not installed"),
    async () => {
      await using proxy = await startProxy(room.host.url, room.host.as("viewer").key!);
      const script = join(import.meta.dirname, "search-by-calibre.py");
      const description = `${proxy.url}/api/opds/opensearch.xml`;
      const { output, errors } = await run("calibre-debug", [script, "--", description, "night"]);
      const line = output.split("\n").find((candidate) => candidate.startsWith("RESULT "));
      expect(line, errors).toBeDefined();
      const [found] = JSON.parse(line!.slice("RESULT ".length)) as Array<{ title: string; downloads: object }>;
      expect(found).toMatchObject({ title: "Night Bell", author: expect.stringContaining("Ada Quill") });
      const [address] = Object.values(found!.downloads) as string[];
      expect(Buffer.from(await (await fetch(address!)).arrayBuffer()).equals(nightBell)).toBe(true);
    },
  );

  it("is read by r2-opds-js, which leads to the files of an audiobook through its manifest", async () => {
    require("r2-opds-js/dist/es8-es2017/src/opds/init-globals").initGlobalConverters_OPDS();
    require("r2-shared-js/dist/es8-es2017/src/init-globals").initGlobalConverters_GENERIC();
    const { TaJsonDeserialize } = require("r2-lcp-js/dist/es8-es2017/src/serializable");
    const { OPDSFeed } = require("r2-opds-js/dist/es8-es2017/src/opds/opds2/opds2");
    const { Publication } = require("r2-shared-js/dist/es8-es2017/src/models/publication");
    const read = async (address: string) => (await fetch(address, { headers: basic })).json();
    const shelf = `${room.host.url}/api/opds/v2/shelves/all-audiobooks`;
    const feed = TaJsonDeserialize(await read(shelf), OPDSFeed);
    const several = feed.Publications.find((publication: any) => publication.Metadata.Title === "Sixty");
    const { Href } = several.Links.find((link: any) => link.TypeLink === "application/audiobook+json");
    const manifest = TaJsonDeserialize(await read(Href), Publication);
    expect([manifest.Metadata.Title, manifest.Metadata.Duration]).toEqual(["Sixty", 72]);
    expect(manifest.TOC.map((link: any) => link.Title)).toEqual(["Part 1", "Part 2"]);
    const files = await Promise.all(
      manifest.Spine.map(async (link: any) => (await fetch(link.Href, { headers: basic })).bytes()),
    );
    expect(files.map((bytes, index) => Buffer.from(bytes).equals(part(index + 1)))).toEqual([true, true]);
  });
});
