import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Collection, LibraryTypes, Works } from "@longbox/collection/contract";
import { ChapterSources, Reading } from "@longbox/reading/contract";
import { definePlugin, systemViewer } from "@longbox/sdk";
import { expect, it } from "vitest";
import { zip } from "@longbox/test/fixtures";
import { openBookRoom, type BookRoom } from "./support/book-room.ts";
import { epub } from "./support/epub.ts";
import { fictionBook } from "./support/fiction-book.ts";
import { mobi } from "./support/mobi.ts";

const titles = ["Preface", "The Tide", "The Road", "The Bell"];

/** An audiobook of four chapters of the same length, the third of which is called otherwise. */
const recordings = {
  manifest: {
    id: "recordings",
    title: "Recordings",
    description: "Audiobooks of a test",
    sdk: "^1.0.0",
    contributes: { libraryTypes: "^1.0.0", chapterSources: "^1.0.0" },
  },
  plugin: definePlugin({
    activate(_, context) {
      const words = { unit: { one: "audiobook", other: "audiobooks" }, length: "seconds", named: "by-title" } as const;
      context.contribute(LibraryTypes, { id: "audiobook", label: "Audiobooks", words });
      const named = titles.map((title, index) => ({ title: index === 2 ? "Three" : title, start: index / 4 }));
      context.contribute(ChapterSources, { libraryType: "audiobook", findChapters: async () => named });
    },
  }),
};

/** Four documents; each is twice as long as the one before. */
function chaptered(contents: "nav" | "ncx" | "hostile"): Uint8Array {
  const documents = titles.map((_, index) => [
    `OEBPS/c${index}.xhtml`,
    `<html><p>${"x".repeat(1000 * 2 ** index)}</p></html>`,
  ]);
  const href = (index: number) => (contents === "hostile" ? `../../etc/${index}` : `c${index}.xhtml#begin`);
  const links = titles.map((title, index) => `<li><a href="${href(index)}">${title}</a></li>`).join("");
  const points = titles.map(
    (title, index) =>
      `<navPoint id="n${index}"><navLabel><text>${title}</text></navLabel><content src="${href(index)}"/></navPoint>`,
  );
  const isNcx = contents === "ncx";
  const items = titles.map(
    (_, index) => `<item id="c${index}" href="c${index}.xhtml" media-type="application/xhtml+xml"/>`,
  );
  const table = isNcx
    ? '<item id="toc" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
    : '<item id="toc" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>';
  const spine = titles.map((_, index) => `<itemref idref="c${index}"/>`).join("");
  return epub({
    opf: `<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
      <dc:title>Low Tides</dc:title></metadata><manifest>${items.join("")}${table}</manifest><spine>${spine}</spine></package>`,
    files: {
      ...Object.fromEntries(documents),
      "OEBPS/nav.xhtml": `<html xmlns:epub="http://www.idpf.org/2007/ops"><nav epub:type="landmarks"><a href="c0.xhtml">No</a></nav><nav epub:type="toc"><ol>${links}</ol></nav></html>`,
      "OEBPS/toc.ncx": `<ncx><docTitle><text>No</text></docTitle><navMap>${points.join("")}</navMap></ncx>`,
    },
  });
}

const lengthOf = (index: number) => 1000 * 2 ** index;
const sections = titles.map(
  (title, index) => `<section><title><p>${title}</p></title><p>${"x".repeat(lengthOf(index))}</p></section>`,
);
const notes = `<body name="notes"><section><title><p>The Bell</p></title><p>${"n".repeat(9000)}</p></section></body>`;
const contents = titles.map((title, index) => [1000 * (2 ** index - 1), title] as const);

/** The same chapters in every format that has a table of contents. */
const books: Readonly<Record<string, () => string | Uint8Array>> = {
  "nav.epub": () => chaptered("nav"),
  "ncx.epub": () => chaptered("ncx"),
  "six.mobi": () => mobi({ title: "Low Tides", textLength: 15_000, chapters: contents }),
  "eight.azw3": () => mobi({ title: "Low Tides", version: 8, textLength: 15_000, chapters: contents }),
  "plain.fb2": () => fictionBook({ title: "Low Tides", body: sections.join("") }).replace("</body>", `</body>${notes}`),
  "packed.fb2.zip": () =>
    zip(new Map([["low.fb2", Buffer.from(fictionBook({ title: "Low Tides", body: sections.join("") }))]]), {
      deflate: true,
    }),
};

async function placeIn(room: BookRoom, name: string): Promise<{ by: string; chapter?: string; fraction: number }> {
  const book = -(await room.listedIdOf(name));
  const [placed] = await room.host.use(Collection).placeFiles([
    {
      libraryId: 99,
      path: "/nowhere/Low Tides.m4b",
      name: "Low Tides.m4b",
      sizeBytes: 1,
      modifiedAt: "2026-01-01T00:00:00.000Z",
      pages: 0,
      seconds: 4000,
      valid: true,
      tagged: true,
      series: { name: "Ada Quill", folder: "/nowhere" },
      issue: { number: "", kind: "issue", title: "Low Tides" },
    },
  ]);
  const { seriesId, issueId: audio } = placed!;
  await room.host.as("admin").post(`/api/collection/${seriesId}/type`, { type: "audiobook" });
  await room.host.use(Works).link([book, audio], systemViewer);
  const { id } = (await room.host.as("viewer").get("/api/auth/me")).body.user;
  const viewer = { ...systemViewer, user: { id, username: "viewer", role: "viewer" } };
  const position = { kind: "time", seconds: 1500, duration: 4000 } as const;
  await room.host.use(Reading).report(viewer, audio, { position, device: "player" });
  return (await room.host.as("viewer").get(`/api/reading/forms/${book}`)).body.places[0];
}

it.each(Object.keys(books))("a place in the audiobook is found by the book's table of contents (%s)", async (name) => {
  await using room = await openBookRoom({
    fill: (root) => writeFile(join(root, name), books[name]!()),
    plugins: [recordings],
  });
  const place = await placeIn(room, name);
  expect(place).toMatchObject({ by: "chapter", chapter: "The Tide" });
  // The third chapter is unknown, so half of the second is a quarter of the way from the second to the last.
  expect(place.fraction).toBeGreaterThan(1 / 15);
  expect(place.fraction).toBeCloseTo(1 / 15 + (6 / 15) * 0.25, 1);
});

it.each([
  ["that leads out of the book", "low.epub", () => chaptered("hostile")],
  [
    "whose index is cut off",
    "low.mobi",
    () => mobi({ title: "Low Tides", textLength: 15_000, chapters: contents }).slice(0, -80),
  ],
  ["of which nothing is there", "low.mobi", () => mobi({ title: "Low Tides", textLength: 15_000, chapters: [] })],
] as const)("a table of contents %s is none", async (_, name, made) => {
  await using room = await openBookRoom({ fill: (root) => writeFile(join(root, name), made()), plugins: [recordings] });
  expect(await placeIn(room, name)).toMatchObject({ by: "fraction", fraction: 0.375 });
});
