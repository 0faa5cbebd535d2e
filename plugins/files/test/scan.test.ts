import { mkdir, rename, rm, symlink, utimes, writeFile, readFile, cp } from "node:fs/promises";
import { basename, join } from "node:path";
import { writeComic, writeLibrary, zip, type SeriesPlan } from "@longbox/test/fixtures";
import { describe, expect, it } from "vitest";
import type { Content } from "@longbox/sdk";
import { Pages, type PagesContract } from "@longbox/comics/contract";
import { FilesContent } from "@longbox/files/contract";
import { startLibrary, untilSettled } from "./support/library.js";

const moths: SeriesPlan = { title: "Moth Patrol", year: 2019, issues: ["1", "2", "Annual 1"], pages: 2 };
const bells: SeriesPlan = { title: "Night Bell", year: 2016, issues: ["1"], pages: 2, tagged: false };

describe("a scan", () => {
  it("finds what a new library holds by itself, and tells it apart", async () => {
    await using library = await startLibrary({ fill: (root) => writeLibrary(root, [moths, bells]) });
    expect(
      (await library.files()).map(({ path, series, number, kind, pages }) => [path, series, number, kind, pages]),
    ).toEqual([
      ["Moth Patrol (2019)/Moth Patrol 001 (2019).cbz", "Moth Patrol", "1", "issue", 2],
      ["Moth Patrol (2019)/Moth Patrol 002 (2019).cbz", "Moth Patrol", "2", "issue", 2],
      ["Moth Patrol (2019)/Moth Patrol Annual 1 (2019).cbz", "Moth Patrol", "Annual 1", "annual", 2],
      ["Night Bell (2016)/Night Bell 001 (2016).cbz", "Night Bell", "1", "issue", 2],
    ]);
  });

  it("opens nothing that is unchanged, and reads what changed", async () => {
    await using library = await startLibrary({ fill: (root) => writeLibrary(root, [moths]) });
    expect((await library.scan()).message).toBe("Comics: 0 looked into, 0 moved, 0 gone");
    await writeComic(join(library.root, "Moth Patrol (2019)", "Moth Patrol 002 (2019).cbz"), {
      series: "Moth Patrol",
      number: "2",
      pages: 5,
      tags: { Series: "Moth Patrol", Number: "2", Volume: 2019 },
    });
    expect((await library.scan()).message).toBe("Comics: 1 looked into, 0 moved, 0 gone");
    expect((await library.files())[1]).toMatchObject({ number: "2", pages: 5 });
  });

  it("sees by the contents that a file with a new date is the same", async () => {
    await using library = await startLibrary({ fill: (root) => writeLibrary(root, [bells]) });
    await utimes(join(library.root, "Night Bell (2016)", "Night Bell 001 (2016).cbz"), 1, 2);
    expect((await library.scan()).message).toBe("Comics: 0 looked into, 0 moved, 0 gone");
  });

  it("lets moved and renamed files keep their issue", async () => {
    await using library = await startLibrary({ fill: (root) => writeLibrary(root, [moths]) });
    const before = new Map((await library.files()).map((file) => [file.number, file.cvIssueId]));
    await mkdir(join(library.root, "elsewhere", "deep"), { recursive: true });
    await rename(
      join(library.root, "Moth Patrol (2019)", "Moth Patrol 001 (2019).cbz"),
      join(library.root, "elsewhere", "deep", "renamed.cbz"),
    );
    await rename(join(library.root, "Moth Patrol (2019)"), join(library.root, "Moths"));
    expect((await library.scan()).message).toBe("Comics: 0 looked into, 3 moved, 0 gone");
    const after = await library.files();
    expect(new Map(after.map((file) => [file.number, file.cvIssueId]))).toEqual(before);
    expect(after.find((file) => file.number === "1")?.path).toBe("elsewhere/deep/renamed.cbz");
  });

  it("takes a copy for a second file, not for the first one moved", async () => {
    await using library = await startLibrary({ fill: (root) => writeLibrary(root, [bells]) });
    await cp(
      join(library.root, "Night Bell (2016)", "Night Bell 001 (2016).cbz"),
      join(library.root, "Night Bell (2016)", "Night Bell 001 (copy).cbz"),
    );
    expect((await library.scan()).message).toBe("Comics: 1 looked into, 0 moved, 0 gone");
    expect(await library.files()).toHaveLength(2);
  });

  it("removes what is gone", async () => {
    await using library = await startLibrary({ fill: (root) => writeLibrary(root, [moths, bells]) });
    await rm(join(library.root, "Night Bell (2016)"), { recursive: true });
    expect((await library.scan()).message).toBe("Comics: 0 looked into, 0 moved, 1 gone");
    expect(new Set((await library.files()).map((file) => file.series))).toEqual(new Set(["Moth Patrol"]));
  });

  it("changes nothing when the root is missing or suddenly empty, and says so", async () => {
    await using library = await startLibrary({ fill: (root) => writeLibrary(root, [moths]) });
    const before = await library.files();
    await rename(library.root, `${library.root}-away`);
    expect((await library.scan()).error).toBe("The library's folder is not there. Nothing was changed.");
    await mkdir(library.root);
    expect((await library.scan()).error).toBe("The library's folder is suddenly empty. Nothing was changed.");
    expect(await library.files()).toEqual(before);
    expect((await library.scan({ acceptEmpty: true })).message).toBe("Comics: 0 looked into, 0 moved, 3 gone");
    await rm(library.root, { recursive: true });
    await rename(`${library.root}-away`, library.root);
    await library.scan();
    expect((await library.files()).map((file) => file.cvIssueId)).toEqual(before.map((file) => file.cvIssueId));
  });

  it("goes past links that lead in circles or nowhere and names that are not UTF-8, and says that it could not read them", async () => {
    await using library = await startLibrary({ fill: (root) => writeLibrary(root, [bells]) });
    await symlink("circle.cbz", join(library.root, "circle.cbz"));
    await symlink(join(library.root, "nothing.cbz"), join(library.root, "nowhere.cbz"));
    await symlink(library.root, join(library.root, "loop"));
    await writeFile(
      Buffer.concat([Buffer.from(`${library.root}/Latin `), Buffer.from([0xe9]), Buffer.from(" 001.cbz")]),
      "PK",
    );
    await writeComic(join(library.root, "Night Bell (2016)", "Night Bell 002\n(2016).cbz"), {
      series: "Night Bell",
      number: "2",
      pages: 2,
    });
    expect((await library.scan()).message).toBe(
      "Comics: 1 looked into, 0 moved, 0 gone; 3 could not be read, the log names them",
    );
    expect((await library.files()).map((file) => [file.series, file.valid])).toEqual([
      ["Night Bell", true],
      ["Night Bell", true],
    ]);
  });

  it("keeps damaged files with the reason, and goes on", async () => {
    await using library = await startLibrary({
      async fill(root) {
        await writeLibrary(root, [bells]);
        await writeFile(join(root, "empty.cbz"), "");
        await writeFile(join(root, "words.cbr"), "this is no archive at all");
        const whole = await readFile(join(root, "Night Bell (2016)", "Night Bell 001 (2016).cbz"));
        await writeFile(join(root, "cut 001.cbz"), whole.subarray(0, whole.length - 40));
      },
    });
    expect((await library.files()).filter((file) => !file.valid).map(({ path, error }) => [path, error])).toEqual([
      ["cut 001.cbz", "The archive has no directory: it is cut off, or was never finished."],
      ["empty.cbz", "The file is empty."],
      ["words.cbr", "The file has none of the formats that can be read here."],
    ]);
    const damaged = (await library.files()).find((file) => file.path === "empty.cbz")!;
    expect(await library.host.use<PagesContract>(Pages).findPages(-damaged.cvIssueId)).toBeUndefined();
  });

  it("goes on after a restart, with what was known", async () => {
    await using library = await startLibrary({ fill: (root) => writeLibrary(root, [moths]), storage: "sqlite" });
    const before = await library.files();
    await library.host.stop();
    await writeComic(join(library.root, "Moth Patrol (2019)", "Moth Patrol 003 (2019).cbz"), {
      series: "Moth Patrol",
      number: "3",
      pages: 1,
    });
    await library.host.restart();
    expect((await untilSettled(library.host, "")).message).toBe("Comics: 1 looked into, 0 moved, 0 gone");
    expect((await library.files()).filter((file) => file.number !== "3")).toEqual(before);
  });

  it("begins again when it is asked for while it runs: what came after it had looked is found", async () => {
    const page = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(200, 7)]);
    const put = (root: string, number: number) =>
      writeFile(join(root, "Long Run (2001)", `Long Run ${number}.cbz`), zip(new Map([[`${number}.jpg`, page]])));
    await using library = await startLibrary();
    await mkdir(join(library.root, "Long Run (2001)"));
    for (let number = 1; number <= 1500; number++) await put(library.root, number);
    const admin = library.host.as("admin");
    const idle = (await admin.get("/api/scan-folder")).body.startedAt;
    await admin.post(`/api/libraries/${library.libraryId}/scan`);
    let state = { startedAt: idle, total: 0 };
    while (state.startedAt === idle || state.total === 0) state = (await admin.get("/api/scan-folder")).body;
    await put(library.root, 1501);
    await admin.post(`/api/libraries/${library.libraryId}/scan`);
    expect((await untilSettled(library.host, state.startedAt)).message).toBe("Comics: 1 looked into, 0 moved, 0 gone");
    expect((await admin.get("/api/collection/counts")).body.all).toBe(1);
  });

  it("announces itself, shows paths only to those who manage, and stops when told", async () => {
    await using library = await startLibrary({ fill: (root) => writeLibrary(root, [moths]) });
    const viewer = library.host.as("viewer");
    expect((await viewer.get("/api/scan-folder")).body).not.toHaveProperty("message");
    expect((await viewer.post(`/api/libraries/${library.libraryId}/scan`)).status).toBe(403);
    expect((await library.host.as("admin").post("/api/libraries/99/scan")).status).toBe(404);
    const listening = await library.host.domains("viewer");
    const heard = listening.until("scanFolder");
    await library.scan({ everything: true });
    await heard;
    await listening.release();
    expect((await library.host.as("trusted").post("/api/scan-folder/cancel")).body.running).toBe(false);
  });

  it("shows what a folder of a library holds and how names are read, and no other folder", async () => {
    await using library = await startLibrary({ fill: (root) => writeLibrary(root, [moths]) });
    const admin = library.host.as("admin");
    const { files } = (
      await admin.get(`/api/scan-folder?path=${encodeURIComponent(join(library.root, "Moth Patrol (2019)"))}`)
    ).body;
    expect(
      files.map((file: { name: string; series: string; number: string; year: number }) => [
        file.name,
        file.series,
        file.number,
        file.year,
      ]),
    ).toEqual([
      ["Moth Patrol 001 (2019).cbz", "Moth Patrol", "1", 2019],
      ["Moth Patrol 002 (2019).cbz", "Moth Patrol", "2", 2019],
      ["Moth Patrol Annual 1 (2019).cbz", "Moth Patrol", "Annual 1", 2019],
    ]);
    await symlink("round", join(library.root, "round"));
    const inside = [
      "\0",
      "x\0y",
      "absent",
      "s".repeat(300),
      "d/".repeat(1900),
      "round",
      "round/x",
      "\u{1f4a9}".repeat(64),
    ];
    const odd = inside.map((name) => `${library.root}/${name}`);
    for (const path of ["/etc", `${library.root}/../`, "relative", `${library.root}x`, ...odd])
      expect((await admin.get(`/api/scan-folder?path=${encodeURIComponent(path)}`)).status, path).toBe(400);
    const seen = (await library.host.as("viewer").get(`/api/scan-folder?path=${encodeURIComponent(library.root)}`))
      .body;
    expect(JSON.stringify(seen)).not.toContain(library.root);
  });
});

describe("pages", () => {
  it("are of one file to the end, though another takes its place before they are sent", async () => {
    await using library = await startLibrary({ fill: (root) => writeLibrary(root, [moths]) });
    const pages = library.host.use<PagesContract>(Pages);
    const [file] = await library.files();
    const issue = -file!.cvIssueId;
    const promised = await pages.readPage(issue, 1);
    const { bytes } = await pages.readPageBytes(issue, 1);
    const path = join(library.root, file!.path);
    await writeComic(`${path}.new`, { series: "Other Moths", number: "7", pages: 4 });
    await rename(`${path}.new`, path);
    const { offset, length, read } = promised.content as Extract<Content, { kind: "slice" }>;
    const target = new Uint8Array(length);
    await read!(target, offset);
    expect(Buffer.from(target).equals(bytes)).toBe(true);
    const now = await pages.readPage(issue, 1, promised.validator);
    expect(now.validator).toBe(promised.validator);
    const looked = await pages.readPage(issue, 1);
    expect(looked.validator).not.toBe(promised.validator);
    await expect(read!(target, offset)).rejects.toMatchObject({ code: "comics/changed", kind: "unavailable" });
  });

  it("come from the file as it is now, by archives that are closed after a while", async () => {
    await using library = await startLibrary({ fill: (root) => writeLibrary(root, [moths]) });
    const pages = library.host.use<PagesContract>(Pages);
    const issue = -(await library.files())[0]!.cvIssueId;
    const list = await pages.findPages(issue);
    expect(list?.pages.map((page) => page.name)).toEqual(["001.jpg", "002.jpg"]);
    expect((await pages.readPage(issue, 0)).content).toMatchObject({ kind: "slice", contentType: "image/jpeg" });
    await expect(pages.readPage(issue, 2)).rejects.toMatchObject({ code: "comics/no-such-page" });
    await expect(pages.readPage(999, 0)).rejects.toMatchObject({ code: "comics/no-pages" });
    await writeComic(join(library.root, (await library.files())[0]!.path), {
      series: "Moth Patrol",
      number: "1",
      pages: 3,
    });
    const again = await pages.findPages(issue);
    expect(again?.pages).toHaveLength(3);
    expect(again?.validator).not.toBe(list?.validator);
    const file = await library.host.use(FilesContent).findFile(issue);
    expect(file).toMatchObject({ contentType: "application/vnd.comicbook+zip" });
  });
});

describe("watching", () => {
  it("sees a new file and a new folder without being asked", async () => {
    await using library = await startLibrary({ watch: true, fill: (root) => writeLibrary(root, [moths]) });
    await writeComic(join(library.root, "Moth Patrol (2019)", "Moth Patrol 009 (2019).cbz"), {
      series: "Moth Patrol",
      number: "9",
      pages: 1,
    });
    await until(async () => (await library.files()).some((file) => file.number === "9"));
    await writeLibrary(library.root, [bells]);
    await until(async () => (await library.files()).some((file) => file.series === "Night Bell"));
    await rm(join(library.root, "Night Bell (2016)"), { recursive: true });
    await until(async () => !(await library.files()).some((file) => file.series === "Night Bell"));
  });

  it("looks only where something changed, in a few folders or in many, and never takes a neighbour of like name for a part", async () => {
    const comic = (folder: string) =>
      writeFile(
        join(folder, `${basename(folder)} 1.cbz`),
        zip(new Map([[`${basename(folder)}.jpg`, Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])]])),
      );
    const names = Array.from({ length: 60 }, (_, index) => `Series ${index}`).concat("Series 1 (2)", "Series 1-b");
    await using library = await startLibrary({
      watch: true,
      async fill(root) {
        for (const name of names) {
          await mkdir(join(root, name));
          await comic(join(root, name));
        }
      },
    });
    const settled = async (before: string | undefined) => (await untilSettled(library.host, before)).message;
    const startedAt = async () => (await library.host.as("admin").get("/api/scan-folder")).body.startedAt as string;
    let before = await startedAt();
    await rm(join(library.root, "Series 1", "Series 1 1.cbz"));
    expect(await settled(before)).toBe("Comics: 0 looked into, 0 moved, 1 gone");
    before = await startedAt();
    for (const name of names.slice(2))
      await rename(join(library.root, name, `${name} 1.cbz`), join(library.root, name, `${name} 2.cbz`));
    expect(await settled(before)).toBe("Comics: 0 looked into, 60 moved, 0 gone");
    expect((await library.files()).filter(({ path }) => path.endsWith(" 2.cbz"))).toHaveLength(60);
  });
});

async function until(test: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1200; tries++) {
    if (await test()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("It did not happen.");
}
