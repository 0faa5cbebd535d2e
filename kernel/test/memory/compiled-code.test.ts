import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Program } from "../plugins/program.js";
import { answering, Bench, temporaryFolder } from "../plugins/support.js";

const secret = "the-answer-is-in-a-constant-of-the-module-52163";

describe("compiled code in the data folder", () => {
  let bench: Bench;
  beforeAll(async () => {
    // The run of the tests keeps compiled code as well, elsewhere, and Node keeps it in one place only.
    vi.stubEnv("NODE_COMPILE_CACHE", undefined);
    bench = await Bench.open();
    await bench.publish({
      id: "told",
      head: `export const told = "${secret}";`,
      activate: answering("/api/told", secret),
    });
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await bench[Symbol.asyncDispose]();
  });

  const start = (data: string) => Program.start({ LONGBOX_DATA: data, LONGBOX_REGISTRY: bench.registry.url });
  /** The files of all compiled modules. */
  async function compiled(data: string): Promise<string[]> {
    const folder = path.join(data, "compiled");
    if (!existsSync(folder)) return [];
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  }

  it("is there for the next start, and a start does without it", async () => {
    await using folder = await temporaryFolder();
    await (await start(folder.path))[Symbol.asyncDispose]();
    const files = (await compiled(folder.path)).filter((file) => path.basename(file) !== "made-by");
    // The packed modules of the server are few.
    expect(files.length).toBeGreaterThan(20);
    await Promise.all(files.map((file) => writeFile(file, "nonsense")));
    await using again = await start(folder.path);
    expect((await fetch(`${again.url}/healthz`)).status).toBe(200);
  });

  it("of another version is thrown away", async () => {
    await using folder = await temporaryFolder();
    await (await start(folder.path))[Symbol.asyncDispose]();
    await writeFile(path.join(folder.path, "compiled", "made-by"), "another one");
    await writeFile(path.join(folder.path, "compiled", "left"), "from another version");
    await (await start(folder.path))[Symbol.asyncDispose]();
    expect(existsSync(path.join(folder.path, "compiled", "left"))).toBe(false);
  });

  it("of a plugin goes with its data", async () => {
    await using folder = await temporaryFolder();
    {
      await using first = await start(folder.path);
      expect(
        (await first.admin.post("/api/plugins/install", { name: "@longbox-test/told", accept: true })).status,
      ).toBeLessThan(300);
    }
    const holds = async () =>
      (await Promise.all((await compiled(folder.path)).map((file) => readFile(file)))).some((code) =>
        code.includes(secret),
      );
    expect(await holds(), "the constant is in what is kept").toBe(true);
    {
      await using second = await start(folder.path);
      expect((await second.admin.post("/api/plugins/uninstall", { name: "told", purge: true })).status).toBeLessThan(
        300,
      );
      expect(await holds()).toBe(false);
    }
    expect(await holds()).toBe(false);
  });
});
