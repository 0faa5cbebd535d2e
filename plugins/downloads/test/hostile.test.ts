import { describe, expect, it } from "vitest";
import { comic, openDownloadDesk, until, type DownloadDesk } from "./support/download-desk.js";

const get = async (desk: DownloadDesk, number: string) =>
  desk.host.as("admin").post("/api/download", { issueIds: [await desk.issueId(number)] });
const blocked = async (desk: DownloadDesk) => (await desk.host.as("admin").get("/api/blacklist")).body.rows;

/** The first release is wrong in some way, the second is right. */
async function secondIsTaken(desk: DownloadDesk, reason: RegExp): Promise<void> {
  desk.offer("3", await comic("3"), { guid: "right", title: "Moth Patrol 003.cbz" });
  await get(desk, "3");
  await desk.owns("3");
  const rows = await blocked(desk);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ source: "Fake", series_title: "Moth Patrol", issue_number: "3" });
  expect(rows[0].reason).toMatch(reason);
  expect(await desk.filesInLibrary()).toHaveLength(1);
}

describe("a server that lies is found out, its release is blocklisted once, and the next one is taken:", () => {
  it("a web page in place of the file", async () => {
    await using desk = await openDownloadDesk();
    desk.offer("3", Buffer.from("<!DOCTYPE html><p>Sign in first</p>"));
    await secondIsTaken(desk, /web page/);
  });

  it("a program in place of a comic", async () => {
    await using desk = await openDownloadDesk();
    desk.offer("3", Buffer.concat([Buffer.from("MZ"), Buffer.alloc(4096, 7)]));
    await secondIsTaken(desk, /It is a program/);
  });

  it("another issue, as its tags say", async () => {
    await using desk = await openDownloadDesk();
    desk.offer("3", await comic("7"));
    await secondIsTaken(desk, /number 7/);
  });

  it("a comic of another series, as its tags say", async () => {
    await using desk = await openDownloadDesk();
    desk.offer("3", await comic("3", 2, "Salt Road"));
    await secondIsTaken(desk, /Salt Road/);
  });

  it.each([
    ["digest", { digest: { algorithm: "sha256", hex: "00".repeat(32) } }, /digest/],
    ["size", { sizeBytes: 123 }, /bytes in place of 123/],
  ] as const)("a file of another %s than promised", async (_, promised, reason) => {
    await using desk = await openDownloadDesk();
    const release = desk.offer("3", await comic("3"));
    const place = { url: release.reference, configuredUrl: desk.files.url };
    desk.source.downloads.set("3", { places: [place], ...promised });
    await secondIsTaken(desk, reason);
  });

  it("a redirect to an address inside the network", async () => {
    await using desk = await openDownloadDesk();
    const bytes = await comic("3");
    const { pathname } = new URL(desk.offer("3", bytes).reference);
    const inside = desk.files.serve("/inside.cbz", bytes).replace("127.0.0.1", "127.0.0.2");
    desk.files.routes.set(pathname, (_, response) => response.writeHead(302, { location: inside }).end());
    await secondIsTaken(desk, /inside this network|own host/);
    expect(desk.files.asked.map(({ url }) => url)).not.toContain("/inside.cbz");
  });

  it("an address inside the network, until an admin allows it", async () => {
    await using desk = await openDownloadDesk();
    desk.source.configuredUrl = "https://elsewhere.example";
    desk.offer("3", await comic("3"));
    await get(desk, "3");
    await until(async () => (await blocked(desk)).length === 1);
    expect((await blocked(desk))[0].reason).toMatch(/inside this network/);
    expect(desk.files.asked).toEqual([]);
    const admin = desk.host.as("admin");
    await until(async () => (await desk.item("3"))?.status === "failed");
    await admin.post("/api/settings", { server: { outgoingAllowed: "127.0.0.1" } });
    expect((await admin.post("/api/blacklist/clear")).body).toEqual({ cleared: 1 });
    await admin.post(`/api/queue/retry/${(await desk.item("3")).id}`);
    await desk.owns("3");
  });

  it("a file that is gone", async () => {
    await using desk = await openDownloadDesk();
    const release = desk.offer("3", await comic("3"));
    desk.files.routes.delete(new URL(release.reference).pathname);
    await secondIsTaken(desk, /404/);
  });
});

describe("a server that cannot answer now", () => {
  it("is asked again after the time that it names, and the release is not blamed", async () => {
    await using desk = await openDownloadDesk();
    const bytes = await comic("3");
    const { pathname } = new URL(desk.offer("3", bytes).reference);
    const whole = desk.files.routes.get(pathname)!;
    const times: number[] = [];
    desk.files.routes.set(pathname, (request, response) => {
      times.push(performance.now());
      if (times.length === 1) response.writeHead(429, { "retry-after": "1" }).end();
      else whole(request, response);
    });
    await get(desk, "3");
    await desk.owns("3");
    expect(times).toHaveLength(2);
    // The clock of timers may be a millisecond early.
    expect(times[1]! - times[0]!).toBeGreaterThan(995);
    expect(await blocked(desk)).toEqual([]);
  });

  it("that breaks off is gone on with where it broke off", async () => {
    await using desk = await openDownloadDesk();
    const bytes = await comic("3", 8);
    const { pathname } = new URL(desk.offer("3", bytes).reference);
    const whole = desk.files.routes.get(pathname)!;
    desk.files.routes.set(pathname, (request, response) => {
      if (request.headers.range !== undefined) return whole(request, response);
      response.writeHead(200, { etag: '"one"', "content-length": bytes.length });
      response.write(bytes.subarray(0, 1000), () => setTimeout(() => response.destroy(), 50));
    });
    await get(desk, "3");
    await desk.owns("3");
    const ranges = desk.files.asked.map(({ headers }) => headers.range);
    expect(ranges[0]).toBeUndefined();
    expect(ranges[1]).toMatch(/^bytes=[1-9]\d*-$/);
  });
});

describe("what came from a source", () => {
  it("never shows its keys: in answers, rows and reasons", async () => {
    await using desk = await openDownloadDesk();
    const key = "k3yThatNobodyMayEverSee0123456789";
    const release = desk.offer("3", Buffer.from("nothing"), { guid: `g ${key}` });
    desk.source.releases[0] = { ...release, reference: `${release.reference}?apikey=${key}` };
    desk.source.failure = undefined;
    const admin = desk.host.as("admin");
    const found = await admin.post("/api/search", { seriesId: desk.seriesId, cvIssueId: 50_013 });
    expect(found.body).toHaveLength(1);
    await get(desk, "3");
    await until(async () => (await desk.item("3"))?.status === "failed");
    desk.source.failure = new Error(`It said no to ${release.reference}?apikey=${key}`);
    await admin.post("/api/search", { seriesId: desk.seriesId, cvIssueId: 50_013 });
    const paths = ["queue", "history", "history/failed", "blacklist", "sources", "status", "logs", "settings"];
    const answers = await Promise.all(paths.map((path) => admin.get(`/api/${path}`)));
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
    for (const { body } of [found, ...answers]) expect(JSON.stringify(body)).not.toContain(key);
  });
});
