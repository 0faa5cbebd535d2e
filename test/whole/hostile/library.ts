import { mkdir, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hostileSevenZips } from "./seven-zip.ts";
import { comicEntries, rar, writeComic } from "@longbox/test/fixtures";
import { runsLongTests } from "@longbox/test/needs";
import { crowdedGif, crowdedZip, hostilePdfs, lyingJpeg, plainPng, rawZip, type RawEntry } from "./bombs.ts";

const megabyte = 1_000_000;

/** Documents of tags that cost more to read than they weigh, by what is wrong with them. */
function hostileTags(): ReadonlyMap<string, string> {
  const wrap = (inner: string) => `<?xml version="1.0"?><ComicInfo>${inner}</ComicInfo>`;
  const letters = "abcdefghij";
  const entities = [...letters].map((name, index) =>
    index === 0 ? `<!ENTITY a "lol">` : `<!ENTITY ${name} "${`&${letters[index - 1]};`.repeat(10)}">`,
  );
  return new Map([
    ["attributes without values", `<ComicInfo ${"a ".repeat(2 * megabyte)}>`],
    ["attributes with values", `<ComicInfo ${Array.from({ length: 300_000 }, (_, at) => `a${at}=""`).join(" ")}/>`],
    ["elements in each other", wrap("<a>".repeat(1_300_000))],
    ["elements beside each other", wrap("<a/>".repeat(1_000_000))],
    ["elements that never end", "<".repeat(4 * megabyte)],
    ["entities of entities", `<!DOCTYPE x [${entities.join("")}]>${wrap("<Series>&j;</Series>")}`],
    ["an entity from elsewhere", `<!DOCTYPE x [<!ENTITY p SYSTEM "file:///etc/passwd">]>${wrap("<Title>&p;</Title>")}`],
    ["a title of three million characters", wrap(`<Title>${"t".repeat(3 * megabyte)}</Title>`)],
    ["a series of three million characters", wrap(`<Series>${"s".repeat(3 * megabyte)}</Series>`)],
    ["a writer of a million names", wrap(`<Writer>${"w,".repeat(megabyte)}</Writer>`)],
    ["control characters", wrap("<Title>a\u0000b\u0001c\u001f\u007f\ud800d</Title>")],
    ["numbers beyond numbers", wrap("<Number>1e999</Number><Year>99999999999999999999</Year><Month>-3</Month>")],
    ["no XML", "\u0000\u0001\u0002".repeat(megabyte)],
    ["another encoding", `<?xml version="1.0" encoding="utf-16"?>${"\u0100".repeat(megabyte)}`],
    ["a million pages described", wrap(`<Pages>${'<Page Image="1"/>'.repeat(220_000)}</Pages>`)],
    ["a comment without end", `<!--${"-".repeat(4 * megabyte)}`],
    ["a CDATA section without end", wrap(`<Title><![CDATA[${"]".repeat(4 * megabyte - 100)}`)],
  ]);
}

/** Archives whose numbers, sizes or pictures lie. */
async function hostileArchives(page: RawEntry): Promise<ReadonlyMap<string, Buffer>> {
  const zeros = Buffer.alloc(255 * megabyte);
  const image = (name: string, bytes: Uint8Array) => rawZip([page, { name, bytes, deflate: false }]);
  const jpeg = page.bytes;
  return new Map([
    ["199,990 entries", crowdedZip(199_990)],
    ["a page of 255 MB", rawZip([page, { name: "2.jpg", bytes: zeros }])],
    ["a page that unpacks to more", rawZip([page, { name: "2.jpg", bytes: zeros, claims: { sizeBytes: 1000 } }])],
    [
      "a page of four gigabytes claimed",
      rawZip([page, { name: "2.jpg", bytes: jpeg, claims: { sizeBytes: 2 ** 32 - 2 } }]),
    ],
    ["a wrong checksum", rawZip([{ ...page, claims: { crc: 1 } }])],
    ["a PNG of 400 megapixels", image("2.png", plainPng(20_000, 20_000))],
    ["a JPEG that claims 65,500 pixels", image("2.jpg", lyingJpeg(jpeg, 65_500, 65_500))],
    ["a GIF of many frames", rawZip([{ name: "1.gif", bytes: crowdedGif(3000, 60), deflate: false }])],
    [
      "an SVG for a page",
      image("2.jpg", Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="99999" height="99999"/>`)),
    ],
    [
      "names that climb out",
      rawZip([page, { name: "../../../../tmp/out.jpg", bytes: jpeg }, { name: "/etc/x.jpg", bytes: jpeg }]),
    ],
    ["names that are alike", rawZip([page, page, page])],
    ["a name of 60,000 characters", rawZip([page, { name: `${"n".repeat(60_000)}.jpg`, bytes: jpeg }])],
    ["names with control characters", rawZip([page, { name: "a\u0000b\u001b[2J\n.jpg", bytes: jpeg }])],
    ["half of it", rawZip([page, page]).subarray(0, 300)],
    ["nothing but its end", rawZip([])],
  ]);
}

/** Archives of the kinds above with more of the same in them: for the long run. */
function largerArchives(page: RawEntry): ReadonlyMap<string, Buffer> {
  const many = (count: number, entry: (at: number) => RawEntry) =>
    rawZip(Array.from({ length: count }, (_, at) => entry(at)));
  const zeros = Buffer.alloc(255 * megabyte);
  return new Map([
    ["300,000 entries", crowdedZip(300_000)],
    ["eight pages of 255 MB", many(8, (at) => ({ name: `${at}.jpg`, bytes: zeros }))],
    ["a PNG of a million rows", rawZip([page, { name: "2.png", bytes: plainPng(16, 1_000_000), deflate: false }])],
    ["six GIFs", many(6, (at) => ({ name: `${at}.gif`, bytes: crowdedGif(4000, 20), deflate: false }))],
  ]);
}

/** RAR archives and an EPUB whose numbers, sizes or documents lie, by their file names. */
function hostilePackages(page: RawEntry): ReadonlyMap<string, Buffer> {
  const { name, bytes } = page;
  const tags = Buffer.from(`<ComicInfo ${"a ".repeat(2 * megabyte)}>`);
  const crowd = Array.from({ length: 30_000 }, (_, at) => [`${at}.jpg`, Buffer.of(0xff, 0xd8)] as const);
  const container = `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">${"<a>".repeat(megabyte)}`;
  return new Map([
    [
      "rar tags.cbr",
      rar(
        new Map([
          [name, bytes],
          ["ComicInfo.xml", tags],
        ]),
      ),
    ],
    ["rar of four gigabytes claimed.cbr", rar(new Map([[name, bytes]]), { claims: { [name]: 2 ** 32 - 2 } })],
    ["rar of 30,000 entries.cbr", rar(new Map(crowd))],
    ["rar with a password.cbr", rar(new Map([[name, bytes]]), { encrypted: true })],
    ["rar of several parts.cbr", rar(new Map([[name, bytes]]), { volume: true })],
    [
      "rar names.cbr",
      rar(
        new Map([
          ["../../../tmp/out.jpg", bytes],
          ["/etc/x.jpg", bytes],
          ["a\\..\\b.jpg", bytes],
        ]),
      ),
    ],
    ["half of a rar.cbr", rar(new Map([[name, bytes]])).subarray(0, 60)],
    ["epub.epub", rawZip([{ name: "META-INF/container.xml", bytes: Buffer.from(container) }])],
    ["epub as a comic.cbz", rawZip([{ name: "META-INF/container.xml", bytes: Buffer.from(container) }])],
  ]);
}

/** Beginnings of formats with nothing, or nonsense, behind them. */
function pretenders(): ReadonlyMap<string, Buffer> {
  const noise = Buffer.alloc(200_000, "nonsense \u00ff\u0000\u0080", "latin1");
  const start = (signature: string) => Buffer.concat([Buffer.from(signature, "latin1"), noise]);
  return new Map([
    ["rar 4.cbr", start("Rar!\x1a\x07\x00")],
    ["rar 5.cbr", start("Rar!\x1a\x07\x01\x00")],
    ["7z.cb7", start("7z\xbc\xaf\x27\x1c")],
    [
      "7z with a large header.cb7",
      Buffer.concat([Buffer.from("7z\xbc\xaf\x27\x1c\x00\x04", "latin1"), Buffer.alloc(24, 0x7f), noise]),
    ],
    ["tar.cbt", Buffer.concat([Buffer.alloc(257, "a"), Buffer.from("ustar\0"), noise])],
    ["pdf.pdf", start("%PDF-1.7\n")],
    ["zip.cbz", start("PK\x03\x04")],
  ]);
}

/** One file of the library: its series, which names the fault, and whether pages must be readable all the same. */
export interface HostileFile {
  readonly series: string;
  readonly readable: boolean;
}

/** Fills a library with comics that were made to do harm. Each is a series of its own, named after its fault. */
export async function writeHostileComics(root: string): Promise<readonly HostileFile[]> {
  const files: HostileFile[] = [];
  const [name, bytes] = [...(await comicEntries({ series: "Plain", number: "1", pages: 1 }))][0]!;
  const page: RawEntry = { name, bytes, deflate: false };
  const put = async (fault: string, content: Uint8Array, options: { extension?: string; readable?: boolean } = {}) => {
    const series = `Trap ${fault.replace(/[^\w ]/g, "")}`;
    await mkdir(join(root, series), { recursive: true });
    const path = join(root, series, `${series} 001.${options.extension ?? "cbz"}`);
    await writeFile(path, content);
    files.push({ series, readable: options.readable ?? false });
    return path;
  };
  for (const [at, [fault, xml]] of [...hostileTags()].entries()) {
    // A document comes to one of the three places in an ordinary run, each place in turn.
    const comesTo = (place: number) => runsLongTests || at % 3 === place;
    const tags = { name: "ComicInfo.xml", bytes: Buffer.from(xml, "utf8") };
    // Where the tags name a series, the comic stands there.
    const readable = !xml.includes("<Series>");
    if (comesTo(0)) await put(`tags ${fault}`, rawZip([page, tags]), { readable });
    const metron = { name: "MetronInfo.xml", bytes: Buffer.from(xml.replaceAll("ComicInfo", "MetronInfo"), "utf8") };
    if (comesTo(1)) await put(`metron ${fault}`, rawZip([page, metron]), { readable });
    if (!comesTo(2)) continue;
    const path = await put(`sidecar ${fault}`, rawZip([page]), { readable });
    await writeFile(path.replace(/cbz$/, "ComicInfo.xml"), xml);
  }
  const archives = [...(await hostileArchives(page)), ...(runsLongTests ? largerArchives(page) : [])];
  for (const [fault, content] of archives) await put(fault, content);
  for (const [fault, content] of hostilePdfs()) await put(`pdf ${fault}`, content, { extension: "pdf" });
  for (const [file, content] of [...pretenders(), ...hostilePackages(page), ...(await hostileSevenZips(page.bytes))]) {
    const dot = file.lastIndexOf(".");
    await put(`pretends ${file.slice(0, dot)}`, content, { extension: file.slice(dot + 1) });
  }
  for (const [fault, target] of Object.entries({
    "an endless device": "/dev/zero",
    "a device that blocks": "/dev/tty",
    "a file of the system": "/etc/passwd",
  })) {
    const path = await put(`sidecar links to ${fault}`, rawZip([page]), { readable: true });
    await symlink(target, path.replace(/cbz$/, "ComicInfo.xml"));
    await symlink(target, join(path, "..", "series.json"));
  }
  await writeHostileLinks(root, page);
  const sparse = await put("sidecar of two gigabytes", rawZip([page]), { readable: true });
  for (const other of [sparse.replace(/cbz$/, "ComicInfo.xml"), join(sparse, "..", "series.json")]) {
    await writeFile(other, "<ComicInfo>");
    await truncate(other, 1_900_000_000);
  }
  await writeComic(join(root, "Moth Patrol", "Moth Patrol 001.cbz"), { series: "Moth Patrol", number: "1", pages: 2 });
  files.push({ series: "Moth Patrol", readable: true });
  return files;
}

/** Issues that are links to what no comic is, folders that lead to themselves, and names as no program gives them. */
async function writeHostileLinks(root: string, page: RawEntry): Promise<void> {
  const folder = join(root, "Trap links");
  await mkdir(folder);
  const targets = ["/etc/passwd", "/dev/zero", "/proc/self/mem", "/proc/kcore", "nowhere.cbz", "Trap links 005.cbz"];
  for (const [at, target] of targets.entries()) await symlink(target, join(folder, `Trap links 00${at}.cbz`));
  for (const [name, target] of Object.entries({ itself: ".", above: "..", system: "/proc", device: "/dev" }))
    await symlink(target, join(folder, name));
  const names = [
    `${"(".repeat(120)} 1`,
    `${"1 of ".repeat(48)}`,
    `a\u001b[2J\nb \u202e 3`,
    `${"\u{1f4a9}".repeat(60)} 4`,
    "#".repeat(240),
  ];
  for (const name of names) {
    await mkdir(join(root, name));
    await writeFile(join(root, name, `${name}.cbz`), rawZip([page]));
  }
}
