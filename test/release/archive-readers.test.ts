import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startKernelTestHost } from "@longbox/kernel/testing";
import { publishBuilt, startRegistry, type Registry } from "@longbox/registry";
import { comicEntries, rar } from "@longbox/test/fixtures";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const waiting = { timeout: 60_000, interval: 100 };
let folder: string;
let registry: Registry;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "longbox-archive-readers-"));
  registry = await startRegistry({ folder: join(folder, "registry") });
  for (const name of ["comics", "archive-rar", "archive-7z"])
    await publishBuilt(join(root, "plugins", name), { url: registry.url, token: registry.token });
});
afterAll(async () => {
  await registry?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A server with a library of comics, whose plugins but for `comics` come from the registry. */
async function startServer(fill?: (library: string) => Promise<unknown>) {
  const library = await mkdtemp(join(folder, "library-"));
  await fill?.(library);
  const host = await startKernelTestHost({ plugins: ["operations", "collection", "files"], registry: registry.url });
  const admin = host.as("admin");
  const post = async (path: string, body: unknown) => {
    const answer = await admin.post(path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  const issues = async () => {
    const [series] = (await admin.get("/api/collection")).body;
    return series === undefined ? [] : (await admin.get(`/api/collection/${series.id}`)).body.issues;
  };
  return { host, library, post, issues, [Symbol.asyncDispose]: () => host[Symbol.asyncDispose]() };
}

/** Every file of the installed package, and its notices. */
async function contentOf(dataFolder: string, id: string): Promise<{ files: string[]; notices: string }> {
  const store = join(dataFolder, "plugins", "store");
  const name = (await readdir(store)).find((entry) => entry.startsWith(`${id}@`))!;
  const files = await readdir(join(store, name), { recursive: true });
  return { files, notices: await readFile(join(store, name, "THIRD-PARTY-NOTICES.md"), "utf8") };
}

describe("archive readers from the registry", () => {
  it("are installed and removed while the server serves, and read what waited for them", async () => {
    const entries = await comicEntries({ series: "Night Bell", number: "1", pages: 2 });
    await using server = await startServer(async (library) => {
      await mkdir(join(library, "Night Bell"));
      await writeFile(join(library, "Night Bell", "Night Bell 001.cbr"), rar(entries));
    });
    await server.post("/api/plugins/install", { name: "@longbox/comics" });
    await server.post("/api/libraries", { name: "Comics", type: "comic", rootFolder: server.library });
    const file = async () => (await server.issues())[0]?.files[0];
    await vi.waitUntil(file, waiting);
    expect(await file()).toMatchObject({
      valid: false,
      error: expect.stringMatching(/^No reader for RAR is installed\./),
    });

    await server.post("/api/plugins/install", { name: "@longbox/archive-rar" });
    await vi.waitUntil(async () => (await file()).valid, waiting);
    expect(await file()).toMatchObject({ pages: 2 });

    await server.post("/api/plugins/uninstall", { name: "archive-rar" });
    expect((await server.issues())[0].files).toHaveLength(1);
  });

  it("carry what is under other licences, with its notices, and comics does not", async () => {
    await using server = await startServer();
    for (const name of ["comics", "archive-rar", "archive-7z"])
      await server.post("/api/plugins/install", { name: `@longbox/${name}` });
    const { dataFolder } = server.host;
    const comics = await contentOf(dataFolder, "comics");
    expect(comics.files.filter((name) => /7z|unrar/i.test(name))).toEqual([]);
    expect(comics.notices).not.toMatch(/7z-wasm|unrar/i);
    const sevenZip = await contentOf(dataFolder, "archive-7z");
    expect(sevenZip.files).toContain(join("node_modules", "7z-wasm", "7zz.wasm"));
    expect(sevenZip.notices).toMatch(/GNU LGPL[^]*unRAR/);
    const unrar = await contentOf(dataFolder, "archive-rar");
    expect(unrar.files.some((name) => name.endsWith("unrar.wasm"))).toBe(true);
    expect(unrar.notices).toMatch(/node-unrar-js/);
  });
});
