import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Collection } from "@longbox/collection/contract";
import { startKernelTestHost } from "@longbox/kernel/testing";
import { publishBuilt, startRegistry } from "@longbox/registry";
import { expect, it, vi } from "vitest";

const root = join(import.meta.dirname, "..", "..");

it("shelves from the registry bring the engine of their names along, and read what was there before", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "longbox-shelves-release-"));
  const registry = await startRegistry({ folder: join(folder.path, "registry") });
  try {
    await publishBuilt(join(root, "plugins/shelves"), { url: registry.url, token: registry.token });
    await using host = await startKernelTestHost({ plugins: ["operations", "collection"], registry: registry.url });
    const admin = host.as("admin");
    const library = await admin.post("/api/libraries", { name: "Comics", type: "comic", rootFolder: folder.path });
    await host.use(Collection).placeFiles([
      {
        libraryId: library.body.id,
        path: join(folder.path, "Night Bell/1.cbz"),
        name: "1.cbz",
        sizeBytes: 1,
        modifiedAt: "2026-01-01T00:00:00.000Z",
        pages: 20,
        valid: true,
        tagged: true,
        series: { name: "Night Bell", folder: join(folder.path, "Night Bell") },
        issue: { number: "1", kind: "issue", credits: [{ name: "Ada Quill", role: "writer" }] },
      },
    ]);
    const installed = await admin.post("/api/plugins/install", { name: "@longbox/shelves" });
    expect(installed.status, JSON.stringify(installed.body)).toBeLessThan(300);
    await vi.waitFor(
      async () =>
        expect((await admin.get("/api/shelves/authors?letter=A&q=quil")).body).toEqual([
          { name: "Ada Quill", count: 1 },
        ]),
      { timeout: 60_000, interval: 100 },
    );
  } finally {
    await registry.stop();
  }
});
