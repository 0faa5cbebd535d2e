import { hash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { writeComic } from "@longbox/test/fixtures";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { partialMd5, type EReader } from "./support/e-reader.js";
import { openSyncDesk, type SyncDesk } from "./support/sync-desk.js";

let desk: SyncDesk;
let moth: number;
beforeAll(async () => {
  desk = await openSyncDesk();
  moth = await desk.issueOf("Moth Patrol");
});
afterAll(() => desk[Symbol.asyncDispose]());
beforeEach(async () => desk.reading.mark(await desk.viewer("viewer"), [moth], false));

const phone = { device: "Pixel", device_id: "FFFF000011112222" };
const stateOf = async (issueId: number, role = "viewer") =>
  (await desk.reading.find(await desk.viewer(role), [issueId]))[0];
const reportAs = async (device: string, page: number, more: object = {}) =>
  desk.reading.report(await desk.viewer("viewer"), moth, {
    position: { kind: "page", page, pages: 8 },
    device,
    ...more,
  });

describe("a position in a comic", () => {
  it("goes from an e-reader to the server, and to another e-reader", async () => {
    const kobo = await desk.reader("viewer");
    const document = desk.documents.comic;
    expect(await kobo.pull(document)).toMatchObject({ status: 200, body: {} });
    const before = Math.floor(Date.now() / 1000);
    const metadata = { title: "Moth Patrol", authors: "Ada Quill" };
    const pushed = await kobo.push(document, { progress: "3", percentage: 0.375, metadata });
    expect(pushed).toMatchObject({ status: 200, body: { document } });
    expect(pushed.body.timestamp).toBeGreaterThanOrEqual(before);
    expect(await stateOf(moth)).toMatchObject({
      position: { kind: "page", page: 2, pages: 8 },
      device: "Kobo_nova (A1B2C3D4)",
    });
    const other = await desk.reader("viewer", phone);
    const { timestamp } = pushed.body;
    const expected = { document, progress: "3", percentage: 0.375, ...kobo.device, timestamp };
    expect((await other.pull(document)).body).toEqual(expected);
    expect((await other.pull(document.toUpperCase())).body).toMatchObject({ progress: "3" });
  });

  it("comes from the browser to e-readers", async () => {
    const kobo = await desk.reader("viewer");
    await reportAs("web", 5);
    expect((await kobo.pull(desk.documents.comic)).body).toMatchObject({
      progress: "6",
      percentage: 0.75,
      device: "web",
      device_id: "longbox",
    });
    const viewer = await desk.viewer("viewer");
    await desk.reading.mark(viewer, [moth], true);
    expect((await kobo.pull(desk.documents.comic)).body).toMatchObject({ progress: "8", percentage: 1 });
    await desk.reading.mark(viewer, [moth], false);
    expect((await kobo.pull(desk.documents.comic)).body).toEqual({});
  });

  it("belongs to one user", async () => {
    const [one, other] = [await desk.reader("trusted"), await desk.reader("admin")];
    await one.push(desk.documents.comic, { progress: "2", percentage: 0.25 });
    expect((await other.pull(desk.documents.comic)).body).toEqual({});
  });
});

describe("two devices", () => {
  let kobo: EReader;
  let pixel: EReader;
  const document = () => desk.documents.comic;
  beforeEach(async () => {
    kobo = await desk.reader("viewer");
    pixel = await desk.reader("viewer", phone);
    kobo = await desk.reader("viewer");
    // The last password is the one that counts, for both.
    pixel.call = (method, path, request) => kobo.call(method, path, request);
  });

  it("agree on the furthest position; each can go back itself", async () => {
    await kobo.push(document(), { progress: "3", percentage: 0.375 });
    await pixel.push(document(), { progress: 5, percentage: 0.625 });
    await kobo.push(document(), { progress: "4", percentage: 0.5 });
    expect((await kobo.pull(document())).body).toMatchObject({ progress: "5", percentage: 0.625, ...phone });
    await pixel.push(document(), { progress: 2, percentage: 0.25 });
    expect((await kobo.pull(document())).body).toMatchObject({ progress: "2", ...phone });
  });

  it("do not undo what the user did in the browser by repeating themselves", async () => {
    await kobo.push(document(), { progress: "7", percentage: 0.875 });
    await reportAs("web", 1, { mayGoBack: true });
    const repeated = await kobo.push(document(), { progress: "7", percentage: 0.875 });
    expect(repeated.status).toBe(200);
    expect((await pixel.pull(document())).body).toMatchObject({ progress: "2", device: "web" });
    await desk.reading.mark(await desk.viewer("viewer"), [moth], false);
    await kobo.push(document(), { progress: "7", percentage: 0.875 });
    expect((await pixel.pull(document())).body).toEqual({});
    await kobo.push(document(), { progress: "1", percentage: 0.125 });
    expect((await pixel.pull(document())).body).toMatchObject({ progress: "1" });
  });

  it("may report late: what is older than the device's last report changes nothing", async () => {
    const anHourAgo = Math.floor(Date.now() / 1000) - 3600;
    await kobo.push(document(), { progress: "6", percentage: 0.75 });
    await kobo.push(document(), { progress: "2", percentage: 0.25, timestamp: anHourAgo });
    expect((await pixel.pull(document())).body).toMatchObject({ progress: "6" });
    await pixel.push(document(), { progress: "8", percentage: 1, timestamp: 1_000_000_000 });
    expect(await stateOf(moth)).toMatchObject({ completed: false, position: { page: 5 } });
  });

  it("may have wrong clocks", async () => {
    const now = Date.now() / 1000;
    const future = await kobo.push(document(), { progress: "4", percentage: 0.5, timestamp: now + 9e6 });
    expect(future.body.timestamp).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));
    const unset = await pixel.push(document(), { progress: "5", percentage: 0.625, timestamp: 60 });
    expect(unset.body.timestamp).toBeGreaterThanOrEqual(Math.floor(now));
    expect((await kobo.pull(document())).body).toMatchObject({ progress: "5" });
  });
});

describe("reading again", () => {
  it("begins when an e-reader reads the beginning a day after the end", async () => {
    const [kobo, viewer] = [await desk.reader("admin"), await desk.viewer("admin")];
    const salt = await desk.issueOf("The Salt Road");
    const finish = (at: string) =>
      desk.reading.report(viewer, salt, { position: { kind: "locator", locator: "", fraction: 1 }, device: "web", at });
    await finish(new Date(Date.now() - 2 * 86_400_000).toISOString());
    expect(await stateOf(salt, "admin")).toMatchObject({ completed: true, fraction: 1 });
    await kobo.push(desk.documents.book, { progress: "/body/p[2]", percentage: 0.02 });
    expect(await stateOf(salt, "admin")).toMatchObject({ completed: false, fraction: 0.02, timesFinished: 1 });
  });

  it("does not begin right after the end: the e-reader is only behind", async () => {
    const kobo = await desk.reader("viewer");
    await reportAs("web", 7);
    await kobo.push(desk.documents.comic, { progress: "1", percentage: 0.05 });
    expect(await stateOf(moth)).toMatchObject({ completed: true, position: { page: 7 } });
  });
});

describe("a document", () => {
  it("is found by the name of its file", async () => {
    const reader = await desk.reader("viewer");
    await reader.push(hash("md5", basename(desk.comic)), { progress: "8", percentage: 1 });
    expect((await reader.pull(desk.documents.comic)).body).toMatchObject({ progress: "8", percentage: 1 });
  });

  it("whose name several files have is the one that the user read last", async () => {
    const reader = await desk.reader("viewer");
    const document = hash("md5", "001.cbz");
    await reader.push(document, { progress: "2", percentage: 0.5 });
    const [bell, tigers] = [await desk.issueOf("Night Bell"), await desk.issueOf("Paper Tigers")];
    expect([await stateOf(bell), await stateOf(tigers)]).toEqual([undefined, undefined]);
    expect((await reader.pull(document)).body).toMatchObject({ progress: "2" });
    await reader.push(await partialMd5(join(desk.folder, "comics/Paper Tigers/001.cbz")), {
      progress: "1",
      percentage: 0.25,
    });
    await reader.push(document, { progress: "3", percentage: 0.75 });
    expect(await stateOf(bell)).toBeUndefined();
    expect(await stateOf(tigers)).toMatchObject({ position: { kind: "page", page: 2 } });
  });

  it("is found by its former contents after the file has changed", async () => {
    const reader = await desk.reader("viewer");
    const path = join(desk.folder, "comics/Night Bell/001.cbz");
    const former = await partialMd5(path);
    // Another size changes the first page, and so the beginning of the file.
    await writeComic(path, { series: "Night Bell", number: "1", pages: 4, size: { width: 170, height: 250 } });
    await desk.scan();
    expect(await partialMd5(path)).not.toBe(former);
    await reader.push(former, { progress: "3", percentage: 0.75 });
    expect((await reader.pull(await partialMd5(path))).body).toMatchObject({ progress: "3", percentage: 0.75 });
  });

  it("that the library does not have is synchronised between e-readers, and adopted once it has", async () => {
    const reader = await desk.reader("viewer");
    const later = join(desk.folder, "later");
    await mkdir(later);
    const path = join(later, "Late Arrival.txt");
    await writeFile(path, "Title: Late Arrival\n\nAt last.\n".repeat(300));
    const document = await partialMd5(path);
    await reader.push(document, { progress: "/body/p[3]", percentage: 0.4 });
    expect((await reader.pull(document)).body).toMatchObject({ progress: "/body/p[3]", ...reader.device });
    await desk.addLibrary("Later", "text", later);
    expect((await reader.pull(document)).body).toMatchObject({ progress: "/body/p[3]", percentage: 0.4 });
    expect(await stateOf(await desk.issueOf("Late Arrival"))).toMatchObject({ fraction: 0.4 });
  });

  it("is hidden like one that the library does not have", async () => {
    const [reader, admin] = [await desk.reader("viewer"), desk.host.as("admin")];
    const { libraries } = (await admin.get("/api/libraries")).body;
    const { id } = libraries.find(({ type }: { type: string }) => type === "comic");
    await reportAs("web", 5);
    await admin.post(`/api/libraries/${id}`, { restricted: true });
    expect(await reader.push(desk.documents.comic, { progress: "1", percentage: 0.125 })).toMatchObject({
      status: 200,
    });
    expect((await reader.pull(desk.documents.comic)).body).toMatchObject({ progress: "1", ...reader.device });
    await admin.post(`/api/libraries/${id}`, { restricted: false });
    expect(await stateOf(moth)).toMatchObject({ position: { page: 5 } });
  });
});

describe("a position in a text", () => {
  it("goes from an e-reader to the browser as a fraction, and comes back as it was", async () => {
    const reader = await desk.reader("viewer");
    const place = "/body/DocFragment[4]/body/p[22]/text().14";
    await reader.push(desk.documents.book, { progress: place, percentage: 0.2 });
    expect((await reader.pull(desk.documents.book)).body).toMatchObject({ progress: place, percentage: 0.2 });
    expect(await stateOf(await desk.issueOf("The Salt Road"))).toMatchObject({ fraction: 0.2 });
  });

  it("comes from the browser as the nearest place that KOReader understands", async () => {
    const [reader, viewer] = [await desk.reader("viewer"), await desk.viewer("viewer")];
    const salt = await desk.issueOf("The Salt Road");
    const readInBrowser = async (locator: string, fraction: number) => {
      await desk.reading.report(viewer, salt, { position: { kind: "locator", locator, fraction }, device: "web" });
      return (await reader.pull(desk.documents.book)).body;
    };
    // In the part that an e-reader reported, its own position is nearer than the beginning of the part.
    expect(await readInBrowser("epubcfi(/6/8[c4]!/4/2/1:0)", 0.22)).toMatchObject({
      progress: "/body/DocFragment[4]/body/p[22]/text().14",
      percentage: 0.22,
      device: "web",
    });
    expect(await readInBrowser("epubcfi(/6/14!/4/2/1:0)", 0.5)).toMatchObject({
      progress: "/body/DocFragment[7]/body",
      percentage: 0.5,
    });
    // A notation that says nothing about the parts: the last position of an e-reader stays.
    expect(await readInBrowser("line 900", 0.6)).toMatchObject({
      progress: "/body/DocFragment[4]/body/p[22]/text().14",
      percentage: 0.2,
    });
  });
});
