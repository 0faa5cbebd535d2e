import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { needsLongRun, runsLongTests } from "@longbox/test/needs";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const program = join(root, "test/dist/crater/main.js");

interface Outcome {
  readonly code: number;
  readonly summary: string;
  readonly lines: string;
}

function crater(parameters: readonly string[], preload?: string): Promise<Outcome> {
  const flags = preload === undefined ? [] : ["--import", pathToFileURL(preload).href];
  return new Promise((resolve) => {
    const done = (error: Error | null, summary: string, lines: string) =>
      resolve({ code: error === null ? 0 : ((error as { code?: number }).code ?? -1), summary, lines });
    execFile(process.execPath, [...flags, program, ...parameters], { cwd: root, maxBuffer: 2 ** 24 }, done);
  });
}

/** Changes the SDK for one run, in every thread: the files stay as they are. */
async function planted<T>(
  change: { readonly file: string; readonly from: string; readonly to: string },
  run: (preload: string) => Promise<T>,
) {
  const folder = await mkdtemp(join(tmpdir(), "longbox-planted-"));
  const changed = pathToFileURL(join(root, "sdk/dist", change.file)).href;
  expect(await readFile(new URL(changed), "utf8")).toContain(change.from);
  const text = `import { registerHooks } from "node:module";
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (url !== ${JSON.stringify(changed)}) return loaded;
    return { ...loaded, source: String(loaded.source).replace(${JSON.stringify(change.from)}, ${JSON.stringify(change.to)}) };
  },
});
`;
  try {
    await writeFile(join(folder, "plant.mjs"), text);
    return await run(join(folder, "plant.mjs"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe("criterion 29: the crater", () => {
  it("names the plugins that a breaking change of the SDK would break, and no others", async () => {
    const removed = { file: "index.js", from: "listSetting, secretSetting", to: "secretSetting" };
    const { code, summary, lines } = await planted(removed, (preload) => crater(["--only", "seeded"], preload));
    expect([code, summary.trim()]).toEqual([
      1,
      expect.stringMatching(/: 2 would break: (@bo\/longbox-lamps@(1\.0\.0|0\.9\.0)(, |$)){2}/),
    ]);
    expect(lines).toMatch(/FAIL @bo\/longbox-lamps@1\.0\.0\n +is failed: .*'listSetting'/);
    expect(lines).toMatch(/FAIL @bo\/longbox-lamps@0\.9\.0\n +after the upgrade to 1\.0\.0/);
    expect(lines).toContain("ok   notes-of-ann@0.1.0");
  });

  it(
    "finds that every published version works on this kernel, in under five minutes",
    { ...(runsLongTests ? {} : needsLongRun), timeout: 600_000 },
    async () => {
      const began = performance.now();
      const { code, summary, lines } = await crater([]);
      expect([code, summary], lines).toEqual([
        0,
        expect.stringMatching(/^\d+ versions of \d+ plugins in .*: all work\n$/),
      ]);
      expect(Number(/^\d+/.exec(summary)![0])).toBeGreaterThanOrEqual(30);
      expect(performance.now() - began).toBeLessThan(300_000);
    },
  );
});
