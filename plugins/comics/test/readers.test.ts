import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { FilesEngine } from "@longbox/files/contract";
import { ArchiveReaders, Pages, type ArchiveReader } from "@longbox/comics/contract";
import { definePlugin } from "@longbox/sdk";
import { comicEntries, comicInfoXml, rar, writeComic } from "@longbox/test/fixtures";
import { describe, expect, it, vi } from "vitest";
import { startLibrary, type TestLibrary } from "../../files/test/support/library.js";

const waiting = { timeout: 60_000, interval: 50 };
const noReader =
  "No reader for RAR is installed. The package @longbox/archive-rar is one; install it, or switch it on.";

/** A RAR with two pages and tags, and the bytes of its pages. */
async function nightBell(number: string): Promise<{ bytes: Buffer; pages: Uint8Array[] }> {
  const entries = await comicEntries({ series: "Night Bell", number, pages: 2 });
  const tags = Buffer.from(comicInfoXml({ Series: "Night Bell", Number: number, Title: "The Lamp" }));
  return { bytes: rar(new Map([...entries, ["ComicInfo.xml", tags]])), pages: [...entries.values()] };
}

async function file(library: TestLibrary, path: string) {
  const found = (await library.files()).find((one) => one.path === path);
  if (!found) throw new Error(`${path} is not listed.`);
  return found;
}

function untilValid(library: TestLibrary, path: string, timeout = waiting.timeout) {
  return vi.waitUntil(
    async () => {
      const found = (await library.files()).find((one) => one.path === path);
      return found?.valid && found;
    },
    { ...waiting, timeout },
  );
}

describe("a RAR while the server serves", () => {
  it("is listed with the reason without a reader, is read once there is one, and waits while it is off", async () => {
    const { bytes, pages } = await nightBell("7");
    await using library = await startLibrary({ plugins: ["archive-rar"] });
    const { host, root } = library;
    await host.disable("archive-rar");
    await writeFile(join(root, "box 001.cbr"), bytes);
    await library.scan();
    const listed = await file(library, "box 001.cbr");
    expect(listed).toMatchObject({ valid: false, error: noReader, pages: 0 });
    const [read] = await host.use(FilesEngine).findRead([join(root, "box 001.cbr")]);
    expect(read).toMatchObject({ format: undefined, error: noReader, details: { code: "comics/no-reader" } });
    expect(await host.use(Pages).listFormats()).not.toContain("cbr");

    await host.enable("archive-rar");
    const opened = await untilValid(library, "box 001.cbr");
    expect(opened).toMatchObject({ series: "Night Bell", number: "7", pages: 2 });
    expect(opened).not.toHaveProperty("error");
    expect(await host.use(Pages).listFormats()).toContain("cbr");
    const second = await host.use(Pages).readPageBytes(-opened.cvIssueId, 1);
    expect(Buffer.from(second.bytes).equals(pages[1]!)).toBe(true);

    await host.disable("archive-rar");
    const gone = { code: "comics/no-reader", message: noReader, kind: "not-found" };
    await expect(host.use(Pages).readPageBytes(-opened.cvIssueId, 1)).rejects.toMatchObject(gone);
    await expect(host.use(Pages).findPages(-opened.cvIssueId)).rejects.toMatchObject(gone);
    await library.scan({ everything: true });
    expect(await file(library, "box 001.cbr")).toMatchObject({ valid: true, series: "Night Bell", pages: 2 });

    await host.enable("archive-rar");
    await vi.waitUntil(
      async () =>
        (
          await host
            .use(Pages)
            .findPages(-opened.cvIssueId)
            .catch(() => undefined)
        )?.pages.length === 2,
      waiting,
    );
    const again = await host.use(Pages).readPageBytes(-opened.cvIssueId, 1);
    expect(Buffer.from(again.bytes).equals(pages[1]!)).toBe(true);
  });

  it("goes on waiting over a restart, and leaves other comics alone", async () => {
    const { bytes } = await nightBell("8");
    await using library = await startLibrary({ plugins: ["archive-rar"], storage: "sqlite" });
    const { host, root } = library;
    await host.disable("archive-rar");
    await writeFile(join(root, "box 001.cbr"), bytes);
    await writeComic(join(root, "Moth Patrol 001.cbz"), { series: "Moth Patrol", number: "1", pages: 1 });
    await library.scan();
    await host.restart();
    expect((await file(library, "box 001.cbr")).error).toBe(noReader);
    expect((await untilValid(library, "Moth Patrol 001.cbz")).pages).toBe(1);
    await host.enable("archive-rar");
    expect((await untilValid(library, "box 001.cbr")).number).toBe("8");
    expect((await file(library, "Moth Patrol 001.cbz")).pages).toBe(1);
  });
});

/** A reader of another plugin, by a module beside this test. */
function readerPlugin(id: string, reader: Partial<ArchiveReader> = {}) {
  const described: ArchiveReader = {
    id,
    title: id.toUpperCase(),
    format: `cb${id}`,
    extensions: [`cb${id}`],
    contentType: "application/x-made-up",
    magic: [Buffer.from(`${id}!`).toString("hex")],
    module: pathToFileURL(join(import.meta.dirname, "support", "made-up-reader.mjs")).href,
    ...reader,
  };
  return {
    manifest: {
      id: `reads-${id}`,
      title: id,
      description: id,
      sdk: "^1.0.0",
      contributes: { archiveReaders: "^1.0.0" },
    },
    plugin: definePlugin({ activate: (_, context) => void context.contribute(ArchiveReaders, described) }),
  };
}

describe("a reader of another plugin", () => {
  it("adds a kind of archive with its own ending", async () => {
    await using library = await startLibrary({
      plugins: [readerPlugin("ace")],
      fill: (root) => writeFile(join(root, "Night Bell 003.cbace"), "ace!good"),
    });
    const found = await untilValid(library, "Night Bell 003.cbace");
    expect(found).toMatchObject({ series: "Night Bell", number: "3", pages: 2 });
    const page = await library.host.use(Pages).readPageBytes(-found.cvIssueId, 1);
    expect(Buffer.from(page.bytes).toString()).toBe("page 2.jpg");
  });

  it("makes one unreadable file when it fails, lies or hangs, and no more", async () => {
    const sins = ["throws", "lies", "names-nothing", "encrypted", "exits", "hangs", "eats"];
    await using library = await startLibrary({
      plugins: [readerPlugin("ace")],
      settings: { inspectionSeconds: 15 },
      async fill(root) {
        for (const [index, sin] of sins.entries())
          await writeFile(join(root, `Night Bell 00${index + 1}.cbace`), `ace!${sin}`);
        await writeFile(join(root, "Night Bell 009.cbace"), "ace!good");
      },
    });
    await untilValid(library, "Night Bell 009.cbace", 90_000);
    const files = await library.files();
    expect(files.map(({ path, valid }) => [path, valid])).toEqual([
      ...sins.map((_, index) => [`Night Bell 00${index + 1}.cbace`, false]),
      ["Night Bell 009.cbace", true],
    ]);
    expect(files[3]!.error).toBe("The archive is protected by a password.");
    for (const { valid, error } of files) if (!valid) expect(error).toMatch(/^The .*\.$|^Reading .*\.$/);
    expect((await library.host.as("admin").get("/healthz")).status).toBe(200);
  });

  it("gives no page that is a link, is missing, or is larger than the listing says", async () => {
    const sins = ["link", "missing", "larger"];
    await using library = await startLibrary({
      plugins: [readerPlugin("ace")],
      async fill(root) {
        for (const [index, sin] of sins.entries())
          await writeFile(join(root, `Night Bell 00${index + 1}.cbace`), `ace!${sin}`);
      },
    });
    const pages = library.host.use(Pages);
    for (const index of sins.keys()) {
      const { cvIssueId } = await untilValid(library, `Night Bell 00${index + 1}.cbace`);
      await expect(pages.readPageBytes(-cvIssueId, 0), sins[index]).rejects.toMatchObject({
        code: "comics/unreadable",
      });
    }
  });

  it("is not used when it is badly described, claims ZIP, or comes second for a kind", async () => {
    await using library = await startLibrary({
      plugins: [
        readerPlugin("ace"),
        readerPlugin("bad", { magic: ["xyz"] }),
        readerPlugin("far", { module: "https://elsewhere.example/reader.js" }),
        readerPlugin("zip"),
        readerPlugin("twin", { id: "ace" }),
      ],
      fill: (root) => writeComic(join(root, "Moth Patrol 001.cbz"), { series: "Moth Patrol", number: "1", pages: 1 }),
    });
    expect((await untilValid(library, "Moth Patrol 001.cbz")).pages).toBe(1);
    expect((await library.host.use(Pages).listFormats()).toSorted()).toEqual([
      "cbace",
      "cbgz",
      "cbt",
      "cbxz",
      "cbz",
      "comicepub",
      "comicpdf",
      "images",
    ]);
  });
});
