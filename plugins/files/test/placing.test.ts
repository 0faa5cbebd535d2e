import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Collection } from "@longbox/collection/contract";
import { FilesImporting, type PlaceRequest } from "@longbox/files/contract";
import { comicEntries, writeComic, zip } from "@longbox/test/fixtures";
import { systemViewer, type Viewer } from "@longbox/sdk";
import { describe, expect, it } from "vitest";
import { startLibrary, type TestLibrary } from "./support/library.js";
import { textFormatAfter, textTypes } from "./support/text-plugin.js";
import { wantMoths } from "./support/wanting.js";

const goalOfTwo = join("Moth Patrol (2019)", "Moth Patrol 002 (2019).cbz");

interface Desk extends AsyncDisposable {
  readonly library: TestLibrary;
  /** Outside of the library. */
  readonly inbox: string;
  readonly issues: ReadonlyMap<string, number>;
  comic(name: string, pages?: number): Promise<string>;
  place(request: Partial<PlaceRequest> & { path: string }, viewer?: Viewer): ReturnType<FilesImporting["place"]>;
  filesInLibrary(): Promise<string[]>;
}

/**
 * A library that wants three issues of a series, and an inbox.
 * @param parent - the folder in which the inbox is made
 */
async function openDesk(parent = tmpdir()): Promise<Desk> {
  const inbox = await mkdtemp(join(parent, "longbox-files-inbox-"));
  const library = await startLibrary();
  const { issues } = await wantMoths(library.host);
  return {
    library,
    inbox,
    issues,
    async comic(name, pages = 2) {
      const path = join(inbox, name);
      await writeComic(path, { series: "Moth Patrol", number: name, pages });
      return path;
    },
    place: (request, viewer = systemViewer) =>
      library.host
        .use(FilesImporting)
        .place({ key: request.path, mode: "copy", issueId: issues.get("2")!, ...request }, viewer),
    async filesInLibrary() {
      const entries = await readdir(library.root, { recursive: true, withFileTypes: true });
      const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
      return paths.map((path) => path.slice(library.root.length + 1)).sort();
    },
    async [Symbol.asyncDispose]() {
      await library[Symbol.asyncDispose]();
      await rm(inbox, { recursive: true, force: true });
    },
  };
}

async function holdingsOf(desk: Desk, number: string): Promise<string[]> {
  const holdings = await desk.library.host.use(Collection).listHoldings(desk.issues.get(number)!);
  return holdings.map(({ path }) => path.slice(desk.library.root.length + 1));
}

describe("placing a file of another plugin", () => {
  it("copies it under the name of the patterns, and makes it known as the issue at once, once for each key", async () => {
    await using desk = await openDesk();
    const path = await desk.comic("some.release.name.zip");
    const [placed, again] = await Promise.all([desk.place({ path }), desk.place({ path })]);
    expect(placed).toMatchObject({
      path: join(desk.library.root, goalOfTwo.replace(".cbz", ".zip")),
      libraryId: desk.library.libraryId,
      issueId: desk.issues.get("2"),
      replaced: [],
    });
    expect(again).toEqual(placed);
    expect(await holdingsOf(desk, "2")).toEqual([goalOfTwo.replace(".cbz", ".zip")]);
    expect(await readFile(placed.path)).toEqual(await readFile(path));
    expect(Math.abs((await stat(placed.path)).mtimeMs - (await stat(path)).mtimeMs)).toBeLessThan(2);
    expect(await desk.filesInLibrary()).toHaveLength(1);
    expect((await desk.library.scan()).message).toBe("Comics: 0 looked into, 0 moved, 0 gone");
    const other = await desk.comic("other.cbz");
    await expect(desk.place({ path: other, key: path })).rejects.toMatchObject({ code: "files/key-used" });
    await desk.library.host.restart();
    expect(await desk.place({ path })).toEqual(placed);
  });

  it.each(["/dev/shm", tmpdir()])("moves and links from %s", async (parent) => {
    if (!existsSync(parent)) return;
    await using desk = await openDesk(parent);
    const moved = await desk.comic("moved.cbz");
    const bytes = await readFile(moved);
    const two = await desk.place({ path: moved, mode: "move" });
    expect(await readFile(two.path)).toEqual(bytes);
    expect(existsSync(moved)).toBe(false);
    const linked = await desk.comic("linked.cbz");
    const three = await desk.place({ path: linked, mode: "link", issueId: desk.issues.get("3")! });
    const [there, here] = [await stat(linked), await stat(three.path)];
    expect(here.ino === there.ino).toBe(here.dev === there.dev);
    expect(await readFile(three.path)).toEqual(await readFile(linked));
    expect(await desk.filesInLibrary()).toEqual([
      "Moth Patrol (2019)/Moth Patrol 002 (2019).cbz",
      "Moth Patrol (2019)/Moth Patrol 003 (2019).cbz",
    ]);
  });

  it("takes a folder of pages as one work, from another disk as well", async () => {
    await using desk = await openDesk(existsSync("/dev/shm") ? "/dev/shm" : tmpdir());
    const folder = join(desk.inbox, "pages");
    await mkdir(folder);
    for (const [name, bytes] of await comicEntries({ series: "Moth Patrol", number: "2", pages: 3 }))
      await writeFile(join(folder, name), bytes);
    const placed = await desk.place({ path: folder, mode: "move" });
    expect(existsSync(folder)).toBe(false);
    expect((await readdir(placed.path)).sort()).toEqual(["001.jpg", "002.jpg", "003.jpg"]);
    const [holding] = await desk.library.host.use(Collection).listHoldings(placed.issueId);
    expect(holding).toMatchObject({ path: placed.path, pages: 3, valid: true });
  });

  it("replaces only what it is told to, by way of the trash, and can be undone", async () => {
    await using desk = await openDesk();
    const old = await desk.place({ path: await desk.comic("old.cbz", 3) });
    const shorter = await desk.comic("shorter.cbz", 2);
    await expect(desk.place({ path: shorter })).rejects.toMatchObject({ code: "files/owned-already" });
    await expect(desk.place({ path: shorter, replaces: "worse" })).rejects.toMatchObject({ code: "files/not-better" });
    const longer = await desk.comic("longer.cbz", 4);
    const placed = await desk.place({ path: longer, replaces: "worse" });
    expect(placed).toMatchObject({ path: old.path, issueId: old.issueId, replaced: [expect.any(String)] });
    expect(await readFile(placed.path)).toEqual(await readFile(longer));
    expect(await readFile(placed.replaced[0]!)).toEqual(await readFile(join(desk.inbox, "old.cbz")));
    expect(await holdingsOf(desk, "2")).toEqual([goalOfTwo]);
    const undone = await desk.library.host.as("admin").post(`/api/library/moves/${placed.batchId}/undo`);
    expect(undone.body).toEqual({ moved: 2, failed: [] });
    await expect.poll(() => holdingsOf(desk, "2"), { timeout: 20_000 }).toEqual([goalOfTwo]);
    expect(await readFile(old.path)).toEqual(await readFile(join(desk.inbox, "old.cbz")));
    expect(existsSync(longer)).toBe(true);
  });

  it("finds out by itself what a file is that says so, and does not guess", async () => {
    await using desk = await openDesk();
    const path = join(desk.inbox, "x.cbz");
    const tags = { Series: "Moth Patrol", Number: "3", Volume: 2019 };
    await writeComic(path, { series: "Moth Patrol", number: "3", pages: 1, tags });
    const placed = await desk.place({ path, issueId: undefined });
    expect(placed.issueId).toBe(desk.issues.get("3"));
    const unsure = await desk.comic("Gravel Saints 004.cbz");
    await expect(desk.place({ path: unsure, issueId: undefined })).rejects.toMatchObject({ code: "files/uncertain" });
    expect(await desk.filesInLibrary()).toHaveLength(1);
  });

  it("never overwrites an unknown file", async () => {
    await using desk = await openDesk();
    await mkdir(join(desk.library.root, "Moth Patrol (2019)"));
    await writeFile(join(desk.library.root, goalOfTwo), "a stranger");
    const path = await desk.comic("new.cbz");
    await expect(desk.place({ path, replaces: "always" })).rejects.toMatchObject({ code: "files/place-taken" });
    expect(await readFile(join(desk.library.root, goalOfTwo), "utf8")).toBe("a stranger");
    expect(existsSync(path)).toBe(true);
    await rm(join(desk.library.root, goalOfTwo));
    expect((await desk.place({ path, replaces: "always" })).path).toBe(join(desk.library.root, goalOfTwo));
  });

  it("refuses hostile files by name, and leaves nothing of them", async () => {
    await using desk = await openDesk();
    const bad = async (path: string, code: string, mode: PlaceRequest["mode"] = "copy") =>
      expect(desk.place({ path, key: `${mode} ${path}`, mode })).rejects.toMatchObject({ kind: "bad-input", code });
    await writeFile(join(desk.inbox, "virus.cbz"), "MZ this is a program");
    await symlink("/etc/passwd", join(desk.inbox, "passwd.cbz"));
    await symlink("/etc", join(desk.inbox, "etc"));
    execFileSync("mkfifo", [join(desk.inbox, "pipe.cbz")]);
    const folder = join(desk.inbox, "with a link");
    await mkdir(folder);
    for (const [name, bytes] of await comicEntries({ series: "Moth Patrol", number: "2", pages: 2 }))
      await writeFile(join(folder, name), bytes);
    await symlink("/etc/passwd", join(folder, "003.jpg"));
    for (const path of ["relative.cbz", `${desk.inbox}/../x.cbz`, "/nul\0.cbz", join(desk.inbox, "gone.cbz")])
      await bad(path, "files/bad-path");
    for (const name of ["passwd.cbz", "etc", "pipe.cbz"]) await bad(join(desk.inbox, name), "files/bad-path");
    await bad(join(desk.library.root, "anything.cbz"), "files/bad-path");
    await bad(join(desk.inbox, "virus.cbz"), "files/not-readable");
    for (const mode of ["copy", "link"] as const) await bad(folder, "files/not-a-file", mode);
    const comic = await desk.comic("good.cbz");
    await bad(comic, "files/bad-request", "steal" as never);
    await writeFile(join(desk.inbox, "good.exe"), await readFile(comic));
    expect((await desk.place({ path: join(desk.inbox, "good.exe") })).path).toMatch(/002 \(2019\)\.cbz$/);
    expect(await desk.filesInLibrary()).toEqual([goalOfTwo]);
  });

  it("acts with the rights of the viewer", async () => {
    await using desk = await openDesk();
    const path = await desk.comic("new.cbz");
    const powerless: Viewer = { ...systemViewer, may: (permission) => permission !== "library.manage" };
    await expect(desk.place({ path }, powerless)).rejects.toMatchObject({ kind: "forbidden" });
    const review = desk.library.host.use(FilesImporting).review([path], "For a person.", powerless);
    await expect(review).rejects.toMatchObject({ kind: "forbidden" });
    const [series] = (await desk.library.host.as("admin").get("/api/collection")).body;
    await desk.library.host.as("admin").post(`/api/collection/${series.id}/restricted`, { restricted: true });
    const narrow: Viewer = { ...systemViewer, seesRestricted: false };
    await expect(desk.place({ path }, narrow)).rejects.toMatchObject({
      kind: "not-found",
      code: "files/issue-not-found",
    });
    expect(await desk.filesInLibrary()).toEqual([]);
    expect((await desk.place({ path })).issueId).toBe(desk.issues.get("2"));
  });

  it("hands over to a person what cannot be placed, with the reason, wherever it lies", async () => {
    await using desk = await openDesk();
    const admin = desk.library.host.as("admin");
    const path = await desk.comic("Gravel Saints 004.cbz");
    const importing = desk.library.host.use(FilesImporting);
    const { candidateIds } = await importing.review([path], "The pack does not say what it is.", systemViewer);
    const waiting = (await admin.get("/api/import")).body;
    expect(waiting).toMatchObject([
      { id: candidateIds[0], status: "review", name: "Gravel Saints", files: [{ path, number: "4" }] },
    ]);
    expect(waiting[0].reasons[0]).toBe("The pack does not say what it is.");
    await using folder = await temporaryFolder();
    await admin.post("/api/settings", { files: { importFolder: folder.path } });
    await admin.post("/api/import/scan", {});
    expect((await admin.get("/api/import")).body).toHaveLength(1);
    await admin.post(`/api/import/candidate/${candidateIds[0]}/confirm`);
    expect((await admin.post("/api/import/run", {})).body).toMatchObject({ imported: 1, failed: [] });
    expect(await desk.filesInLibrary()).toEqual(["Gravel Saints/Gravel Saints 004.cbz"]);
    await expect(importing.review(["relative"], "Why.", systemViewer)).rejects.toMatchObject({
      code: "files/bad-path",
      details: { "paths.0": expect.any(String) },
    });
  });

  it("names a damaged archive as such", async () => {
    await using desk = await openDesk();
    const path = join(desk.inbox, "cut.cbz");
    const whole = zip(await comicEntries({ series: "Moth Patrol", number: "2", pages: 2 }));
    await writeFile(path, whole.subarray(0, whole.length / 2));
    await expect(desk.place({ path })).rejects.toMatchObject({
      code: "files/not-readable",
      details: { path: expect.stringMatching(/\.$/) },
    });
  });
});

async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "longbox-files-empty-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

describe("placing a file while the plugin of its format is being started", () => {
  it("waits for the format; once all plugins run, a file of no format is refused at once", async () => {
    const entered = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    let isLate = false;
    const lateFormat = textFormatAfter(async () => {
      if (!isLate) return;
      entered.resolve();
      await opened.promise;
    });
    await using library = await startLibrary({
      type: "text",
      plugins: [textTypes, lateFormat],
      fill: (root) => writeFile(join(root, "low.txt"), "tide 1 Ebb"),
    });
    const [series] = (await library.host.as("admin").get("/api/collection")).body as { id: number }[];
    const [issue] = await library.host.use(Collection).listIssues(series!.id, systemViewer);
    const inbox = await mkdtemp(join(tmpdir(), "longbox-files-inbox-"));
    const place = async (name: string, text: string) => {
      const path = join(inbox, name);
      await writeFile(path, text);
      const request = { path, key: name, mode: "copy", issueId: issue!.id, replaces: "always" } as const;
      return library.host.use(FilesImporting).place(request, systemViewer);
    };
    await library.host.disable("text-format");
    await expect(place("early.txt", "tide 1 Flow")).rejects.toMatchObject({ code: "files/not-readable" });
    isLate = true;
    const enabling = library.host.enable("text-format");
    await entered.promise;
    const outcome = place("late.txt", "tide 1 Flow").catch((thrown: unknown) => thrown);
    // What is asked after it and refused for another reason has been looked into after it.
    const comic = join(inbox, "other.cbz");
    await writeComic(comic, { series: "Moth Patrol", number: "1", pages: 2 });
    const request = { path: comic, key: "comic", mode: "copy" } as const;
    await expect(library.host.use(FilesImporting).place(request, systemViewer)).rejects.toThrow();
    opened.resolve();
    await enabling;
    expect(await outcome).toMatchObject({ issueId: issue!.id });
    await rm(inbox, { recursive: true, force: true });
  });
});
