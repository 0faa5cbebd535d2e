import { glob as globAll, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { systemViewer } from "@longbox/sdk";
import { Collection } from "@longbox/collection/contract";
import { startKernelTestHost } from "@longbox/kernel/testing";
import { openShelf } from "./support/shelf.js";

async function glob(folder: string, pattern: string): Promise<string | undefined> {
  for await (const name of globAll(pattern, { cwd: folder })) return join(folder, name);
  return undefined;
}

describe("the collection", () => {
  it("keeps everything over a restart, in the durable store as in memory", async () => {
    await using shelf = await openShelf({ storage: "sqlite" });
    const credits = [{ name: "Ada Quill", role: "writer" }];
    const [one] = await shelf.place({ number: "1", ofIssue: { credits } }, { number: "½" });
    await shelf.host.as("viewer").post(`/api/collection/${one?.seriesId}/follow`);
    const read = async () => (await shelf.host.as("admin").get(`/api/collection/${one?.seriesId}`)).body;
    const before = await read();
    await shelf.host.restart();
    expect(await read()).toEqual(before);
    expect((await shelf.host.as("viewer").get("/api/collection?search=quill&filter=followed")).body).toHaveLength(1);
    expect((await shelf.host.as("viewer").get("/api/wanted?scope=gaps")).body).toEqual([]);
    expect((await shelf.host.as("viewer").get("/api/collection/counts")).body).toMatchObject({
      all: 1,
      followed: 1,
      complete: 1,
    });
  });

  it("builds its search index again when the building was cut off", async () => {
    await using shelf = await openShelf({ storage: "sqlite" });
    await shelf.place({ number: "1" });
    const found = async () => (await shelf.host.as("viewer").get("/api/collection?search=moth")).body.length;
    await shelf.host.stop();
    await shelf.host.tables("collection", (database) => database.deleteFrom("fulltext_series").execute());
    await shelf.host.restart();
    expect(await found()).toBe(0);
    await shelf.host.stop();
    const marker = (await glob(shelf.host.dataFolder, "plugins/data/collection/**/search-index.json")) as string;
    await writeFile(marker, (await readFile(marker, "utf8")).replace("true", "false"));
    await shelf.host.restart();
    expect(await found()).toBe(1);
  });

  it("goes on with the index of a large library while it serves, also after a restart", async () => {
    await using shelf = await openShelf({ storage: "sqlite" });
    const [placed] = await shelf.place({ number: "1" });
    const found = async () => (await shelf.host.as("viewer").get("/api/collection/counts?search=moth")).body.all;
    const begin = async (afterId: number) => {
      await shelf.host.stop();
      await shelf.host.tables("collection", (database) => database.deleteFrom("fulltext_series").execute());
      const marker = (await glob(shelf.host.dataFolder, "plugins/data/collection/**/search-index.json")) as string;
      const kept = JSON.parse(await readFile(marker, "utf8"));
      await writeFile(marker, JSON.stringify({ ...kept, complete: false, afterId }));
      await shelf.host.restart();
    };
    await shelf.host.stop();
    await shelf.host.tables("collection", async (database) => {
      const row = await database.selectFrom("series").selectAll().executeTakeFirstOrThrow();
      const { id: _, cv_id: __, ...series } = row;
      for (let start = 0; start < 5_000; start += 500) {
        const copies = Array.from({ length: 500 }, (_value, index) => ({ ...series, id: 10_001 + start + index }));
        await database
          .insertInto("series")
          .values(copies as never)
          .execute();
      }
    });
    await begin(0);
    await expect.poll(found).toBe(5_001);
    await begin(12_000);
    await expect.poll(found).toBe(3_000);
    expect(placed?.seriesId).toBeLessThan(10_000);
  });

  it("tells clients that it changed", async () => {
    await using shelf = await openShelf();
    const domains = await shelf.host.domains("viewer");
    await shelf.place({ number: "1" });
    await domains.until("collection");
    await shelf.host.as("admin").post(`/api/libraries/${shelf.libraryId}`, { name: "Other" });
    await domains.until("libraries");
    await domains.release();
  });

  it("forgets what a deleted user followed", async () => {
    await using shelf = await openShelf();
    const [one] = await shelf.place({ number: "1" });
    const admin = shelf.host.as("admin");
    const made = await admin.post("/api/users", { username: "bo", password: "a long enough one", role: "viewer" });
    expect(made.status).toBeLessThan(300);
    const signedIn = await fetch(`${shelf.host.url}/api/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: "bo", password: "a long enough one" }),
    });
    const cookie = signedIn.headers.getSetCookie()[0]?.split(";")[0] as string;
    await signedIn.body?.cancel();
    const followed = await fetch(`${shelf.host.url}/api/collection/${one?.seriesId}/follow`, {
      method: "POST",
      headers: { cookie, origin: shelf.host.url },
    });
    expect(await followed.json()).toEqual({ followed: true });
    await shelf.library.removeFiles([]);
    const id = (await admin.get("/api/users")).body.find((user: { username: string }) => user.username === "bo").id;
    expect((await admin.delete(`/api/users/${id}`)).status).toBeLessThan(300);
    await shelf.library.removeFiles([one?.path as string]);
    expect((await admin.get("/api/collection")).body).toEqual([]);
  });

  it("hands what the local admin followed to the first account", async () => {
    await using host = await startKernelTestHost({ plugins: ["collection"], kernel: { setupToken: "token" } });
    const series = { name: "Moth Patrol", folder: "/comics/moth" };
    const [placed] = await host.use(Collection).placeFiles([
      {
        libraryId: 1,
        path: "/comics/moth/1.cbz",
        name: "1.cbz",
        sizeBytes: 1,
        modifiedAt: "2026-01-01T00:00:00.000Z",
        pages: 1,
        valid: true,
        tagged: false,
        series,
        issue: { number: "1", kind: "issue" },
      },
    ]);
    const call = async (path: string, body?: unknown, cookie = "") => {
      const headers = {
        "content-type": "application/json",
        origin: host.url,
        ...(cookie === "" ? { "x-setup-token": "token" } : { cookie }),
      };
      return await fetch(
        host.url + path,
        body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) },
      );
    };
    expect(await (await call(`/api/collection/${placed?.seriesId}/follow`, {})).json()).toEqual({ followed: true });
    const registered = await call("/api/auth/register", { username: "ada", password: "correct horse battery" });
    await registered.body?.cancel();
    const cookie = registered.headers.getSetCookie()[0]?.split(";")[0] as string;
    expect(await (await call("/api/collection", undefined, cookie)).json()).toMatchObject([
      { title: "Moth Patrol", followed: true },
    ]);
  });

  it("gives each reader its neighbours and what came in last", async () => {
    await using shelf = await openShelf();
    const [one, three, ten] = await shelf.place({ number: "1" }, { number: "3" }, { number: "10" });
    const neighbours = await shelf.library.neighbours(three?.issueId as number, systemViewer);
    expect([neighbours.previous?.id, neighbours.next?.id]).toEqual([one?.issueId, ten?.issueId]);
    const last = await shelf.library.listRecentlyAdded({ limit: 2, offset: 0 }, systemViewer);
    expect([last.total, last.items.length]).toEqual([3, 2]);
    const [newest] = await shelf.place({ number: "11" });
    const now = await shelf.library.listRecentlyAdded({ limit: 2, offset: 0 }, systemViewer);
    expect([now.total, now.items.map((issue) => issue.id).includes(newest?.issueId as number)]).toEqual([4, true]);
    expect(await shelf.library.listPublishers(systemViewer)).toEqual([{ publisher: "Lamplight", series: 1 }]);
  });

  it("counts for the statistics, and says its part of the status", async () => {
    await using shelf = await openShelf({ plugins: ["stats"] });
    await shelf.place(
      { number: "1", change: { format: "cbz" } },
      { number: "4", change: { tagged: true, pages: 30, format: "cbz" } },
      { series: "Candle", number: "1", change: { valid: false, format: "cbr" } },
    );
    const viewer = shelf.host.as("viewer");
    const { body } = await viewer.get("/api/stats");
    expect(body.files).toEqual({
      total: 3,
      valid: 2,
      corrupt: 1,
      tagged: 1,
      untagged: 2,
      bytes: 3000,
      pages: 74,
      formats: { cbz: 2, cbr: 1, pdf: 0, other: 0 },
    });
    expect(body.collection).toMatchObject({
      series: 2,
      ownedIssues: 3,
      byPublisher: [{ publisher: "Lamplight", series: 2, issues: 3, files: 3, bytes: 3000 }],
    });
    const topGaps = [{ id: expect.any(Number), title: "Moth Patrol", owned: 2, total: 4, missing: 2 }];
    expect(body.completion).toEqual({ complete: 1, incomplete: 1, missingIssues: 2, cvIssuesTotal: 0, topGaps });
    expect((await viewer.get("/api/status")).body).toMatchObject({ counts: { all: 2, problems: 1 }, followed: 0 });
  });

  it("puts the libraries into the support package, and nothing of what is in them", async () => {
    await using shelf = await openShelf({ plugins: ["operations"] });
    await shelf.place({ number: "1" });
    const packed = unzipSync((await shelf.host.as("admin").get("/api/support/package")).bytes);
    const libraries = strFromU8(packed["libraries.json"]!);
    expect(JSON.parse(libraries)).toMatchObject({
      libraries: [{ id: shelf.libraryId, rootFolder: join(shelf.root, "comics") }],
      series: { all: 1 },
    });
    expect(libraries).not.toContain("Moth");
  });

  it("reports the folders of libraries to the health checks, and recounts as a tool", async () => {
    await using shelf = await openShelf({ plugins: ["operations"] });
    const admin = shelf.host.as("admin");
    const finding = async () => {
      const { body } = await admin.get("/api/health/checks");
      return (body.checks ?? body).find((check: { id: string }) => check.id === `library-root-${shelf.libraryId}`)
        ?.level;
    };
    expect(await finding()).toBe("warning");
    await writeFile(join(shelf.root, "comics", "1.cbz"), "");
    expect(await finding()).toBe("ok");
    await rm(join(shelf.root, "comics"), { recursive: true });
    expect(await finding()).toBe("error");
    await shelf.place({ number: "1" });
    expect((await admin.post("/api/tools/reindex-series", {})).status).toBeLessThan(300);
    await expect.poll(async () => (await admin.get("/api/jobs")).body[0]?.state, { timeout: 60_000 }).toBe("done");
    expect((await admin.get("/api/collection?search=moth")).body).toMatchObject([{ owned: 1 }]);
  });
});
