import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startTestHost } from "@longbox/sdk/testing";
import { needs } from "@longbox/test/needs";
import { describe, expect, it } from "vitest";
import { writeComic } from "@longbox/test/fixtures";
import { fileName, folderName, paddedNumber, patternErrors, type NameParts } from "../src/naming/pattern.js";
import { partsOf } from "../src/naming/naming.js";
import { startLibrary } from "./support/library.js";

const nothing: NameParts = {
  publisher: undefined,
  series: "Moth Patrol",
  year: undefined,
  volume: undefined,
  issue: "1",
  title: undefined,
  date: undefined,
  edition: undefined,
  type: undefined,
};
const corpus = fileURLToPath(new URL("../../../../shared/corpus/filenames/issue-numbers.jsonl", import.meta.url));

describe("naming patterns", () => {
  it("leave out what is not known, with its brackets and separators", () => {
    const pattern = "{series} [{edition}] v{volume} {issue:3} - {title} ({year}) ({date})";
    expect(fileName("{series} ({year}) - {title} {issue:3} [{edition}]", nothing)).toBe("Moth Patrol 001");
    expect(fileName(pattern, { ...nothing, volume: 2, title: "Lamp Oil", year: 2019 })).toBe(
      "Moth Patrol v2 001 - Lamp Oil (2019)",
    );
    expect(folderName("{publisher}/{series} ({year})", nothing)).toBe("Moth Patrol");
    expect(folderName("{publisher}/{series} ({year})", { ...nothing, publisher: "Lamplight", year: 2019 })).toBe(
      "Lamplight/Moth Patrol (2019)",
    );
  });

  it("name annuals once", () => {
    const named = (title: string, number: string) => {
      const series = { title, publisher: undefined, year: undefined, type: "comic" };
      return fileName("{series} {issue:3}", partsOf(series, { number, title: undefined, coverDate: undefined }));
    };
    expect(named("Moth Patrol Annual", "8")).toBe("Moth Patrol Annual 008");
    expect(named("Moth Patrol Annual", "Annual 8")).toBe("Moth Patrol Annual 008");
    expect(named("Moth Patrol", "Annual 8")).toBe("Moth Patrol Annual 8");
  });

  it("make names that every file system takes", () => {
    expect(fileName("{series} {issue}", { ...nothing, series: 'Batsong: A/B\\C? "Why"*|<x>' })).toBe(
      "Batsong - A-B-C Why-x 1",
    );
    expect(folderName("{series}", { ...nothing, series: "../../etc" })).toBe("-..-etc");
    expect(folderName("{series}", { ...nothing, series: "CON" })).toBe("_CON");
    expect(folderName("{series}", { ...nothing, series: "..." })).toBeUndefined();
    expect(Buffer.byteLength(folderName("{series}", { ...nothing, series: "ü".repeat(500) })!)).toBeLessThanOrEqual(
      180,
    );
  });

  it("name what is wrong with them", () => {
    expect(patternErrors("{series} {writer}", "folder")).toEqual(["folderPattern: there is no token {writer}"]);
    expect(patternErrors("../{series}", "folder")).toEqual([
      "folderPattern: has an empty part, or one that is only dots",
    ]);
    expect(patternErrors("{series}", "file")).toEqual(["filePattern: needs {issue}, or all files would have one name"]);
    expect(patternErrors("a:{issue}", "file")).toEqual(['filePattern: \\ : * ? " < > | cannot stand in names']);
  });

  it(
    "pad issue numbers as the corpus expects",
    needs(existsSync(corpus), "the shared corpus of samples is not beside the checkout"),
    () => {
      const rows = readFileSync(corpus, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as { input: string; padded3: string });
      for (const { input, padded3 } of rows) expect(paddedNumber(input, 3), input).toBe(padded3);
    },
  );

  it("are shown by the preview, and refused by the settings", async () => {
    await using host = await startTestHost({ plugins: ["operations", "collection", "files", "comics"] });
    const admin = host.as("admin");
    expect((await admin.post("/api/naming/preview", { folderPattern: "{publisher}/{series}" })).body).toEqual({
      folder: "Lamplight/Moth Patrol",
      file: "Moth Patrol 007 (2019).cbz",
      example: "Lamplight/Moth Patrol/Moth Patrol 007 (2019).cbz",
      errors: [],
      examples: [],
    });
    expect((await admin.post("/api/naming/preview", { filePattern: "{nope}" })).body.errors).toHaveLength(2);
    expect((await host.as("trusted").post("/api/naming/preview", {})).status).toBe(403);
    expect((await admin.post("/api/settings", { files: { filePattern: "no issue" } })).status).toBe(400);
  });

  it("are shown with what is in the library: a few series from all over it, and what is not known of them", async () => {
    const titles = [
      "Arc Light",
      "Batsong",
      "Cold Harbour",
      "Detective Heron",
      "Ember Row",
      "Moth Patrol",
      "Night Bell",
      "Old Oak",
      "Pale Horse",
      "Quill",
    ];
    await using library = await startLibrary({
      async fill(root) {
        for (const title of titles)
          await writeComic(join(root, title, `${title} 001.CBZ`), {
            series: title,
            number: "1",
            pages: 1,
            ...(title === "Moth Patrol" && {
              tags: { Series: title, Number: "1.5", Volume: 2019, Publisher: "Lamplight", Title: "Oil: a/b" },
            }),
          });
      },
    });
    const admin = library.host.as("admin");
    const examples = async (body: object) =>
      (await admin.post("/api/naming/preview", body)).body.examples.map(
        ({ path, unknown }: { path: string; unknown: string[] }) => [path, unknown],
      );
    expect(
      await examples({ folderPattern: "{publisher}/{series} ({year})", filePattern: "{series} {issue:3} - {title}" }),
    ).toEqual([
      ["Arc Light/Arc Light 001.cbz", ["publisher", "year", "title"]],
      ["Cold Harbour/Cold Harbour 001.cbz", ["publisher", "year", "title"]],
      ["Ember Row/Ember Row 001.cbz", ["publisher", "year", "title"]],
      ["Night Bell/Night Bell 001.cbz", ["publisher", "year", "title"]],
      ["Pale Horse/Pale Horse 001.cbz", ["publisher", "year", "title"]],
    ]);
    expect(await library.files()).toHaveLength(titles.length);
    expect((await admin.post(`/api/libraries/${library.libraryId}`, { folderPattern: "own/{series}" })).status).toBe(
      200,
    );
    const [first] = (await admin.post("/api/naming/preview", { folderPattern: "other/{series}" })).body.examples;
    expect(first).toMatchObject({
      series: "Arc Light",
      number: "1",
      path: "own/Arc Light/Arc Light 001.cbz",
      ownFolderPattern: true,
    });
  });

  it("are what moving the files then makes", async () => {
    await using library = await startLibrary({
      fill: (root) =>
        writeComic(join(root, "x", "mp.cbz"), {
          series: "Moth Patrol",
          number: "1.5",
          pages: 1,
          tags: { Series: "Moth Patrol", Number: "1.5", Volume: 2019, Publisher: "Lamplight", Title: "Oil: a/b" },
        }),
    });
    const admin = library.host.as("admin");
    const patterns = { folderPattern: "{publisher}/{series} ({year})", filePattern: "{series} {issue:3} - {title}" };
    const [example] = (await admin.post("/api/naming/preview", patterns)).body.examples;
    expect(example).toMatchObject({
      path: "Lamplight/Moth Patrol (2019)/Moth Patrol 001.5 - Oil - a-b.cbz",
      unknown: [],
      ownFolderPattern: false,
    });
    await admin.post("/api/settings", { files: patterns });
    await admin.post(`/api/collection/${example.seriesId}/refile`, {});
    expect((await library.files()).map(({ path }) => path)).toEqual([example.path]);
  });
});
