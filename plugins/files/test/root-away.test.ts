import { renameSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CurrentFile, sharedCurrentFile } from "../src/inspecting/current-file.js";
import { FileInspector } from "../src/inspecting/file-inspector.js";
import { LoadedFormats } from "../src/inspecting/loaded-formats.js";
import type { KnownFile, ScanRoot } from "../src/scan/messages.js";
import { scanRoot, type ScanConversation } from "../src/scan/scan-thread.js";

const formats = new LoadedFormats(
  [
    {
      id: "text",
      extensions: ["txt"],
      companions: [],
      inspector: "",
      inspect: {
        matches: () => true,
        inspect: () => ({ measure: { kind: "fraction" }, tagged: false, reading: {} }),
      },
    },
  ],
  [],
);

const inspector = new FileInspector({
  formats,
  current: new CurrentFile(sharedCurrentFile()),
  refused: new Map(),
  longestMs: 1000,
  abandoned: () => undefined,
});

async function makeFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), "longbox-files-away-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

describe("a root that goes away in the middle of a scan", () => {
  it("removes nothing", async () => {
    await using temporary = await makeFolder();
    const root = join(temporary.path, "root");
    await mkdir(root);
    for (let number = 1; number <= 3; number++) await writeFile(join(root, `${number}.txt`), "a text");
    const known = new Map<string, KnownFile>(
      ["1.txt", "gone.txt"].map((name) => [
        join(root, name),
        { path: join(root, name), sizeBytes: 1, modifiedMs: 1, tagsMs: 0, format: "text" },
      ]),
    );
    const scan: ScanRoot = {
      libraryId: 1,
      rootFolder: root,
      type: "text",
      scope: [root],
      everything: false,
      acceptsEmpty: false,
    };
    const talk = (onBatch: () => void): ScanConversation => ({
      send: (message) => (message.kind === "batch" ? onBatch() : undefined),
      untilRoom: async () => {},
      cancelled: () => false,
    });
    expect(
      await scanRoot(
        { root: scan, known, formats, inspector, read: new Set() },
        talk(() => renameSync(root, `${root}-away`)),
      ),
    ).toEqual({ ended: "refused", reason: "The library's folder went away during the scan. Nothing was removed." });
    await rename(`${root}-away`, root);
    expect(
      await scanRoot(
        { root: scan, known, formats, inspector, read: new Set() },
        talk(() => {}),
      ),
    ).toEqual({ ended: "complete", missing: [join(root, "gone.txt")], unreadable: [], ignored: [] });
  });
});
