// A scan of 10,000 small EPUBs from nothing, everything stored, and the same again unchanged. The yardstick is one bare
// loop that finds and unpacks the package document of the same files and keeps nothing.
import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, readSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { inflateRawSync } from "node:zlib";
import { zip } from "@longbox/test/fixtures";
import { startChild } from "./support/child.ts";
import { report } from "./support/measure.ts";

const [authors, booksOfEach] = [500, 20];
const root = await mkdtemp(join(tmpdir(), "longbox-bench-books-"));
const data = await mkdtemp(join(tmpdir(), "longbox-bench-books-data-"));
const container =
  '<container><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>';

function book(author: number, number: number): Uint8Array {
  const opf = `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Book ${number} of ${author}</dc:title>
<dc:creator>Author ${author}</dc:creator><dc:language>en</dc:language><dc:publisher>House ${author % 12}</dc:publisher>
<dc:description>What happens in ${author} ${number}, in a sentence or two.</dc:description><dc:date>2019-03-07</dc:date>
<meta name="calibre:series" content="Series ${author}"/><meta name="calibre:series_index" content="${number}"/></metadata>
<manifest><item id="one" href="one.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine><itemref idref="one"/></spine></package>`;
  const files: Record<string, string> = {
    mimetype: "application/epub+zip",
    "META-INF/container.xml": container,
    "OEBPS/book.opf": opf,
    "OEBPS/one.xhtml": `<html><body><p>${"The tide came in over the salt road. ".repeat(40)}</p></body></html>`,
  };
  return zip(new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])), { deflate: true });
}

function writeBooks(): void {
  for (let author = 0; author < authors; author++) {
    const folder = join(root, `Author ${author}`);
    mkdirSync(folder);
    for (let number = 1; number <= booksOfEach; number++)
      writeFileSync(join(folder, `Book ${number} of ${author}.epub`), book(author, number));
  }
}

/** Reads what a scan must read: each file's end, its directory, and the package document. */
function bareLoop(): number {
  const begun = performance.now();
  for (const folder of readdirSync(root))
    for (const name of readdirSync(join(root, folder))) unpackOne(join(root, folder, name));
  return performance.now() - begun;
}

function unpackOne(path: string): void {
  const descriptor = openSync(path, "r");
  const { size } = fstatSync(descriptor);
  const tail = Buffer.allocUnsafe(Math.min(size, 1024));
  readSync(descriptor, tail, 0, tail.length, size - tail.length);
  const end = tail.length - 22;
  let at = tail.readUInt32LE(end + 16) - (size - tail.length);
  for (let entry = tail.readUInt16LE(end + 10); entry > 0; entry--) {
    const nameBytes = tail.readUInt16LE(at + 28);
    if (tail.toString("latin1", at + 46, at + 46 + nameBytes).endsWith(".opf")) {
      const packed = Buffer.allocUnsafe(30 + nameBytes + tail.readUInt32LE(at + 20));
      readSync(descriptor, packed, 0, packed.length, tail.readUInt32LE(at + 42));
      inflateRawSync(packed.subarray(30 + nameBytes));
    }
    at += 46 + nameBytes + tail.readUInt16LE(at + 30) + tail.readUInt16LE(at + 32);
  }
  closeSync(descriptor);
}

try {
  writeBooks();
  bareLoop();
  const bare = bareLoop();
  await using server = await startChild<{ url: string; key: string }>(`${import.meta.dirname}/support/book-server.ts`, [
    data,
  ]);
  const call = async (method: "GET" | "POST", path: string, body?: unknown) => {
    const answer = await fetch(server.ready.url + path, {
      method,
      headers: { "x-api-key": server.ready.key, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as any;
  };
  const scanned = async (begin: () => Promise<unknown>) => {
    const before = (await call("GET", "/api/scan-folder")).startedAt;
    const begun = performance.now();
    await begin();
    for (;;) {
      const state = await call("GET", "/api/scan-folder");
      if (!state.running && state.startedAt !== before) return { milliseconds: performance.now() - begun, state };
      await wait(20);
    }
  };
  const files = authors * booksOfEach;
  const first = await scanned(() => call("POST", "/api/libraries", { name: "Books", type: "ebook", rootFolder: root }));
  report({
    bench: "books",
    figure: "EPUBs from nothing",
    files,
    milliseconds: first.milliseconds,
    filesPerSecond: files / (first.milliseconds / 1000),
    bareLoopMilliseconds: bare,
    ratio: first.milliseconds / bare,
    atMost: { ratio: 60 },
    message: first.state.message,
    goal: "1,500 files a second",
  });
  const again = await scanned(() => call("POST", "/api/libraries/1/scan"));
  report({
    bench: "books",
    figure: "the same again, unchanged",
    milliseconds: again.milliseconds,
    shareOfFirst: again.milliseconds / first.milliseconds,
    atMost: { shareOfFirst: 0.5 },
    message: again.state.message,
    goal: "under 1 s",
  });
} finally {
  await rm(root, { recursive: true, force: true });
  await rm(data, { recursive: true, force: true });
}
