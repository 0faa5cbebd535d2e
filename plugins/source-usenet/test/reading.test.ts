import { describe, expect, it } from "vitest";
import { categoriesFor } from "../src/newznab/categories.js";
import { releaseOf } from "../src/newznab/releases.js";
import { wordsFor } from "../src/newznab/words.js";
import { readDocument } from "../src/reading/reading-documents.js";
import { readNzb } from "../src/reading/reading-nzb.js";

const base = new URL("https://ix.example/api");
const bytes = (text: string) => new TextEncoder().encode(text);

/** The release of a feed with one item. */
function released(item: string) {
  const feed = readDocument(bytes(`<rss xmlns:n="x"><channel><item>${item}</item></channel></rss>`));
  return feed.kind === "feed" ? releaseOf(feed.items[0]!, base) : undefined;
}

const enclosure = '<enclosure url="/getnzb/1.nzb?i=1&r=KEY" length="41943040" type="application/x-nzb"/>';

describe("an item of a feed", () => {
  it("is read with what indexers get wrong: relative addresses, bare ampersands, titles that are escaped twice", () => {
    const title = "<title>Moth &amp;amp; Patrol 003 &amp;#40;2019&amp;#41;</title>";
    expect(released(`${title}<guid>https://ix.example/details/1</guid>${enclosure}`)).toEqual({
      guid: "https://ix.example/details/1",
      title: "Moth & Patrol 003 (2019)",
      protocol: "usenet",
      reference: "https://ix.example/getnzb/1.nzb?i=1&r=KEY",
      sizeBytes: 41_943_040,
      infoUrl: "https://ix.example/details/1",
    });
  });

  it.each([
    ["<pubDate>Sun, 01 Mar 2026 10:00:00 +0100</pubDate>", "2026-03-01T09:00:00.000Z"],
    ["<pubDate>Sun, 01 Mar 2026 10:00:00</pubDate>", "2026-03-01T10:00:00.000Z"],
    ["<pubDate>2026-03-01T10:00:00</pubDate>", "2026-03-01T10:00:00.000Z"],
    ['<n:attr name="usenetdate" value="1772359200"/>', "2026-03-01T10:00:00.000Z"],
    [
      '<pubDate>Sun, 01 Mar 2026 10:00:00 GMT</pubDate><n:attr name="usenetdate" value="Sat, 28 Feb 2026 10:00:00 GMT"/>',
      "2026-02-28T10:00:00.000Z",
    ],
    ["<pubDate>some day</pubDate>", undefined],
  ])("was posted at the time of %s", (date, instant) =>
    expect(released(`<title>A</title>${enclosure}${date}`)?.publishedAt).toBe(instant),
  );

  it.each([
    ['<n:attr name="size" value="7"/>', 7],
    ['<n:attr name="size" value="0"/>', 41_943_040],
    ['<n:attr name="size" value="7 MB"/>', 41_943_040],
  ])("with %s has %i bytes", (attribute, size) =>
    expect(released(`<title>A</title>${enclosure}${attribute}`)?.sizeBytes).toBe(size),
  );

  it("is left out without an address of the web", () => {
    expect(released("<title>A</title>")).toBeUndefined();
    expect(released("<title>A</title><link>file:///etc/passwd</link>")).toBeUndefined();
  });

  it("never names a page whose address may hold a key", () => {
    const guid = "<guid>https://ix.example/details/1?apikey=KEY</guid>";
    expect(released(`<title>A</title>${guid}${enclosure}`)?.infoUrl).toBeUndefined();
    expect(released(`<title>A</title>${enclosure}`)?.guid).not.toContain("KEY");
  });
});

describe("a search", () => {
  const query = {
    series: "Moth's Patrol: Dawn",
    aliases: ["Night Moths"],
    libraryType: "comic",
    packs: false,
    typed: false,
    limit: 200,
  };

  it.each([
    [{ issue: { number: "3" } }, ["Moths Patrol Dawn 003", "Moths Patrol Dawn 3", "Night Moths 003"]],
    [{ issue: { number: "½" } }, ["Moths Patrol Dawn ½", "Night Moths ½"]],
    [{ issue: { number: "", title: "The Lamp" } }, ["Moths Patrol Dawn The Lamp", "Night Moths The Lamp"]],
    [{ packs: true }, ["Moths Patrol Dawn", "Night Moths"]],
  ])("for %j uses these words", (change, words) => expect(wordsFor({ ...query, ...change })).toEqual(words));

  it("goes to the categories of the library, those above them, or those that a person chose", () => {
    expect(categoriesFor("comic", [], ["7000", "7030"])).toBe("7030");
    expect(categoriesFor("comic", [], ["7000"])).toBe("7000");
    expect(categoriesFor("audiobook", [], [])).toBe("3030");
    expect(categoriesFor("ebook", [], ["7000", "7020", "7060"])).toBe("7020,7060");
    expect(categoriesFor("zine", [], [])).toBe("7000");
    expect(categoriesFor("comic", ["8010"], ["7030"])).toBe("8010");
  });
});

it("reads the files of an NZB by the names in their subjects", () => {
  const segments =
    '<segments><segment bytes="10" number="1">a@b</segment><segment bytes="5" number="2">c@d</segment></segments>';
  const file = (subject: string) => `<file subject="${subject}">${segments}</file>`;
  const nzb = `<?xml version="1.0"?><!DOCTYPE nzb PUBLIC "x" "y"><nzb>${file("[1/2] - &quot;../Moth.cbz&quot; yEnc (1/2)")}${file("Moth.nfo (1/2)")}${file("").replace(segments, "")}</nzb>`;
  expect(readNzb(bytes(nzb))).toEqual([
    { path: ".._Moth.cbz", sizeBytes: 15 },
    { path: "Moth.nfo", sizeBytes: 15 },
  ]);
});
