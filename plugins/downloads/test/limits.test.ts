import { statfs } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { comic, openDownloadDesk, until } from "./support/download-desk.js";
import { FakeClient, fakeIndexer, torrent } from "./support/fake-client.js";

afterEach(() => void vi.useRealTimers());

it("downloads no faster than the limit, which counts at once when it is changed", async () => {
  await using desk = await openDownloadDesk({ settings: { downloads: { kilobytesPerSecond: 50 } } });
  const admin = desk.host.as("admin");
  const padding = randomBytes(250_000);
  const bytes = Buffer.concat([await comic("1"), padding]);
  desk.offer("1", bytes);
  const begun = performance.now();
  await admin.post("/api/download", { issueIds: [await desk.issueId("1")] });
  await until(async () => (await desk.item("1"))?.status === "downloading");
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const { progress } = await desk.item("1");
  const seconds = (performance.now() - begun) / 1000;
  // What has passed, and the piece that waits for its turn.
  expect(progress * bytes.length).toBeLessThan(50_000 * (seconds + 1) + 64 * 1024);
  expect(await desk.filesInLibrary()).toEqual([]);
  await admin.post("/api/settings", { downloads: { kilobytesPerSecond: 0 } });
  await until(
    async () => (await admin.get("/api/history")).body.total === 1 || (await desk.item("1"))?.status === "failed",
  );
});

it("leaves the space free that the settings say, and goes on once there is enough", async () => {
  const { bavail, bsize } = await statfs(tmpdir());
  const keepFreeMegabytes = Math.min(10_000_000, Math.ceil((bavail * bsize) / 1024 ** 2) + 5000);
  await using desk = await openDownloadDesk({ settings: { downloads: { keepFreeMegabytes } } });
  const admin = desk.host.as("admin");
  desk.offer("1", await comic("1"));
  await admin.post("/api/download", { issueIds: [await desk.issueId("1")] });
  await until(async () => (await desk.item("1"))?.error !== null && (await desk.item("1"))?.error !== undefined);
  const { status, error, id, attempts } = await desk.item("1");
  expect({ status, error, attempts }).toEqual({
    status: "queued",
    error: expect.stringMatching(/space/),
    attempts: 0,
  });
  expect((await admin.get("/api/blacklist")).body.total).toBe(0);
  await admin.post("/api/settings", { downloads: { keepFreeMegabytes: 0 } });
  expect((await admin.post(`/api/queue/retry/${id}`)).status).toBe(200);
  await desk.owns("1");
});

describe("at a client", () => {
  const indexer = fakeIndexer([
    torrent("first", "Moth Patrol 001 (2019) (Digital) (First).cbz"),
    torrent("second", "Moth Patrol 001 (2019) (Second).cbz"),
  ]);

  it("a download that stands still for hours is given up, blocklisted, and another release is taken", async () => {
    const folder = await mkdtemp(join(tmpdir(), "longbox-client-"));
    try {
      const client = new FakeClient(folder);
      await using desk = await openDownloadDesk({
        parts: { indexers: [indexer], clients: [client.contribution] },
        settings: { downloads: { stalledHours: 2 } },
      });
      const admin = desk.host.as("admin");
      await admin.post("/api/download", { issueIds: [await desk.issueId("1")] });
      await until(() => client.polls >= 2);
      expect(client.held.size).toBe(1);
      const [first] = client.held.keys();
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3 * 3_600_000 });
      await until(() => client.added === 2);
      const { rows, total } = (await admin.get("/api/blacklist")).body;
      expect(total).toBe(1);
      expect(rows[0].reason).toContain("Nothing came for 2 hours.");
      await until(() => !client.held.has(first!));
      await client.finish({ "Moth Patrol 001 (2019).cbz": await comic("1") });
      await desk.owns("1");
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("is not asked while nothing is under way", async () => {
    const folder = await mkdtemp(join(tmpdir(), "longbox-client-"));
    try {
      const client = new FakeClient(folder);
      await using desk = await openDownloadDesk({ parts: { indexers: [indexer], clients: [client.contribution] } });
      await desk.host.as("admin").post("/api/download", { issueIds: [await desk.issueId("1")] });
      await until(() => client.added === 1);
      await client.finish({ "Moth Patrol 001 (2019).cbz": await comic("1") });
      await desk.owns("1");
      const polls = client.polls;
      await new Promise((resolve) => setTimeout(resolve, 4000));
      expect(client.polls).toBe(polls);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
