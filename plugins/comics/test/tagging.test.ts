import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { join } from "node:path";
import { comicEntries, comicInfoXml, writeComic, zip } from "@longbox/test/fixtures";
import { unzipSync } from "fflate";
import { buffer } from "node:stream/consumers";
import tar from "tar-stream";
import { needs } from "@longbox/test/needs";
import { describe, expect, it } from "vitest";
import { startLibrary, untilSettled, type TestLibrary } from "../../files/test/support/library.js";

const shared = (path: string) => fileURLToPath(new URL(`../../../../shared/corpus/${path}`, import.meta.url));

async function tag(library: TestLibrary): Promise<{ message?: string; error?: string }> {
  const admin = library.host.as("admin");
  let state: { running: boolean; message?: string; error?: string } = { running: false };
  for (const { id } of (await admin.get("/api/collection")).body) {
    const before = (await admin.get("/api/scan-folder")).body.startedAt;
    const answer = await admin.post(`/api/collection/${id}/tag`);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    do state = (await admin.get("/api/tag-files")).body;
    while (state.running);
    await untilSettled(library.host, before);
  }
  return state;
}

const xmlIn = (bytes: Uint8Array) => Buffer.from(unzipSync(bytes)["ComicInfo.xml"]!).toString();

describe("writing tags", () => {
  it("changes only ComicInfo.xml in the archive, keeps values that are not known otherwise, and can be repeated", async () => {
    const former = comicInfoXml({
      Series: "Moth Patrol",
      Number: "Annual 3",
      Volume: 2019,
      Genre: "Moths",
      Custom: "kept & safe",
      Manga: "YesAndRightToLeft",
    }).replace(
      "</ComicInfo>",
      '  <Pages><Page Image="0" Type="FrontCover" Key="a&quot;b" /><Page Image="1" /></Pages>\n</ComicInfo>',
    );
    const pages = await comicEntries({ series: "Moth Patrol", number: "3", pages: 3 });
    const entries = new Map([
      ["ComicInfo.xml", Buffer.from(former) as Uint8Array],
      ...pages,
      ["notes/readme.txt", Buffer.from("kept")],
    ]);
    await using library = await startLibrary({
      async fill(root) {
        await mkdir(join(root, "Moth Patrol (2019)"));
        await writeFile(join(root, "Moth Patrol (2019)", "a.cbz"), zip(entries));
      },
    });
    const path = join(library.root, "Moth Patrol (2019)", "a.cbz");
    const before = await library.files();
    expect((await tag(library)).message).toBe("1 written, 0 not");
    const first = await readFile(path);
    const unpacked = unzipSync(first);
    for (const [name, bytes] of entries)
      if (name !== "ComicInfo.xml") expect(Buffer.from(unpacked[name]!), name).toEqual(Buffer.from(bytes));
    expect(Object.keys(unpacked)).toHaveLength(entries.size);
    const xml = xmlIn(first);
    for (const part of [
      "<Number>3</Number>",
      "<Format>Annual</Format>",
      "<Genre>Moths</Genre>",
      "<Custom>kept &amp; safe</Custom>",
      '<Page Image="0" Type="FrontCover" Key="a&quot;b" />',
      "<Manga>YesAndRightToLeft</Manga>",
    ])
      expect(xml).toContain(part);
    expect(await library.files()).toEqual(before);
    await tag(library);
    expect((await readFile(path)).equals(first)).toBe(true);
    await promisify(execFile)("unzip", ["-tq", path]).catch((thrown: NodeJS.ErrnoException) => {
      if (thrown.code !== "ENOENT") throw thrown;
    });
  });

  it("puts tags beside archives that take none, and beside all where the library says so", async () => {
    await using library = await startLibrary({
      async fill(root) {
        await writeComic(join(root, "Night Bell", "Night Bell 001.cbz"), {
          series: "Night Bell",
          number: "1",
          pages: 1,
        });
        const packed = tar.pack();
        for (const [name, bytes] of await comicEntries({ series: "Night Bell", number: "2", pages: 1 }))
          packed.entry({ name }, Buffer.from(bytes));
        packed.finalize();
        await writeFile(join(root, "Night Bell", "Night Bell 002.cbt"), await buffer(packed));
      },
    });
    const admin = library.host.as("admin");
    await tag(library);
    // What takes tags got them inside.
    const beside = (name: string) => existsSync(join(library.root, "Night Bell", `${name}.ComicInfo.xml`));
    expect([beside("Night Bell 001"), beside("Night Bell 002")]).toEqual([false, true]);
    const { status } = await admin.post(`/api/libraries/${library.libraryId}`, { tagPlacement: "sidecar" });
    expect(status).toBe(200);
    const { mtimeMs } = await stat(join(library.root, "Night Bell", "Night Bell 001.cbz"));
    await tag(library);
    expect((await stat(join(library.root, "Night Bell", "Night Bell 001.cbz"))).mtimeMs).toBe(mtimeMs);
    for (const number of ["1", "2"]) {
      const beside = await readFile(join(library.root, "Night Bell", `Night Bell 00${number}.ComicInfo.xml`), "utf8");
      expect(beside).toContain("<Series>Night Bell</Series>");
      expect(beside).toContain(`<Number>${number}</Number>`);
    }
    const series = (await admin.get("/api/collection")).body[0];
    expect(series.untagged).toBe(0);
  });

  it(
    "keeps the order that the schema demands",
    needs(existsSync(shared("schemas/comicinfo")), "the ComicInfo schemas are not beside the checkout"),
    async () => {
      const schema = readFileSync(shared("schemas/comicinfo/ComicInfo-v2.1-draft.xsd"), "utf8");
      const all = /<xs:complexType name="ComicInfo">[\s\S]*?<\/xs:complexType>/.exec(schema)![0];
      const order = [...all.matchAll(/<xs:element [^>]*name="(\w+)"/g)].map(([, name]) => name!);
      const fields = Object.fromEntries(
        order
          .filter((name) => name !== "Pages")
          .toReversed()
          .map((name) => [name, /Year|Count|Volume|Month|Day/.test(name) ? 1 : name === "Number" ? "4" : "x"]),
      );
      await using library = await startLibrary({
        async fill(root) {
          await mkdir(join(root, "x"));
          await writeFile(
            join(root, "x", "a.cbz"),
            zip(
              new Map([
                ["1.jpg", Buffer.from("page") as Uint8Array],
                ["ComicInfo.xml", Buffer.from(comicInfoXml(fields))],
              ]),
            ),
          );
        },
      });
      await tag(library);
      const written = [...xmlIn(await readFile(join(library.root, "x", "a.cbz"))).matchAll(/^ {2}<(\w+)>/gm)].map(
        ([, name]) => name,
      );
      expect(written).toEqual(order.filter((name) => name !== "Pages"));
    },
  );
});
