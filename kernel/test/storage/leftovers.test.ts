import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { unlessMissing } from "@longbox/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Bench, temporaryFolder, until } from "../plugins/support.js";
import { Program } from "../plugins/program.js";

const longbox = fileURLToPath(import.meta.resolve("@longbox/kernel").replace(/index\.js$/, "bin/longbox.js"));
const secret = "a-secret-that-nobody-may-find";

/** Every file below a folder, hidden ones too. */
async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const paths = names.map((name) => join(folder, name));
  const kinds = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)));
  return paths.filter((_, index) => kinds[index]?.isFile());
}

async function filesWithSecret(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const path of await filesIn(folder)) {
    // A running server may replace a document meanwhile.
    const content = await unlessMissing(readFile(path));
    if (content?.includes(secret)) found.push(path);
  }
  return found;
}

const hiddenIn = async (folder: string) =>
  (await readdir(folder).catch(() => [])).filter((name) => name.startsWith("."));

/** Runs a command of the program until something hidden lies in a folder, and kills it at that instant. */
async function killedOnceHiddenIn(folder: string, data: string, ...parameters: string[]): Promise<void> {
  const child = spawn(process.execPath, [longbox, ...parameters], {
    env: { ...process.env, LONGBOX_DATA: data },
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  await until(async () => (await hiddenIn(folder)).length > 0);
  child.kill("SIGKILL");
  await ended;
  expect(await hiddenIn(folder)).toHaveLength(1);
}

describe("a server that is killed", () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
    await bench.publish({
      id: "messy",
      head: `import { randomBytes } from "node:crypto"; import { mkdtemp, writeFile } from "node:fs/promises"; import { tmpdir } from "node:os"; import { join } from "node:path";`,
      activate: `const folder = await context.storage.temporaryFolder();
        context.routes([defineRoute({ method: "POST", path: "/api/messy/work", access: "viewer", summary: "makes a mess", handle: async () => {
          const other = await mkdtemp(join(tmpdir(), "library-"));
          for (const each of [folder, other]) await writeFile(join(each, "work"), ${JSON.stringify(secret.split("-"))}.join("-"));
          for (let part = 0; part < 6; part += 1) await writeFile(join(context.storage.folder, "large" + part), randomBytes(20_000_000));
          return { folder, other };
        } })]);`,
    });
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  const start = (data: string) => Program.start({ LONGBOX_DATA: data, LONGBOX_REGISTRY: bench.registry.url });

  it("leaves nothing of what plugins, libraries and a backup needed for a while, after the next start", async () => {
    await using folder = await temporaryFolder();
    const data = join(folder.path, "data");
    {
      await using program = await start(data);
      await program.admin.post("/api/plugins/install", { name: "@longbox-test/messy", accept: true });
      const places = (await program.admin.post("/api/messy/work")).body as { folder: string; other: string };
      for (const place of Object.values(places)) expect(place.startsWith(`${join(data, "temporary")}/`)).toBe(true);
      const backup = program.admin.post("/api/backup").catch(() => undefined);
      await until(async () => (await hiddenIn(join(data, "backups"))).length > 0);
      await program.kill();
      await backup;
    }
    expect(await filesWithSecret(data)).toHaveLength(2);
    expect(await hiddenIn(join(data, "backups"))).toHaveLength(1);
    await using again = await start(data);
    expect(await filesWithSecret(data)).toEqual([]);
    expect(await filesIn(join(data, "temporary"))).toEqual([]);
    expect(await readdir(join(data, "backups"))).toEqual([]);
    expect((await again.admin.get("/api/plugins/messy")).body.state).toBe("active");
  });

  it("or a command that is, leaves nothing beside its goal after the next start", async () => {
    await using folder = await temporaryFolder();
    const [data, goals, restored] = ["data", "goals", "restored/data"].map((name) => join(folder.path, name)) as [
      string,
      string,
      string,
    ];
    {
      await using program = await start(data);
      await program.admin.post("/api/plugins/install", { name: "@longbox-test/messy", accept: true });
      await program.admin.post("/api/messy/work");
    }
    const archive = join(goals, "backup.tar.gz");
    await killedOnceHiddenIn(goals, data, "backup", archive);
    {
      await using program = await start(data);
      expect(await readdir(goals)).toEqual([]);
      expect((await program.admin.get("/api/plugins/messy")).body.state).toBe("active");
    }
    const made = spawn(process.execPath, [longbox, "backup", archive], {
      env: { ...process.env, LONGBOX_DATA: data },
      stdio: "ignore",
    });
    expect(await once(made, "exit")).toEqual([0, null]);
    await killedOnceHiddenIn(join(folder.path, "restored"), restored, "restore", archive);
    await using program = await start(restored);
    expect(await hiddenIn(join(folder.path, "restored"))).toEqual([]);
    expect((await fetch(`${program.url}/healthz`)).status).toBe(200);
  });
});
