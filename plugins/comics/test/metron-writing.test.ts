import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { comicEntries, comicInfoXml, zip } from "@longbox/test/fixtures";
import { needs } from "@longbox/test/needs";
import { unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { startLibrary, untilSettled, type TestLibrary } from "../../files/test/support/library.js";

const schemas = fileURLToPath(new URL("../../../../shared/corpus/schemas/metroninfo/", import.meta.url));
const jing = "/usr/bin/jing";
const hasSchema = existsSync(schemas) && existsSync(jing);

const former = `<?xml version="1.0"?>
<MetronInfo>
  <Own key="a &lt; b">one <Deep>two</Deep> three</Own>
  <IDS><ID source="Metron" primary="true">77</ID><ID source="MangaDex">8b34f37a</ID></IDS>
  <Publisher id="12"><Name>Lamplight</Name><Imprint id="3">Lantern</Imprint></Publisher>
  <Series id="9" lang="de"><Name>Moth Patrol</Name><Volume>2</Volume><VolumeCount>3</VolumeCount></Series>
  <Number>4</Number>
  <Stories><Story id="5">Dusk</Story><Story>Dawn</Story></Stories>
  <Prices><Price country="US">3.99</Price></Prices>
  <CoverDate>2020-05-01</CoverDate>
  <Genres><Genre id="8">Moths</Genre></Genres>
  <Characters><Character id="21">Ada Quill</Character></Characters>
  <URLs><URL primary="true">https://x.example/a?b=1&amp;c=2</URL></URLs>
  <Credits><Credit><Creator id="31">Ida Finch</Creator><Roles><Role id="1">Writer</Role><Role>Cover</Role></Roles></Credit></Credits>
  <LastModified>2023-05-31T09:00:46Z</LastModified>
</MetronInfo>`;

/** A library of one archive with these files beside its page. */
async function libraryOf(files: Readonly<Record<string, string>>): Promise<TestLibrary> {
  const entries = await comicEntries({ series: "Moth Patrol", number: "4", pages: 1 });
  entries.delete("ComicInfo.xml");
  for (const [name, text] of Object.entries(files)) entries.set(name, Buffer.from(text));
  return startLibrary({
    async fill(root) {
      await mkdir(join(root, "Moth Patrol (2019)"));
      await writeFile(join(root, "Moth Patrol (2019)", "Moth Patrol 004.cbz"), zip(entries));
    },
  });
}

/** Writes the tags. @returns the archive's bytes */
async function tagged(library: TestLibrary, tagFormat: string): Promise<Uint8Array> {
  const admin = library.host.as("admin");
  expect((await admin.post("/api/settings", { comics: { tagFormat } })).status).toBe(200);
  const before = (await admin.get("/api/scan-folder")).body.startedAt;
  const [{ id }] = (await admin.get("/api/collection")).body;
  await admin.post(`/api/collection/${id}/tag`);
  await expect.poll(async () => (await admin.get("/api/tag-files")).body.running).toBe(false);
  expect((await admin.get("/api/tag-files")).body.message).toBe("1 written, 0 not");
  await untilSettled(library.host, before);
  return readFile(join(library.root, "Moth Patrol (2019)", "Moth Patrol 004.cbz"));
}

function textIn(archive: Uint8Array, name: string): string | undefined {
  const bytes = unzipSync(archive)[name];
  return bytes && Buffer.from(bytes).toString();
}

/** What the schema of MetronInfo 1.0 has against a document. Its assertions need XSD 1.1 and are left out. */
async function schemaProblems(xml: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "longbox-metron-"));
  try {
    const schema = await readFile(join(schemas, "MetronInfo-v1.0.xsd"), "utf8");
    await writeFile(join(folder, "schema.xsd"), schema.replace(/<xs:assert [^>]*>/g, ""));
    await writeFile(join(folder, "MetronInfo.xml"), xml);
    const checked = promisify(execFile)(jing, [join(folder, "schema.xsd"), join(folder, "MetronInfo.xml")]);
    const { stdout } = await checked.catch((failure: { stdout: string }) => failure);
    return stdout.split("\n").filter((line) => line.includes("error"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe("MetronInfo.xml that is written", () => {
  it("keeps ids, names and elements that the collection does not know, and is the same when written again", async () => {
    await using library = await libraryOf({ "MetronInfo.xml": former });
    const first = await tagged(library, "metroninfo");
    const xml = textIn(first, "MetronInfo.xml")!;
    const words = xml.replace(/>\s+</g, "><");
    for (const part of [
      '<Own key="a &lt; b">one <Deep>two</Deep> three</Own>',
      '<ID source="Metron" primary="true">77</ID><ID source="MangaDex">8b34f37a</ID>',
      '<Publisher id="12"><Name>Lamplight</Name><Imprint id="3">Lantern</Imprint></Publisher>',
      '<Series id="9" lang="de"><Name>Moth Patrol</Name><Volume>2</Volume><VolumeCount>3</VolumeCount>',
      '<Stories><Story id="5">Dusk</Story><Story>Dawn</Story></Stories>',
      '<Price country="US">3.99</Price>',
      "<CoverDate>2020-05-01</CoverDate>",
      '<Genre id="8">Moths</Genre>',
      '<Character id="21">Ada Quill</Character>',
      '<URL primary="true">https://x.example/a?b=1&amp;c=2</URL>',
      '<Creator id="31">Ida Finch</Creator><Roles><Role id="1">Writer</Role><Role>Cover</Role></Roles>',
      "<PageCount>1</PageCount>",
    ])
      expect(words).toContain(part);
    expect(textIn(first, "ComicInfo.xml")).toBeUndefined();
    expect(Buffer.from(await tagged(library, "metroninfo")).equals(first)).toBe(true);
  });

  it("stands beside ComicInfo.xml where both are written", async () => {
    const comicInfo = comicInfoXml({ Series: "Moth Patrol", Number: "4", Writer: "Ida Finch", Genre: "Moths" });
    await using library = await libraryOf({ "ComicInfo.xml": comicInfo });
    const archive = await tagged(library, "both");
    expect(textIn(archive, "ComicInfo.xml")).toContain("<Genre>Moths</Genre>");
    expect(textIn(archive, "MetronInfo.xml")).toContain("<Creator>Ida Finch</Creator>");
  });

  it("is kept up to date where it is, although only ComicInfo.xml is to be written", async () => {
    const comicInfo = comicInfoXml({ Series: "Moth Patrol", Number: "4", Writer: "Ida Finch" });
    const metronInfo = "<MetronInfo><Series><Name>Moth Patrol</Name></Series><Number>4</Number></MetronInfo>";
    await using library = await libraryOf({ "ComicInfo.xml": comicInfo, "MetronInfo.xml": metronInfo });
    const archive = await tagged(library, "comicinfo");
    expect(textIn(archive, "MetronInfo.xml")).toContain("<Creator>Ida Finch</Creator>");
  });

  it("is valid by the schema", needs(hasSchema, "jing or the schema of MetronInfo is missing"), async () => {
    const known = former.replace(/<Own[\s\S]*<\/Own>/, "");
    await using library = await libraryOf({ "MetronInfo.xml": known });
    expect(await schemaProblems(textIn(await tagged(library, "metroninfo"), "MetronInfo.xml")!)).toEqual([]);
    expect(await schemaProblems("<MetronInfo><Series/></MetronInfo>")).not.toEqual([]);
  });

  it(
    "is valid by the schema where nothing was there before",
    needs(hasSchema, "jing or the schema of MetronInfo is missing"),
    async () => {
      const comicInfo = comicInfoXml({
        ...{ Series: "Moth Patrol", Number: "4", Format: "Annual", Year: 2020, Month: 5, Writer: "Ida Finch" },
        ...{
          Penciller: "Bo Reed",
          Web: "https://comicvine.gamespot.com/x/4000-901/",
          StoryArc: "Dusk",
          Title: "A < B",
        },
      });
      await using library = await libraryOf({ "ComicInfo.xml": comicInfo });
      const xml = textIn(await tagged(library, "both"), "MetronInfo.xml")!;
      expect(await schemaProblems(xml)).toEqual([]);
      expect(xml).toContain("<Format>Annual</Format>");
      expect(xml).toContain("<Role>Penciller</Role>");
    },
  );
});
