import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { epub } from "../../books/test/support/epub.ts";
import { openKoboDesk, titles, type KoboDesk } from "./support/kobo-desk.ts";

let desk: KoboDesk;
beforeAll(async () => {
  desk = await openKoboDesk();
});
afterAll(() => desk[Symbol.asyncDispose]());

const all = (kind: string) => titles.map((title) => `${kind} ${title}`).sort();

describe("the sequence of a Kobo", () => {
  it("is: first synchronisation, download, nothing new, state, changes, removal", async () => {
    const kobo = await desk.kobo("viewer");
    await desk.choose("viewer", "all");
    const addresses = await kobo.start();
    expect(addresses).toMatchObject({
      image_host: desk.room.host.url,
      image_url_template: `${kobo.endpoint}/v1/books/{ImageId}/thumbnail/{Width}/{Height}/false/image.jpg`,
      library_sync: `${kobo.endpoint}/v1/library/sync`,
    });
    expect((await kobo.sync()).sort()).toEqual(all("NewEntitlement"));
    const id = kobo.idOf("The Salt Road");
    const { metadata, state } = kobo.books.get(id)!;
    expect(metadata).toMatchObject({ Contributors: ["Ada Quill"], Language: "de", EntitlementId: id, RevisionId: id });
    expect(state).toMatchObject({ StatusInfo: { Status: "ReadyToRead" }, CurrentBookmark: { ProgressPercent: 0 } });
    const [download] = metadata.DownloadUrls;
    const file = await kobo.call("GET", download.Url);
    const onDisk = await readFile(join(desk.room.root, "The Salt Road.epub"));
    expect([download.Format, download.Size, file.body.equals(onDisk)]).toEqual(["EPUB3", onDisk.length, true]);
    const image = addresses["image_url_template"]!.replace("{ImageId}", id).replace("{Width}/{Height}", "355/530");
    const cover = await kobo.call("GET", image);
    expect([cover.status, cover.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    expect(await kobo.sync()).toEqual([]);

    expect((await kobo.read(id, 35)).body).toMatchObject({
      RequestResult: "Success",
      UpdateResults: [{ EntitlementId: id, CurrentBookmarkResult: { Result: "Success" } }],
    });
    expect(await kobo.sync()).toEqual([]);
    const [kept] = (await kobo.call("GET", `/v1/library/${id}/state`)).body;
    expect(kept).toMatchObject({
      StatusInfo: { Status: "Reading", TimesStartedReading: 1 },
      CurrentBookmark: { ProgressPercent: 35, Location: { Value: "kobo.35.1", Source: "OEBPS/one.xhtml" } },
    });

    await writeFile(
      join(desk.room.root, "Low Tide.epub"),
      epub({ title: "Low Tide", author: "Ben Oar", text: "New." }),
    );
    await rm(join(desk.room.root, "Moth and Lamp.epub"));
    const moth = kobo.idOf("Moth and Lamp");
    await desk.room.scan();
    expect((await kobo.sync()).sort()).toEqual(["ChangedEntitlement Low Tide", `Removed ${moth}`]);
    expect([...kobo.books.keys()].sort()).toEqual([id, kobo.idOf("Low Tide")].sort());
    expect(await kobo.sync()).toEqual([]);
  });

  it("begins again with everything for a device that was reset", async () => {
    const kobo = await desk.kobo("viewer");
    const first = (await kobo.sync()).sort();
    kobo.syncToken = undefined;
    expect((await kobo.sync()).sort()).toEqual(first);
    kobo.syncToken = Buffer.from('{"typ":1,"ver":null,"ptyp":"SyncToken"}').toString("base64");
    expect((await kobo.sync()).sort()).toEqual(first);
  });
});

describe("an answer that is lost", () => {
  it("is sent again, also one that tells of a removal", async () => {
    const kobo = await desk.kobo("viewer");
    await desk.choose("viewer", "all");
    const lost = await kobo.ask();
    expect((await kobo.sync()).length).toBe(lost.items.length);
    await desk.choose("viewer");
    const removal = await kobo.ask();
    expect(removal.items).toHaveLength(lost.items.length);
    expect((await kobo.sync()).map((told) => told.split(" ")[0])).toEqual(lost.items.map(() => "Removed"));
    expect([await kobo.sync(), kobo.books.size]).toEqual([[], 0]);
    await desk.choose("viewer", "all");
    expect(await kobo.sync()).toHaveLength(lost.items.length);
  });
});

describe("a choice of shelves", () => {
  it("is the read-later shelf at first, and can be lists and kept shelves", async () => {
    const trusted = desk.room.host.as("trusted");
    const kobo = await desk.kobo("trusted");
    expect(await kobo.sync()).toEqual([]);
    const salt = await desk.issueOf("The Salt Road");
    await desk.reading.setLater(await desk.viewer("trusted"), salt, true);
    expect(await kobo.sync()).toEqual(["NewEntitlement The Salt Road"]);

    const { cvIssueId } = Object.values(await desk.room.rows()).find(({ label }) => label.full.includes("Low Tide"))!;
    const list = (await trusted.post("/api/lists", { name: "For the train" })).body;
    await trusted.post(`/api/lists/${list.id}/items`, { cvIssueIds: [cvIssueId] });
    const { shelves } = (await trusted.get("/api/kobo")).body;
    expect(shelves).toEqual([
      { id: "later", title: "Read later", chosen: true },
      { id: "reading", title: "Continue reading", chosen: false },
      { id: `list-${list.id}`, title: "For the train", chosen: false },
      { id: "all", title: "The whole library", chosen: false },
    ]);
    await desk.choose("trusted", `list-${list.id}`);
    const removed = `Removed ${kobo.idOf("The Salt Road")}`;
    expect((await kobo.sync()).sort()).toEqual(["NewEntitlement Low Tide", removed]);
  });

  it("of one user leaves the others alone, and foreign shelves cannot be chosen", async () => {
    const refused = await desk.room.host.as("viewer").post("/api/kobo/shelves", { shelves: ["list-1"] });
    expect(refused).toMatchObject({ status: 400, body: { code: "kobo/no-such-shelf" } });
  });
});

describe("a book that the user removes on the e-reader", () => {
  it("is not sent again, until it has left the shelves and come back", async () => {
    await desk.choose("viewer", "all");
    const kobo = await desk.kobo("viewer");
    await kobo.sync();
    const id = kobo.idOf("Low Tide");
    expect((await kobo.call("DELETE", `/v1/library/${id}`)).status).toBe(204);
    expect(await kobo.sync()).toEqual([]);
    await desk.choose("viewer");
    await kobo.sync();
    await desk.choose("viewer", "all");
    expect(await kobo.sync()).toContain("NewEntitlement Low Tide");
  });
});

describe("positions", () => {
  it("come from elsewhere, and the furthest wins", async () => {
    await desk.choose("admin", "all");
    const [kobo, viewer] = [await desk.kobo("admin"), await desk.viewer("admin")];
    await kobo.sync();
    const [id, issue] = [kobo.idOf("The Salt Road"), await desk.issueOf("The Salt Road")];
    const told = (fraction: number) =>
      desk.reading.report(viewer, issue, { position: { kind: "locator", locator: "", fraction }, device: "web" });
    await told(0.6);
    expect(await kobo.sync()).toEqual([`ChangedReadingState ${id}`]);
    expect(kobo.books.get(id)!.state).toMatchObject({ CurrentBookmark: { ProgressPercent: 60 } });
    await kobo.read(id, 20);
    expect((await desk.reading.find(viewer, [issue]))[0]).toMatchObject({ fraction: 0.6, device: "web" });
    await kobo.read(id, 100, { status: "Finished" });
    expect((await desk.reading.find(viewer, [issue]))[0]).toMatchObject({ completed: true, timesFinished: 1 });
    await desk.reading.mark(viewer, [issue], false);
    expect(await kobo.sync()).toEqual([`ChangedReadingState ${id}`]);
    expect(kobo.books.get(id)!.state).toMatchObject({ StatusInfo: { Status: "ReadyToRead" } });
  });

  it("that arrive late, twice or with a wrong clock do no harm", async () => {
    const [kobo, viewer] = [await desk.kobo("admin"), await desk.viewer("admin")];
    await kobo.sync();
    const [id, issue] = [kobo.idOf("Low Tide"), await desk.issueOf("Low Tide")];
    const state = async () => (await desk.reading.find(viewer, [issue]))[0];
    await kobo.read(id, 50);
    await kobo.read(id, 10, { at: "2026-01-01T10:00:00Z" });
    expect(await state()).toMatchObject({ fraction: 0.5 });
    await kobo.read(id, 55, { at: "2099-01-01T10:00:00Z" });
    expect(Date.parse((await state())!.at)).toBeLessThanOrEqual(Date.now());
    await kobo.read(id, 0, { status: "ReadyToRead", at: "2026-01-01T10:00:00Z" });
    expect(await state()).toMatchObject({ fraction: 0.55 });
    await expect.poll(async () => Date.now() - Date.parse((await state())!.at)).toBeGreaterThan(1000);
    await kobo.read(id, 0, { status: "ReadyToRead" });
    expect(await state()).toBeUndefined();
  });
});
