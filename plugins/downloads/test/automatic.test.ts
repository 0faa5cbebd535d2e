import { Catalog } from "@longbox/collection/contract";
import { systemViewer } from "@longbox/sdk";
import { afterEach, describe, expect, it, vi } from "vitest";
import { comic, openDownloadDesk, runSchedule, until, volume, type DownloadDesk } from "./support/download-desk.js";

afterEach(() => void vi.useRealTimers());

const goOn = (hours: number): void => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + hours * 3_600_000 });
};

/** Nothing is left to be searched for. */
const isIdle = async (desk: DownloadDesk): Promise<boolean> => (await desk.queue()).items.length === 0;

describe("the schedule that searches", () => {
  it("queues so many wanted issues a day, the next ones the day after, and gets them", async () => {
    await using desk = await openDownloadDesk({ settings: { downloads: { perDay: 2 } } });
    for (let number = 1; number <= 4; number++) desk.offer(String(number), await comic(String(number)));
    expect(await runSchedule(desk, "downloads.search")).toBe("2 items queued");
    await until(async () => (await desk.host.as("admin").get("/api/history")).body.total === 2);
    expect(await runSchedule(desk, "downloads.search")).toBe("0 items queued");
    goOn(25);
    expect(await runSchedule(desk, "downloads.search")).toBe("2 items queued");
    await desk.owns("1", "2", "3", "4");
  });

  it("leaves what a person took out of the queue, and what is switched off", async () => {
    await using desk = await openDownloadDesk({ settings: { downloads: { perDay: 12 } } });
    const admin = desk.host.as("admin");
    await admin.post("/api/queue/pause");
    await admin.post("/api/download", { issueIds: [await desk.issueId("1")] });
    const { id } = await desk.item("1");
    expect((await admin.post(`/api/queue/cancel/${id}`)).status).toBe(200);
    expect(await runSchedule(desk, "downloads.search")).toBe("11 items queued");
    expect(await desk.item("1")).toBeUndefined();
    await admin.post("/api/queue/clear");
    goOn(48);
    await admin.post("/api/settings", { downloads: { automatic: false } });
    expect(await runSchedule(desk, "downloads.search")).toBe("0 items queued");
  });

  it("waits longer after each search that found nothing", async () => {
    await using desk = await openDownloadDesk({ settings: { downloads: { perDay: 500 } } });
    const searched: number[] = [];
    for (let day = 0; day < 8; day++) {
      const said = await runSchedule(desk, "downloads.search");
      searched.push(Number.parseInt(said, 10));
      await until(() => isIdle(desk));
      goOn(24);
    }
    expect(searched).toEqual([12, 12, 0, 12, 0, 0, 0, 12]);
  });
});

describe("the feed of a source", () => {
  it("gives a wanted issue without a search, once", async () => {
    await using desk = await openDownloadDesk();
    const release = desk.offer("5", await comic("5"));
    desk.source.releases.length = 0;
    desk.source.latest.push(
      release,
      { ...release, guid: "another", title: "Lamp Parade 005 (2019).cbz" },
      { ...release, guid: "late", title: "Moth Patrol 099 (2019).cbz" },
    );
    expect(await runSchedule(desk, "downloads.feeds")).toBe("1 release taken");
    await desk.owns("5");
    expect(desk.source.queries).toEqual([]);
    expect(await runSchedule(desk, "downloads.feeds")).toBe("0 releases taken");
    expect((await desk.host.as("admin").get("/api/history")).body.total).toBe(1);
  });

  it("is read by the other titles of a series, and not of another year's", async () => {
    await using desk = await openDownloadDesk();
    const release = desk.offer("6", await comic("6"));
    desk.source.releases.length = 0;
    desk.source.latest.push(
      { ...release, guid: "old", title: "Moth Patrol (1974) 007 (1974).cbz" },
      { ...release, title: "Night Moths 006 (2019) (Digital).cbz" },
    );
    expect(await runSchedule(desk, "downloads.feeds")).toBe("1 release taken");
    await desk.owns("6");
    expect(await desk.item("7")).toBeUndefined();
  });

  it("gives an annual to the series of annuals", async () => {
    await using desk = await openDownloadDesk();
    const issues = [{ cvIssueId: 60_005, number: "5", coverDate: "2019-08-01" }];
    const annuals = { ...volume, cvId: 5002, title: "Moth Patrol Annual", aliases: [], issues };
    await desk.host.use(Catalog).addVolume(annuals, { viewer: systemViewer, download: false });
    const { seriesId } = (await desk.host.use(Catalog).findByVolumes([5002], systemViewer))[0]!;
    await desk.host.as("admin").post(`/api/collection/${seriesId}/monitor`, { monitored: true, monitor: "all" });
    await desk.host.as("admin").post("/api/queue/pause");
    desk.source.latest.push({ ...desk.offer("5", await comic("5")), title: "Moth Patrol Annual 005 (2019).cbz" });
    expect(await runSchedule(desk, "downloads.feeds")).toBe("1 release taken");
    expect((await desk.queue()).items).toMatchObject([{ seriesId, number: "5" }]);
  });

  it("takes no more than the limit of a day, nothing that a person removed, and nothing while it is switched off", async () => {
    await using desk = await openDownloadDesk({ settings: { downloads: { perDay: 1 } } });
    const admin = desk.host.as("admin");
    await admin.post("/api/queue/pause");
    await admin.post("/api/download", { issueIds: [await desk.issueId("1")] });
    await admin.post(`/api/queue/cancel/${(await desk.item("1")).id}`);
    for (const number of ["1", "2", "3"]) desk.offer(number, await comic(number));
    desk.source.latest.push(...desk.source.releases);
    expect(await runSchedule(desk, "downloads.feeds")).toBe("1 release taken");
    expect((await desk.queue()).items.map(({ number }: { number: string }) => number)).toEqual(["2"]);
    expect(await runSchedule(desk, "downloads.feeds")).toBe("0 releases taken");
    goOn(25);
    await admin.post("/api/settings", { downloads: { automatic: false } });
    expect(await runSchedule(desk, "downloads.feeds")).toBe("0 releases taken");
    await admin.post("/api/settings", { downloads: { automatic: true } });
    expect(await runSchedule(desk, "downloads.feeds")).toBe("1 release taken");
    expect((await desk.queue()).items.map(({ number }: { number: string }) => number)).toEqual(["2", "3"]);
  });
});
