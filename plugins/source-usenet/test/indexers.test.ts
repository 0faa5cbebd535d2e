import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { nzbOf } from "@longbox/test/usenet";
import { describe, expect, it } from "vitest";
import { runSchedule, until } from "../../downloads/test/support/download-desk.js";
import { leaksOf } from "./support/leaks.js";
import { cvIssueId, mask, openUsenetDesk, type UsenetDesk } from "./support/usenet-desk.js";

const nzb = nzbOf(
  '<file subject="&quot;Moth Patrol 003.cbz&quot; yEnc (1/1)"><segments><segment bytes="700" number="1">a@b</segment></segments></file>',
);
const listIn = ({ indexer }: UsenetDesk, guid = "three", title = "Moth.Patrol.003.2019.Digital") =>
  indexer.list(guid, { title, nzb, size: 40_000_000 });

async function problemOf(desk: UsenetDesk): Promise<string> {
  const sources = (await desk.host.as("admin").get("/api/sources")).body;
  return sources.find(({ kind }: { kind: string }) => kind === "usenet").problem.message;
}

describe("an indexer", () => {
  it("is searched in the category of the library, by the title, with the number as releases write it", async () => {
    await using desk = await openUsenetDesk();
    listIn(desk);
    desk.indexer.list("film", { title: "Moth Patrol 003 2019", nzb, category: "2040" });
    desk.indexer.list("locked", { title: "Moth &amp; Patrol 003", nzb, password: "1" });
    const { status, body } = await desk.search("3");
    expect(status).toBe(200);
    expect(body.map(({ title }: { title: string }) => title)).toEqual([
      "Moth.Patrol.003.2019.Digital",
      "Moth & Patrol 003",
    ]);
    expect(body[0]).toMatchObject({ source: "News", accepted: true, size: 40_000_000, age: 0, pack: false });
    expect(body[1].reasons).toContainEqual(expect.objectContaining({ code: "password-protected", against: true }));
    const [first] = desk.indexer.searches;
    expect(Object.fromEntries(first!)).toMatchObject({ t: "search", q: "Moth Patrol 003", cat: "7030", offset: "0" });
  });

  it("is asked page by page, with no more results at once than it allows", async () => {
    await using desk = await openUsenetDesk();
    desk.indexer.mostResults = 10;
    for (let at = 0; at < 25; at += 1) listIn(desk, `three-${at}`, `Moth Patrol 003 Digital-${at}`);
    expect((await desk.search("3")).body).toHaveLength(25);
    expect(desk.indexer.searches.map((each) => `${each.get("limit")} ${each.get("offset")}`)).toEqual([
      "10 0",
      "10 10",
      "10 20",
    ]);
  });

  it("tells what is new, so that a wanted issue is taken without a search", async () => {
    await using desk = await openUsenetDesk();
    listIn(desk);
    const admin = desk.host.as("admin");
    await admin.post(`/api/collection/${desk.seriesId}/monitor`, { monitor: "all" });
    await admin.post("/api/schedules/downloads.feeds/run");
    await until(async () => (await desk.item("3"))?.release === "Moth.Patrol.003.2019.Digital");
    expect(desk.indexer.searches[0]!.get("q")).toBeNull();
  });

  it("is asked for older pages of what is new where everything on a page is, also after a restart of the plugin", async () => {
    await using desk = await openUsenetDesk();
    desk.indexer.mostResults = 10;
    const watch = async () => {
      desk.indexer.searches.length = 0;
      await runSchedule(desk, "downloads.feeds");
      return desk.indexer.searches.map((each) => each.get("offset"));
    };
    for (let at = 0; at < 25; at += 1) listIn(desk, `before-${at}`, `Lamp Parade ${at}`);
    expect(await watch()).toEqual(["0"]);
    await desk.host.disable("source-usenet");
    await desk.host.enable("source-usenet");
    const before = [...desk.indexer.listed];
    desk.indexer.listed.clear();
    for (let at = 0; at < 15; at += 1) listIn(desk, `since-${at}`, `Lamp Parade ${100 + at}`);
    for (const [guid, release] of before) desk.indexer.list(guid, release);
    expect(await watch()).toEqual(["0", "10"]);
  });

  it("is tested with values that are not saved; a mask stands for the stored key", async () => {
    await using desk = await openUsenetDesk();
    const admin = desk.host.as("admin");
    const { indexers } = (await admin.get("/api/settings")).body["source-usenet"];
    expect(indexers[0]).toMatchObject({ apiKey: mask, enabled: true, categories: [], priority: 25 });
    const test = async (change: object) => (await admin.post("/api/indexers/test", { ...indexers[0], ...change })).body;
    expect(await test({})).toEqual({ ok: true, message: '"News Test" answers. It takes the API key.', version: "1.2" });
    expect((await test({ categories: "7030, 9999" })).message).toMatch(/does not name the category 9999/);
    expect((await test({ apiKey: "wrong" })).message).toMatch(/refuses the API key: Incorrect user credentials/);
    expect((await test({ url: "ftp://elsewhere" })).message).toMatch(/begin with http/);
    expect((await test({ url: "http://127.0.0.1:1" })).message).toMatch(/cannot be reached/);
    desk.indexer.onSearch = (_, response) => response.end("<!DOCTYPE html><html><body>Sign in</body></html>");
    expect(await test({})).toMatchObject({ ok: false, message: expect.stringMatching(/web page. Check the address/) });
    expect((await admin.post("/api/sources/source-usenet/test", indexers[0])).body).toMatchObject({ ok: false });
    expect((await admin.post("/api/indexers/test", { categories: ["many"] })).status).toBe(400);
  });
});

describe("the routes", () => {
  it("are for those who may use them, and hide what a user may not know of", async () => {
    await using desk = await openUsenetDesk();
    listIn(desk);
    const admin = desk.host.as("admin");
    const target = { seriesId: desk.seriesId, cvIssueId: cvIssueId("3") };
    for (const role of ["anonymous", "viewer"])
      expect((await desk.host.as(role).post("/api/usenet/search", target)).status).toBe(role === "viewer" ? 403 : 401);
    for (const path of ["/api/indexers/test", "/api/clients/test"])
      expect((await desk.host.as("trusted").post(path, {})).status).toBe(403);
    await admin.post("/api/roles", { name: "getter", permissions: ["library.view", "downloads.grab"] });
    await admin.post(`/api/collection/${desk.seriesId}/restricted`, { restricted: true });
    const getter = desk.host.as("getter");
    const hidden = { status: 404, body: { code: "downloads/series-not-found" } };
    expect(await getter.post("/api/usenet/search", target)).toMatchObject(hidden);
    const [result] = (await desk.search("3")).body;
    expect((await getter.post("/api/usenet/grab", { result, ...target })).status).toBe(404);
    expect((await admin.post("/api/usenet/grab", { result: { id: "none" }, ...target })).status).toBe(404);
  });
});

const endless = `<?xml version="1.0"?><rss><channel>${"<item><title>x</title></item>".repeat(400_000)}`;
const lies: ReadonlyArray<readonly [string, string, RegExp]> = [
  ["a web page", "<!doctype html><html><body>Sign in</body></html>", /web page/],
  ["JSON", '{"error":"no"}', /JSON/],
  ["nothing", "", /empty/],
  ["endless XML", endless, /larger than|more than/],
  ["XML without an end", `<rss><channel>${"<item>".repeat(5_000)}`, /deeper/],
  [
    "entities",
    `<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><rss><channel><item><title>&b;</title></item></channel></rss>`,
    /document type/,
  ],
  ["XML of another kind", "<feed><entry/></feed>", /not that of an indexer/],
  [
    "an error about the key",
    '<error code="101" description="Account suspended"/>',
    /refuses the API key: Account suspended/,
  ],
  ["an error of its own", '<error code="900" description="Unknown"/>', /Unknown \(error 900\)/],
];

describe("an indexer that lies", () => {
  it("ends a search with a reason of its own, and does no harm", async () => {
    await using desk = await openUsenetDesk();
    listIn(desk);
    for (const [, answer, reason] of lies) {
      desk.indexer.onSearch = (_, response) => response.end(answer);
      expect((await desk.search("3")).body).toEqual([]);
      expect(await problemOf(desk)).toMatch(reason);
    }
    desk.indexer.onSearch = undefined;
    expect((await desk.search("3")).body).toHaveLength(1);
  });

  it.each([
    ["429", 429, "", /no more requests|left alone/],
    [
      "an error about its limit",
      200,
      '<error code="500" description="Request limit reached"/>',
      /Request limit reached/,
    ],
  ])("says %s: it is left alone until the time that it names", async (_, status, body, reason) => {
    await using desk = await openUsenetDesk();
    listIn(desk);
    let times = 0;
    desk.indexer.onSearch = (_request, response) => {
      times += 1;
      response.writeHead(status, { "retry-after": "600" }).end(body);
    };
    expect((await desk.search("3")).body).toEqual([]);
    expect(await problemOf(desk)).toMatch(reason);
    await desk.search("3");
    expect(times).toBe(1);
    const [{ resting }] = (await desk.host.as("admin").get("/api/sources")).body.filter(
      ({ kind }: { kind: string }) => kind === "usenet",
    );
    expect(Date.parse(resting.until)).toBeGreaterThan(Date.now() + 500_000);
  });

  it("gives no NZB: each such release is blocklisted with a reason of its own", async () => {
    await using desk = await openUsenetDesk();
    const file = (inside: string) => nzbOf(`<file subject="x">${inside}</file>`);
    const bad: ReadonlyArray<readonly [string, string, RegExp]> = [
      ["web page", "<html><body>Sign in</body></html>", /web page/],
      ["an error", '<error code="300" description="No such item"/>', /No such item/],
      ["no files", nzbOf(""), /names no files/],
      ["no articles", file("<segments/>"), /without articles/],
      ["no sizes", file('<segments><segment number="1">a@b</segment></segments>'), /without articles/],
      ["another thing", "<rss/>", /not an NZB/],
      ["too much", nzbOf(" ".repeat(17 * 1024 * 1024)), /16 MB/],
    ];
    for (const [at, [name, answer]] of bad.entries())
      desk.indexer.list(`bad${at}`, { title: `Moth Patrol 003 ${name}`, nzb: answer, size: 1_000 + at });
    const admin = desk.host.as("admin");
    await admin.post("/api/settings", { downloads: { attempts: 10 } });
    await admin.post("/api/download", { issueIds: [await desk.issueId("3")] });
    await until(async () => (await desk.item("3"))?.status === "failed", 60);
    const { rows } = (await admin.get("/api/blacklist")).body;
    for (const [, , reason] of bad)
      expect(rows.map((row: { reason: string }) => row.reason).join("\n")).toMatch(reason);
    expect(rows).toHaveLength(bad.length);
  });

  it("leads inside the network: nothing there is asked", async () => {
    await using desk = await openUsenetDesk();
    let reached = false;
    const inside = createServer((_, response) => {
      reached = true;
      response.end(nzb);
    });
    await new Promise<void>((resolve) => inside.listen(0, "127.0.0.1", resolve));
    const { port } = inside.address() as AddressInfo;
    try {
      listIn(desk);
      desk.indexer.onFetch = (_, response) =>
        response.writeHead(302, { location: `http://127.0.0.1:${port}/x.nzb` }).end();
      await desk.grab("3");
      await until(async () => /inside this network/.test((await desk.item("3"))?.error ?? ""));
      expect(reached).toBe(false);
    } finally {
      inside.closeAllConnections();
      await new Promise((resolve) => inside.close(resolve));
    }
  });
});

it("shows no key: in answers, rows, the log and the support package", async () => {
  await using desk = await openUsenetDesk();
  const { apiKey } = desk.indexer;
  listIn(desk);
  desk.indexer.onFetch = (_, response) => response.writeHead(500).end(`No file for ${apiKey}`);
  const admin = desk.host.as("admin");
  const found = await desk.search("3");
  await desk.grab("3");
  await until(async () => (await desk.item("3"))?.error !== undefined);
  desk.indexer.onSearch = (_, response) => response.end(`<error code="100" description="No user has ${apiKey}"/>`);
  await desk.search("3");
  expect(await problemOf(desk)).toMatch(/No user has …/);
  desk.indexer.onSearch = (request) => request.destroy();
  await desk.search("3");
  const { indexers } = (await admin.get("/api/settings")).body["source-usenet"];
  const tried = await admin.post("/api/indexers/test", indexers[0]);
  for (const { body } of [found, tried]) expect(JSON.stringify(body)).not.toContain(apiKey);
  expect(await leaksOf(desk.host, [apiKey])).toEqual([]);
});
