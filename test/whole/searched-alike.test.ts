// One search on both engines: the same answers in the same order, whatever is typed in whichever alphabet.
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Collection } from "@longbox/collection/contract";
import { startTestHost, type TestHost } from "@longbox/sdk/testing";
import { needsPostgres, startPostgres } from "@longbox/test/postgres";
import { expect, it } from "vitest";

const series = [
  ..."Pokémon|Pokemon Adventures|The Pokémon|Poke|Ünder Ñandú|Straße nach Großräschen|Strasse|Łódź Æon|Øre".split("|"),
  ..."İstanbul|istanbul|Αστερίξ ο Γαλάτης|ΑΣΤΕΡΙΞ|Γαλάτες|Ο Αστερίξ|Йожик и ёлка|ЁЛКА|Елка в лесу|Йожик".split("|"),
  ..."進撃の巨人|巨人|進撃|巨人の星|ガンダム|ｶﾞﾝﾀﾞﾑ ＵＣ|機動戦士ガンダム|かき|がき|مُحَمَّد الكتاب|محمد|كتاب محمد|الكتاب".split(
    "|",
  ),
  ..."הספריה הגדולה|הַסִּפְרִיָּה|हिन्दी पुस्तक|나 혼자만 레벨업|혼자|หนังสือการ์ตูน|ﬁnal Ⅳ|Final IV|Zebra|zebra|Ábra".split("|"),
];
const typed = [
  ..."poke|POKÉMON|pokemon the|strasse|STRAẞE|lodz|ore|istan|ıstanbul|αστερ|ΓΑΛΑΤΗΣ|ο αστεριξ|ежик|йож|елка|ЁЛ".split(
    "|",
  ),
  ..."巨人|進|撃の|の|ガンダム|ｶﾞﾝ|かき|がき|محمد|الكت|كتاب|הספר|גדולה|हिन्दी|혼자|레벨|หนังสือ|final|iv|zebra|abra|z|#1|".split(
    "|",
  ),
];

type Answers = Record<string, readonly string[]>;

/**
 * What a server that keeps its tables there answers, in order: of the search panel, and of the page with all series.
 */
async function answersOf(storage: "sqlite" | { readonly postgres: string }): Promise<Answers> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "longbox-alike-")));
  try {
    await using host = await startTestHost({ storage, plugins: ["operations", "collection", "reading", "shelves"] });
    await fill(host, root);
    const viewer = host.as("viewer");
    const answers: Answers = {};
    for (const words of typed) {
      const q = encodeURIComponent(words);
      const found = (await viewer.get(`/api/search?q=${q}&limit=20`)).body;
      const listed = (await viewer.get(`/api/collection?search=${q}&limit=100`)).body;
      expect([found.partial, listed]).toEqual([false, expect.any(Array)]);
      answers[`search ${words}`] = found.items.map((hit: { title: string }) => hit.title);
      answers[`page ${words}`] = listed.map((item: { title: string }) => item.title);
    }
    return answers;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function fill(host: TestHost, root: string): Promise<void> {
  const rootFolder = join(root, "Comics");
  await mkdir(rootFolder);
  const library = (await host.as("admin").post("/api/libraries", { name: "Comics", type: "comic", rootFolder })).body;
  await host.use(Collection).placeFiles(
    series.map((name, at) => ({
      libraryId: library.id,
      path: join(rootFolder, `${at}`, "1.cbz"),
      name: "1.cbz",
      sizeBytes: 1000,
      modifiedAt: "2026-01-01T00:00:00.000Z",
      pages: 22,
      format: "cbz",
      valid: true,
      tagged: true,
      series: { name, folder: join(rootFolder, `${at}`), year: 2000 + at },
      issue: { number: "1", kind: "issue" },
    })),
  );
  await expect
    .poll(async () => (await host.as("admin").get("/api/shelves/status")).body)
    .toMatchObject({ ready: true, building: false, size: series.length });
}

it("finds the same on SQLite and on PostgreSQL, in the same order, in every alphabet", needsPostgres, async () => {
  await using server = await startPostgres();
  const [files, served] = [await answersOf("sqlite"), await answersOf({ postgres: server.url })];
  expect(served).toEqual(files);
  const found = Object.entries(files).filter(([, titles]) => titles.length > 0);
  expect(found.length).toBeGreaterThan(typed.length * 1.5);
  expect(files["page 巨人"]).toHaveLength(3);
  expect(files["page محمد"]).toHaveLength(3);
});
