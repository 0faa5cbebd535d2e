import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { comicInfoXml, zip } from "@longbox/test/fixtures";
import { needs } from "@longbox/test/needs";
import { describe, expect, it } from "vitest";
import { mergeTags, readMetronInfo } from "../src/tags/metron-info.js";
import { readComicInfo } from "../src/tags/comic-info.js";
import { issueTags } from "../src/tags/issue-tags.js";
import { startLibrary } from "../../files/test/support/library.js";

const corpus = fileURLToPath(new URL("../../../../shared/corpus/tags/metroninfo/", import.meta.url));

describe("MetronInfo.xml", needs(existsSync(corpus), "the shared corpus of samples is not beside the checkout"), () => {
  it.each(["schema_v1.0_Sample.xml", "drafts_v1.1_Sample.xml"])("%s is read", async (name) => {
    expect(readMetronInfo(await readFile(corpus + name))).toMatchObject({
      series: "Justice League",
      number: "1",
      volume: 1970,
      year: 2011,
      month: 10,
      day: 1,
      publisher: "DC Comics",
      cvIssueId: 12345,
      teams: ["Justice League", "Parademons"],
      arcs: ["Origin", "The New 52!"],
    });
  });

  it("is believed for ids and credits, and ComicInfo.xml for the rest", async () => {
    const metron = readMetronInfo(await readFile(`${corpus}schema_v1.0_Sample.xml`))!;
    const comic = issueTags(
      readComicInfo(
        Buffer.from(
          comicInfoXml({
            Series: "JLA",
            Writer: "Nobody",
            Manga: "YesAndRightToLeft",
            Web: "https://x.example/4000-7/",
          }),
        ),
      )!,
    );
    expect(mergeTags(comic, metron)).toMatchObject({
      series: "JLA",
      number: "1",
      rightToLeft: true,
      cvIssueId: 12345,
      credits: metron.credits,
    });
    expect(metron.credits.length).toBeGreaterThan(0);
  });

  it("tells the issue where there is nothing else", async () => {
    await using library = await startLibrary({
      async fill(root) {
        await mkdir(join(root, "x"));
        await writeFile(
          join(root, "x", "scan.cbz"),
          zip(
            new Map([
              ["1.jpg", Buffer.from("page") as Uint8Array],
              ["MetronInfo.xml", await readFile(`${corpus}schema_v1.0_Sample.xml`)],
            ]),
          ),
        );
      },
    });
    expect(await library.files()).toMatchObject([{ series: "Justice League", number: "1", cvIssueId: 12345 }]);
  });
});
