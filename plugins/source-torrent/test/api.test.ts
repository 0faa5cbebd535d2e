import { strFromU8, unzipSync } from "fflate";
import { makeTorrent } from "@longbox/test/torrent";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { until } from "../../downloads/test/support/download-desk.js";
import { apiKey, comic, openTorrentDesk, password, type TorrentDesk } from "./support/torrent-desk.js";

const series = "Moth Patrol";
const torrentOf = async (number: string) => {
  const name = `${series} 00${number} (2019).cbz`;
  return makeTorrent({ name, files: new Map([[name, await comic(number)]]) });
};

/** One server for all; nothing listens where its client should be. */
let desk: TorrentDesk;
let entry: { name: string; url: string; apiKey: string };

beforeAll(async () => {
  desk = await openTorrentDesk({ client: { url: "http://127.0.0.1:1", username: "admin", password } });
  entry = { name: "New", url: desk.indexer.url, apiKey };
  const permissions = ["library.view", "downloads.grab"];
  await desk.host.as("admin").post("/api/roles", { name: "getter", label: "Getter", permissions });
});
afterAll(() => desk?.[Symbol.asyncDispose]());
beforeEach(() => {
  desk.indexer.offers.length = 0;
  desk.indexer.asked.length = 0;
  desk.indexer.routes.clear();
});

describe("searching torrents for packs", () => {
  it("asks by the categories of the library, and shows packs with their issues and without any address", async () => {
    const pack = await torrentOf("1");
    desk.indexer.offer(pack.bytes, { title: `${series} 001-003 (2019)`, seeders: 7, infoHash: pack.infoHash });
    desk.indexer.offer(pack.bytes, { title: `${series} 001 (2019)`, category: "7020" });
    const answer = await desk.host.as("admin").post("/api/torrent/search", { seriesId: desk.seriesId });
    expect(answer).toMatchObject({
      status: 200,
      body: [{ title: `${series} 001-003 (2019)`, pack: true, seeders: 7, source: "Stand-in" }],
    });
    expect(answer.body[0].issues.map(({ number }: { number: string }) => number)).toEqual(["1", "2", "3"]);
    expect(JSON.stringify(answer.body)).not.toMatch(/127\.0\.0\.1|download\/|k3yOf/u);
    const asked = desk.indexer.asked
      .filter((url) => url.includes("t=search"))
      .map((url) => new URL(url, "http://here"));
    expect(asked[0]!.searchParams.get("cat")).toBe("7030");
  });

  it("is open to those who may download, and does not show a hidden series", async () => {
    const body = { seriesId: desk.seriesId };
    expect((await desk.host.as("viewer").post("/api/torrent/search", body)).status).toBe(403);
    const answers = async () => {
      const [getter, admin] = [desk.host.as("getter"), desk.host.as("admin")];
      return [
        (await getter.post("/api/torrent/search", body)).status,
        (await admin.post("/api/torrent/search", body)).status,
      ];
    };
    expect(await answers()).toEqual([200, 200]);
    const restrict = (restricted: boolean) =>
      desk.host.as("admin").post(`/api/collection/${desk.seriesId}/restricted`, { restricted });
    await restrict(true);
    expect(await answers()).toEqual([404, 200]);
    await restrict(false);
  });

  it("grabs by the id of a result alone", async () => {
    const admin = desk.host.as("admin");
    const made = { id: "made up", url: "http://127.0.0.1:1/x.torrent" };
    expect(await admin.post("/api/torrent/grab-pack", { result: made, seriesId: desk.seriesId })).toMatchObject({
      status: 404,
      body: { code: "downloads/result-not-found" },
    });
    expect((await desk.host.as("viewer").post("/api/torrent/grab-pack", {})).status).toBe(403);
  });
});

describe("the test of an indexer", () => {
  it("takes values that are not saved, and says who answers", async () => {
    const test = (values: object) => desk.host.as("admin").post("/api/torznab/test", values);
    expect((await test(entry)).body).toEqual({
      ok: true,
      message: '"Stand-in" answers. It lists nothing in these categories now.',
      version: "1.2",
    });
    const [saved] = (await desk.host.as("admin").get("/api/settings")).body["source-torrent"].indexers;
    expect(saved.apiKey).toBe("********");
    expect((await test(saved)).body).toMatchObject({ ok: true });
    expect((await desk.host.as("trusted").post("/api/torznab/test", saved)).status).toBe(403);
    const anyTest = await desk.host.as("admin").post("/api/sources/source-torrent/test", saved);
    expect(anyTest.body).toMatchObject({ ok: true });
  });

  it.each([
    ["a wrong key", { apiKey: "wrong" }, undefined, /refuses the account or API key\. It says: Incorrect/u],
    ["an address without a scheme", { url: "indexer.example" }, undefined, /address cannot be asked/u],
    ["an address with a password", { url: "http://a:b@127.0.0.1/" }, undefined, /no name|has no name and password/u],
    ["nothing at the address", { url: "http://127.0.0.1:1/" }, undefined, /cannot be reached/u],
    ["a category that it has not", { categories: ["8888"] }, undefined, /no category 8888/u],
    ["a page to sign in on", {}, "<!doctype html><title>Sign in</title>", /web page, perhaps one to sign in on/u],
    ["another document", {}, "<feed/>", /no Torznab capabilities document/u],
    ["nothing", {}, "", /empty/u],
  ])("explains %s", async (_, values, answer, message) => {
    if (answer !== undefined) desk.indexer.routes.set("/api", answer);
    const tested = await desk.host.as("admin").post("/api/torznab/test", { ...entry, ...values });
    expect(tested).toMatchObject({ status: 200, body: { ok: false, message: expect.stringMatching(message) } });
  });
});

it("shows no key in any answer, log, row of the history, or support package", { timeout: 180_000 }, async () => {
  const { indexer } = desk;
  const torrent = await torrentOf("3");
  indexer.offer(torrent.bytes, { title: `${series} 003 (2019) ${apiKey}` });
  indexer.offer(new TextEncoder().encode(`<error code="100" description="${apiKey}"/>`), { title: `${series} 003` });
  const admin = desk.host.as("admin");
  const answers = [await admin.post("/api/search", { seriesId: desk.seriesId, cvIssueId: 50_013 })];
  expect(answers[0]!.body).toHaveLength(2);
  await desk.get("3");
  await until(async () => (await desk.item("3"))?.error !== undefined);
  indexer.routes.set("/api", `<error code="900" description="No such key: ${apiKey}"/>`);
  answers.push(await admin.post("/api/search", { seriesId: desk.seriesId, cvIssueId: 50_013 }));
  answers.push(await admin.post("/api/torznab/test", { url: indexer.url, apiKey }));
  expect(answers[2]!.body).toMatchObject({ ok: false });
  const paths = ["queue", "history", "history/failed", "blacklist", "sources", "status", "logs", "settings"];
  for (const path of paths) answers.push(await admin.get(`/api/${path}`));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const support = unzipSync((await admin.get("/api/support/package")).bytes);
  const everything = [
    ...answers.map(({ body }) => JSON.stringify(body)),
    ...Object.values(support).map((bytes) => strFromU8(bytes)),
  ];
  for (const text of everything) for (const secret of [apiKey, password]) expect(text).not.toContain(secret);
});
