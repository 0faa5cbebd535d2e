import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Catalog, Collection } from "@longbox/collection/contract";
import { startKernelTestHost } from "@longbox/kernel/testing";
import { publishBuilt, startRegistry } from "@longbox/registry";
import { systemViewer } from "@longbox/sdk";
import { comicEntries, zip } from "@longbox/test/fixtures";
import { expect, it } from "vitest";

const volume = {
  cvId: 5001,
  title: "Moth Patrol",
  publisher: "Lamplight",
  year: 2019,
  aliases: [],
  status: "ended" as const,
  issues: [{ cvIssueId: 50_013, number: "3" }],
};

it("is installed by its id, tried, searched, downloaded from, and removed again", { timeout: 180_000 }, async () => {
  const data = await mkdtemp(join(tmpdir(), "longbox-source-"));
  const file = await zip(await comicEntries({ series: "Moth Patrol", number: "3", pages: 2 }));
  const name = "Moth Patrol 003 (2019).cbz";
  const server = createServer((request, response) => {
    if (request.url === "/comics/index.json") response.end(JSON.stringify([{ file: name, bytes: file.length }]));
    else if (request.url === `/comics/${encodeURIComponent(name)}`) response.end(file);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/comics`;
  try {
    const root = join(data, "comics");
    await mkdir(root);
    await using registry = await startRegistry({ folder: join(data, "registry") });
    await publishBuilt(join(import.meta.dirname, ".."), registry);
    await using host = await startKernelTestHost({
      plugins: ["operations", "imaging", "collection", "files", "comics", "downloads"],
      registry: registry.url,
      settings: { files: { watchFolders: false }, downloads: { minMegabytes: 0, keepFreeMegabytes: 0 } },
    });
    const admin = host.as("admin");
    expect((await admin.get("/api/sources/catalog")).body.sources).toMatchObject([
      { id: "example-source", name: "Folder on the web", carries: "comics", installed: false, updateAvailable: false },
    ]);
    const install = await admin.post("/api/sources/install", { id: "example-source" });
    expect(install).toMatchObject({ status: 200, body: { installed: "example-source", restartRequired: false } });
    const test = (values: object) => admin.post("/api/sources/example-source/test", values);
    expect((await test({ address })).body).toEqual({ ok: true, message: "The index names 1 files." });
    expect((await test({ address: `${address}/none` })).body).toMatchObject({ ok: false });
    await admin.post("/api/settings", { "example-source": { address } });
    expect((await host.as("viewer").get("/api/sources")).body).toMatchObject([
      { id: "example-source", kind: "site", enabled: true },
    ]);
    await admin.post("/api/libraries", { name: "Comics", type: "comic", rootFolder: root });
    const { seriesId } = await host.use(Catalog).addVolume(volume, { viewer: systemViewer, download: false });
    const listIssues = () => host.use(Collection).listIssues(seriesId, systemViewer);
    const [issue] = await listIssues();
    expect((await admin.post("/api/download", { issueIds: [issue!.id] })).body).toEqual({ queued: 1 });
    await expect.poll(async () => (await listIssues())[0]?.owned, { timeout: 60_000 }).toBe(true);
    expect((await readdir(root, { recursive: true })).some((path) => path.endsWith(".cbz"))).toBe(true);
    expect((await admin.post("/api/sources/uninstall", { id: "example-source" })).body).toMatchObject({
      removed: "example-source",
      restartRequired: false,
    });
    expect((await admin.get("/api/sources")).body).toEqual([]);
    expect((await admin.post("/api/sources/uninstall", { id: "example-source" })).status).toBe(404);
    expect((await admin.post("/api/sources/install", { id: "reader" })).status).toBe(404);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(data, { recursive: true, force: true });
  }
});
