import { existsSync } from "node:fs";
import { cp, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { zip } from "@longbox/test/fixtures";
import { needs } from "@longbox/test/needs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBookRoom, type BookRoom, type BookRow } from "./support/book-room.ts";
import { epub } from "./support/epub.ts";
import { fictionBook } from "./support/fiction-book.ts";
import { mobi } from "./support/mobi.ts";
import { pdf } from "./support/pdf.ts";

const million = 1_000_000;
/** The samples of the W3C, which do not belong to this repository. */
const samples = process.env["LONGBOX_EPUB_SAMPLES"] ?? "/work/shared/corpus/epub";

let room: BookRoom;
let rows: Record<string, BookRow>;
const errorOf = (name: string) =>
  Object.values(rows)
    .flatMap(({ files }) => files)
    .find((file) => file.name === name)?.error;

/** Changes bytes of a file. */
function changed(bytes: Uint8Array, change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes);
  change(copy);
  return copy;
}

const packedBook = () => zip(new Map([["a.fb2", Buffer.from(fictionBook())]]), { deflate: true });
const packageOf = (metadata: string, rest = "") =>
  `<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="x">${metadata}</metadata><manifest>${rest}
<item id="one" href="one.xhtml" media-type="x"/></manifest><spine><itemref idref="one"/></spine></package>`;

/** Each must be listed, and harm nothing. */
const hostile: Record<string, () => string | Uint8Array> = {
  "empty.epub": () => "",
  "empty.pdf": () => "",
  "garbage.epub": () => Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 255]),
  "cut.epub": () => epub().subarray(0, 700),
  "only-start.epub": () => "PK\x03\x04",
  "bomb.epub": () => epub({ opf: " ".repeat(6 * million) }),
  "nested.epub": () => epub({ opf: "<a>".repeat(100_000) }),
  "attribute.epub": () => epub({ opf: packageOf(`<dc:title id="${"x".repeat(4 * million)}">Long</dc:title>`) }),
  "attributes.epub": () =>
    epub({
      opf: packageOf(`<dc:title ${Array.from({ length: 20_000 }, (_, at) => `a${at}=""`).join(" ")}>Many</dc:title>`),
    }),
  "entities.epub": () =>
    epub({
      opf: `<!DOCTYPE p [<!ENTITY a "${"ha".repeat(1000)}"><!ENTITY b "&a;&a;&a;">]>${packageOf("<dc:title>A&b;Z</dc:title>")}`,
    }),
  "outside.epub": () =>
    epub({ opf: `<!DOCTYPE p [<!ENTITY x SYSTEM "file:///etc/passwd">]>${packageOf("<dc:title>A&x;Z</dc:title>")}` }),
  "long-title.epub": () => epub({ title: "Long ".repeat(100_000) }),
  "nul.epub": () => epub({ opf: packageOf("<dc:title>Nul\u0000 and \u0007bell</dc:title>") }),
  "markup.epub": () => epub({ opf: packageOf("<dc:title>&lt;img src=x onerror=alert(1)&gt;</dc:title>") }),
  "proto.epub": () =>
    epub({ opf: packageOf("<dc:title>__proto__</dc:title>", '<item id="__proto__" href="constructor"/>') }),
  "climbing.epub": () =>
    epub({
      title: "Climbing",
      files: {
        "META-INF/container.xml":
          '<container><rootfiles><rootfile full-path="../../../etc/passwd"/></rootfiles></container>',
        "../../../tmp/longbox-climbed.txt": "no",
      },
    }),
  "no-container.epub": () => epub({ title: "No container", files: { "META-INF/container.xml": undefined } }),
  "cover-outside.epub": () =>
    epub({
      opf: packageOf(
        "<dc:title>Cover outside</dc:title>",
        '<item id="c" href="../../../../etc/passwd" properties="cover-image"/>',
      ),
    }),
  "percent.epub": () =>
    epub({ opf: packageOf("<dc:title>Percent</dc:title>", '<item id="c" href="%E0%A4%A" properties="cover-image"/>') }),
  "collisions.epub": () =>
    zip(
      new Map(
        Array.from({ length: 20_000 }, (_, at) => [
          [..."0123456789abcde"].map((_, bit) => ((at >> bit) & 1 ? "Aa" : "BB")).join(""),
          Buffer.from("x"),
        ]),
      ),
    ),
  "many.epub": () => epub({ title: "Many", metadata: "<dc:subject>a</dc:subject>".repeat(20_000) }),
  "overlap.epub": () =>
    changed(epub(), (copy) => {
      for (let at = copy.indexOf("PK\x01\x02"); at !== -1; at = copy.indexOf("PK\x01\x02", at + 4))
        copy.writeUInt32LE(0, at + 42);
    }),
  "beyond.epub": () =>
    changed(epub(), (copy) => {
      for (let at = copy.indexOf("PK\x01\x02"); at !== -1; at = copy.indexOf("PK\x01\x02", at + 4))
        copy.writeUInt32LE(0xfffffff0, at + 42);
    }),
  "huge-directory.epub": () => changed(epub(), (copy) => copy.writeUInt32LE(0x7fffffff, copy.length - 10)),
  "password.epub": () =>
    changed(epub(), (copy) => {
      for (let at = copy.indexOf("PK\x01\x02"); at !== -1; at = copy.indexOf("PK\x01\x02", at + 4))
        copy.writeUInt16LE(1, at + 8);
    }),
  "short.mobi": () => mobi().subarray(0, 100),
  "records.mobi": () => changed(mobi(), (copy) => copy.writeUInt16BE(0xffff, 76)),
  "exth.mobi": () => mobi({ title: "Exth", records: [[100, "A"]] }).map((byte, at) => (at === 365 ? 0xff : byte)),
  "no-header.mobi": () => changed(mobi(), (copy) => copy.fill(0, 100, 200)),
  "cover.mobi": () =>
    changed(mobi({ title: "Cover", cover: Buffer.from("no image") }), (copy) => copy.writeUInt32BE(0xfffffff0, 94)),
  "deep.fb2": () => fictionBook({ description: "<a>".repeat(200_000) }),
  "open.fb2": () => "<FictionBook><description><title-info><book-title>Open",
  "words.fb2": () => `<${"x".repeat(2 * million)}`,
  "bomb.fbz": () => changed(packedBook(), (copy) => copy.writeUInt32LE(0x7fffffff, copy.indexOf("PK\x01\x02") + 24)),
  "lying.fbz": () => changed(packedBook(), (copy) => copy.writeUInt32LE(100, copy.indexOf("PK\x01\x02") + 24)),
  "none.fbz": () => zip(new Map([["a.txt", Buffer.from("x")]])),
  "brackets.pdf": () => `%PDF-1.5\n${"<<".repeat(million)}`,
  "parentheses.pdf": () => pdf({ information: `/Title ${"(".repeat(500_000)}` }),
  "spaces.pdf": () => `%PDF-1.5\n${`/Info${" ".repeat(1000)}`.repeat(1500)}`,
  "stream.pdf": () =>
    `%PDF-1.5\n1 0 obj << /Type /ObjStm /N 999999 /First 99999999 /Length 99999999 >>\nstream\n${"x".repeat(1000)}endstream`,
  "xmp.pdf": () => pdf({ xmp: `<x:xmpmeta>${"<a>".repeat(100_000)}</x:xmpmeta>` }),
  "gzip.epub": () => gzipSync("no book"),
  "nul.txt": () => "A text\u0000 with a NUL",
};

beforeAll(async () => {
  room = await openBookRoom({
    async fill(root) {
      for (const [name, make] of Object.entries(hostile)) await writeFile(join(root, name), make());
      await writeFile(join(root, "honest.epub"), epub({ title: "Honest" }));
      await writeFile(join(root, `${"n".repeat(240)}.epub`), epub({ title: "Long name" }));
      await mkdir(join(root, "folder.epub"));
    },
  });
  rows = await room.rows();
}, 60_000);
afterAll(() => room[Symbol.asyncDispose]());

describe("hostile books", () => {
  it("are all listed, with a reason where they cannot be read, and the others are read", () => {
    const listed = Object.values(rows).flatMap(({ files }) => files.map(({ name }) => name));
    expect(Object.keys(hostile).filter((name) => !listed.includes(name))).toEqual([]);
    expect(listed.filter((name) => name.startsWith("folder"))).toEqual([]);
    expect(rows["honest.epub"]).toMatchObject({ title: "Honest", corrupt: false });
    expect(rows[`${"n".repeat(240)}.epub`]).toMatchObject({ title: "Long name" });
    expect({ empty: errorOf("empty.epub"), cut: errorOf("cut.epub"), bomb: errorOf("bomb.epub") }).toEqual({
      empty: "The file is empty.",
      cut: "The book is damaged: it is cut off, or was never finished.",
      bomb: "The book is damaged: a document in it is too large.",
    });
    expect(errorOf("password.epub")).toBe("The book is protected by a password.");
    for (const name of ["nested.epub", "attributes.epub", "deep.fb2", "bomb.fbz", "nul.txt", "beyond.epub"])
      expect([name, errorOf(name)]).toEqual([name, expect.stringMatching(/^The (?:book|file) /u)]);
  });

  it("expand nothing, lead nowhere, and leave texts as texts", () => {
    expect(existsSync("/tmp/longbox-climbed.txt")).toBe(false);
    expect(errorOf("climbing.epub")).toBe("The book is damaged: it does not say what is in it.");
    for (const name of ["entities.epub", "outside.epub"]) expect(rows[name]?.title ?? "").not.toMatch(/ha|root:/u);
    expect(rows["nul.epub"]!.title).toBe("Nul and bell");
    expect(rows["markup.epub"]!.title).toBe("<img src=x onerror=alert(1)>");
    expect(rows["attribute.epub"]!.title).toBe("Long");
    expect(rows["proto.epub"]!.title).toBe("__proto__");
    expect(rows["no-container.epub"]!.title).toBe("No container");
    expect(rows["long-title.epub"]!.title!.length).toBeLessThanOrEqual(1000);
  });

  it("are asked for without a fault of the server", async () => {
    const viewer = room.host.as("viewer");
    const ids = Object.values(rows).map(({ id }) => id);
    expect((await viewer.get(`/api/ebooks/books?issues=${ids.join(",")}`)).status).toBe(200);
    const statuses = new Set<number>();
    for (const id of ids)
      for (const part of ["file", "cover", "progress", "bookmarks"])
        statuses.add((await viewer.get(`/api/ebooks/issue/${id}/${part}`)).status);
    expect([...statuses].sort()).toEqual([200, 404]);
  });
});

describe("the samples of the W3C", needs(existsSync(samples), `there are none at ${samples}`), () => {
  it("are read, all but those that are broken on purpose", async () => {
    await cp(samples, join(room.root, "samples"), { recursive: true });
    await room.scan();
    const found = await room.rows();
    const names = (await readdir(samples, { recursive: true })).filter((name) => name.endsWith(".epub"));
    const valid = Object.values(found).flatMap(({ files }) =>
      files.filter(({ valid }) => valid).map(({ name }) => name),
    );
    const refused = Object.values(found).flatMap(({ files }) =>
      files
        .filter(({ name, valid }) => !valid && names.some((one) => one.endsWith(name)))
        .map(({ name, error }) => [name, error]),
    );
    expect(valid.length).toBeGreaterThan(names.length / 2);
    expect(Object.fromEntries(refused)).toEqual({});
  });
});
