import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CurrentFile, sharedCurrentFile } from "../../src/inspecting/current-file.js";
import { FileInspector } from "../../src/inspecting/file-inspector.js";
import { LoadedFormats } from "../../src/inspecting/loaded-formats.js";
import type { FileReading } from "../../src/contract.js";
import type { FromWorker, KnownFile, ScanOutcome } from "../../src/scan/messages.js";
import { scanRoot } from "../../src/scan/scan-thread.js";

export interface ScanHere {
  readonly root: string;
  readonly known?: Map<string, KnownFile>;
  /** What the inspector reads in every file. */
  readonly reading?: FileReading;
  readonly send: (message: FromWorker) => void;
}

/** Scans a folder of texts in this thread, as the scanning thread does. */
export async function scanHere({ root, known = new Map(), reading = {}, send }: ScanHere): Promise<ScanOutcome> {
  const inspect = () => ({ measure: { kind: "fraction" as const }, tagged: false, reading });
  const text = { id: "text", extensions: ["txt"], companions: [], inspector: "" };
  const formats = new LoadedFormats([{ ...text, inspect: { matches: () => true, inspect } }], []);
  const inspector = new FileInspector({
    formats,
    current: new CurrentFile(sharedCurrentFile()),
    refused: new Map(),
    longestMs: 1000,
    abandoned: () => undefined,
  });
  const library = { libraryId: 1, rootFolder: root, type: "text", scope: [root] };
  return scanRoot(
    { root: { ...library, everything: false, acceptsEmpty: false }, known, formats, inspector, read: new Set() },
    { send, untilRoom: async () => {}, cancelled: () => false },
  );
}

export async function makeFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), "longbox-files-here-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
