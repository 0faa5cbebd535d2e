import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { comicEntries, zip } from "@longbox/test/fixtures";
import { unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { startLibrary, untilSettled, type TestLibrary } from "../../files/test/support/library.js";

const namespaces = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:own="urn:own"';
const document = (inside: string) => `<?xml version="1.0"?>\n<ComicInfo ${namespaces}>\n${inside}\n</ComicInfo>`;

/** A library of one file with these tags, and its tags once they are written again. */
async function written(name: string, inside?: string): Promise<{ xml: string; library: TestLibrary }> {
  const pages = await comicEntries({ series: "Moth Patrol", number: "1", pages: 1 });
  if (inside !== undefined) pages.set("ComicInfo.xml", Buffer.from(document(inside)));
  else pages.delete("ComicInfo.xml");
  const library = await startLibrary({
    async fill(root) {
      await mkdir(join(root, "Moth Patrol (2019)"));
      await writeFile(join(root, "Moth Patrol (2019)", `${name}.cbz`), zip(pages));
    },
  });
  await tagAll(library);
  const bytes = await readFile(join(library.root, "Moth Patrol (2019)", `${name}.cbz`));
  return { xml: Buffer.from(unzipSync(bytes)["ComicInfo.xml"]!).toString(), library };
}

async function tagAll(library: TestLibrary): Promise<void> {
  const admin = library.host.as("admin");
  const before = (await admin.get("/api/scan-folder")).body.startedAt;
  for (const { id } of (await admin.get("/api/collection")).body) await admin.post(`/api/collection/${id}/tag`);
  while ((await admin.get("/api/tag-files")).body.running);
  await untilSettled(library.host, before);
}

const elements = (xml: string) =>
  Object.fromEntries([...xml.matchAll(/<(\w+)>([^<]*)<\/\1>/g)].map(([, name, text]) => [name, text]));

describe("written tags", () => {
  it("say of the date only what is known", async () => {
    const { xml, library } = await written("Moth Patrol 001 (2020)");
    await using _ = library;
    expect(elements(xml)).toMatchObject({ Series: "Moth Patrol", Number: "1", Volume: "2019", Year: "2020" });
    expect(xml).not.toMatch(/<Month>|<Day>/);
    const [{ id }] = (await library.host.as("admin").get("/api/collection")).body;
    const { issues } = (await library.host.as("viewer").get(`/api/collection/${id}`)).body;
    expect(issues[0].coverDate).toBe("2020");
  });

  it("keep the volume's number, every address and what the schema does not know, with what is inside", async () => {
    const said = [
      "<Series>Moth Patrol</Series><Number>1</Number><Volume>2</Volume><Year>2020</Year><Month>5</Month>",
      "<Web>https://x.example/4000-901/ https://y.example/a?b=1&amp;c=2</Web><StoryArcNumber>3</StoryArcNumber>",
      '<Own key="a &lt; b"><Deep>one &amp; two</Deep><Deep/></Own><Own>again</Own>',
      '<own:Rating own:by="me">5</own:Rating>',
    ];
    const { xml, library } = await written("a", said.join(""));
    await using _ = library;
    expect(elements(xml)).toMatchObject({ Volume: "2", Year: "2020", Month: "5", StoryArcNumber: "3" });
    expect(xml).not.toContain("<Day>");
    const web = /<Web>(.*)<\/Web>/.exec(xml)![1]!.split(" ");
    expect(web).toContain("https://y.example/a?b=1&amp;c=2");
    expect(web.filter((address) => address.includes("4000-901"))).toHaveLength(1);
    expect(xml).toContain('<Own key="a &lt; b"><Deep>one &amp; two</Deep><Deep></Deep></Own>');
    expect(xml).toContain("<Own>again</Own>");
    expect(xml).toContain('<own:Rating own:by="me">5</own:Rating>');
    // A prefix without its namespace would make the whole document unreadable elsewhere.
    expect(xml).toContain(`<ComicInfo ${namespaces}>`);
  });

  it("give every kind its number and its kind, and are read again as the same", async () => {
    const kinds = [
      ["Moth Patrol TPB 03", "3", "TPB"],
      ["Moth Patrol v04", "4", "Volume"],
      ["Moth Patrol Special 2", "2", "Special"],
      ["Moth Patrol Annual 2", "2", "Annual"],
    ] as const;
    const pages = await comicEntries({ series: "Moth Patrol", number: "1", pages: 1 });
    pages.delete("ComicInfo.xml");
    const folder = "Moth Patrol (2019)";
    await using library = await startLibrary({
      async fill(root) {
        await mkdir(join(root, folder));
        for (const [name] of kinds) await writeFile(join(root, folder, `${name}.cbz`), zip(pages));
      },
    });
    const numbers = async () => (await library.files()).map(({ path, number, kind }) => [path, number, kind]);
    const before = await numbers();
    expect(new Set(before.map(([, number, kind]) => `${kind} ${number}`)).size).toBe(kinds.length);
    await tagAll(library);
    for (const [name, number, format] of kinds) {
      const bytes = await readFile(join(library.root, folder, `${name}.cbz`));
      const xml = Buffer.from(unzipSync(bytes)["ComicInfo.xml"]!).toString();
      expect(elements(xml), name).toMatchObject({ Number: number, Format: format });
    }
    await library.scan({ everything: true });
    expect(await numbers()).toEqual(before);
  });

  it("lie in a folder of images that counts as tagged", async () => {
    await using library = await startLibrary({
      async fill(root) {
        const folder = join(root, "Moth Patrol (2019)", "Moth Patrol 001");
        await mkdir(folder, { recursive: true });
        for (const [name, bytes] of await comicEntries({ series: "Moth Patrol", number: "1", pages: 3 }))
          if (name !== "ComicInfo.xml") await writeFile(join(folder, name.split("/").at(-1)!), bytes);
      },
    });
    const untagged = async () => (await library.host.as("admin").get("/api/collection")).body[0].untagged;
    expect(await untagged()).toBe(1);
    await tagAll(library);
    expect(await untagged()).toBe(0);
  });
});
