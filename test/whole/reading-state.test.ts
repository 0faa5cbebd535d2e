import { hash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Reading, type ReadingContract } from "@longbox/reading/contract";
import type { Viewer } from "@longbox/sdk";
import { startTestHost, type TestHost } from "@longbox/sdk/testing";
import { writeLibrary } from "@longbox/test/fixtures";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

/** Every interface that writes or shows reading positions, with real parts: what one writes, all others see. */

const pages = 20;
const patience = { timeout: 60_000, interval: 50 };
const titles = ["Moth Patrol", "Night Bell"] as const;
let root: string;
let host: TestHost;
let reading: ReadingContract;
let viewer: Viewer;
let headers: Record<string, string>;
let eReader: { document: string; headers: Record<string, string> };
let issues: Record<(typeof titles)[number], { id: number; cvIssueId: number; seriesId: number }>;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "longbox-reading-state-"));
  const [path = ""] = await writeLibrary(
    root,
    titles.map((title) => ({ title, year: 2019, issues: ["1"], pages })),
  );
  host = await startTestHost({
    plugins: [
      "imaging",
      "operations",
      "collection",
      "files",
      "comics",
      "reading",
      "reader",
      "opds",
      "kosync",
      "komga-api",
    ],
  });
  await host.as("admin").post("/api/libraries", { name: "Comics", type: "comic", rootFolder: root });
  await vi.waitUntil(
    async () => (await host.as("admin").get("/api/collection")).body.length === titles.length,
    patience,
  );
  issues = Object.fromEntries(await Promise.all(titles.map(async (title) => [title, await findIssue(title)])));
  reading = host.use(Reading);
  const client = host.as("viewer");
  const { user } = (await client.get("/api/auth/me")).body;
  viewer = { user, may: () => true, seesRestricted: true };
  headers = { "X-Api-Key": client.key as string };
  const { username, password } = (await client.post("/api/kosync/password")).body;
  eReader = {
    document: hash("md5", basename(path)),
    headers: { "X-Auth-User": username, "X-Auth-Key": hash("md5", password) },
  };
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});
beforeEach(() => reading.mark(viewer, [issues["Moth Patrol"].id], false));

async function findIssue(title: string): Promise<{ id: number; cvIssueId: number; seriesId: number }> {
  const admin = host.as("admin");
  const { id } = (await admin.get("/api/collection")).body.find((row: { title: string }) => row.title === title);
  await vi.waitUntil(async () => (await admin.get(`/api/collection/${id}`)).body.owned === 1, patience);
  return (await admin.get(`/api/collection/${id}`)).body.issues[0];
}

const device = { id: "urn:uuid:0f14d0ab-9605-4a62-a9e4-5ed26688389b", name: "A tablet" };
const call = (path: string, method = "GET", body?: object, type = "application/json") =>
  fetch(host.url + path, {
    method,
    headers: { ...headers, "Content-Type": type },
    ...(body && { body: JSON.stringify(body) }),
  });
/** KOReader's progress sync, which has credentials of its own. */
const sync = (path: string, body?: object) =>
  fetch(`${host.url}/kosync/syncs/progress${path}`, {
    method: body ? "PUT" : "GET",
    headers: { ...eReader.headers, "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
const now = () => new Date().toISOString();
const moth = () => issues["Moth Patrol"];
const at = (what: string) => `/api/opds/v2/issue/${moth().cvIssueId}/${what}`;

const komga = (what: string) => `/komga/api/v1/books/${moth().id}${what && `/${what}`}`;

/** Tells a page (from 0) through one door. */
const writers: Record<string, (page: number) => Promise<unknown>> = {
  "the web reader": (page) => call(`/api/reader/issue/${moth().cvIssueId}/progress`, "POST", { page, pages }),
  "page streaming": (page) => call(`/api/opds/issue/${moth().cvIssueId}/page/${page}`).then((answer) => answer.bytes()),
  "OPDS progression": (page) =>
    call(
      at("progression"),
      "PUT",
      { modified: now(), device, progression: page / pages },
      "application/opds-progression+json",
    ),
  "Readium progression": (page) =>
    call(
      at("readium-progression"),
      "PUT",
      { modified: now(), device, locator: { href: "x", type: "image/jpeg", locations: { position: page + 1 } } },
      "application/vnd.readium.progression+json",
    ),
  "an e-reader with KOReader": (page) =>
    sync("", {
      document: eReader.document,
      progress: String(page + 1),
      percentage: (page + 1) / pages,
      device: "Kobo",
      device_id: "A1B2C3D4E5F60718",
    }),
  "an app for Komga": (page) =>
    call(komga("read-progress"), "PATCH", { page: page + 1, completed: page === pages - 1 }),
  "the contract, by page": (page) =>
    reading.report(viewer, moth().id, { position: { kind: "page", page, pages }, device: "player" }),
  "the contract, by fraction": (page) =>
    reading.report(viewer, moth().id, {
      position: { kind: "locator", locator: `/page[${page}]`, fraction: (page + 1) / pages },
      device: "e-reader",
    }),
};

/** Which page each door says; undefined where it says nothing. */
const readers: Record<string, () => Promise<number | undefined>> = {
  "the web reader": async () =>
    ((await (await call(`/api/reader/issue/${moth().cvIssueId}`)).json()) as any).progress?.page,
  "the shelf of the web reader": async () =>
    ((await (await call("/api/reader/continue")).json()) as any).items[0]?.progress.page,
  "the series of the web reader": async () =>
    ((await (await call(`/api/reader/series/${moth().seriesId}`)).json()) as any).progress[0]?.page,
  "the feed of OPDS 1.2": async () => lastRead(await (await call("/api/opds/continue")).text()),
  "the feed of a series": async () => lastRead(await (await call(`/api/opds/series/${moth().seriesId}`)).text()),
  "OPDS progression": async () => {
    const text = await (await call(at("progression"))).text();
    return text === "" ? undefined : Math.round(JSON.parse(text).progression * pages);
  },
  "Readium progression": async () => {
    const answer = await call(at("readium-progression"));
    return answer.status === 204 ? undefined : ((await answer.json()) as any).locator.locations.position - 1;
  },
  "an e-reader with KOReader": async () => {
    const { progress } = (await (await sync(`/${eReader.document}`)).json()) as { progress?: string };
    return progress === undefined ? undefined : Number(progress) - 1;
  },
  "an app for Komga": async () => {
    const { readProgress } = (await (await call(komga(""))).json()) as { readProgress?: { page: number } };
    return readProgress && readProgress.page - 1;
  },
  "the contract": async () => (await reading.find(viewer, [moth().id]))[0]?.places.page?.page,
};

function lastRead(feed: string): number | undefined {
  const found = /pse:lastRead="(\d+)"/.exec(feed);
  return found ? Number(found[1]) - 1 : undefined;
}

async function said(): Promise<Record<string, number | undefined>> {
  const all: Record<string, number | undefined> = {};
  for (const [name, read] of Object.entries(readers)) all[name] = await read();
  return all;
}
const everywhere = (page: number | undefined) => Object.fromEntries(Object.keys(readers).map((name) => [name, page]));

describe("a place", () => {
  it("is nowhere before anything was read", async () => {
    expect(await said()).toEqual(everywhere(undefined));
  });

  it.each(Object.keys(writers))("told by %s is seen through every other door", async (writer) => {
    await writers[writer]!(6);
    expect(await said()).toEqual(everywhere(6));
  });

  it.each(Object.keys(writers))(
    "told by %s goes on from where another door left it, and no other device pulls it back",
    async (writer) => {
      await writers["the contract, by page"]!(4);
      await writers[writer]!(9);
      expect(await said()).toEqual(everywhere(9));
      await reading.report(viewer, moth().id, { position: { kind: "page", page: 2, pages }, device: "another" });
      expect(await said()).toEqual(everywhere(9));
    },
  );

  it("is not changed by late pushes of old readings, through any door", async () => {
    const old = "2026-03-01T10:00:00Z";
    await writers["the web reader"]!(8);
    const late = [
      await call(`/api/reader/issue/${moth().cvIssueId}/progress`, "POST", { page: 3, pages, readAt: old }),
      await call(
        at("progression"),
        "PUT",
        { modified: old, device, progression: 0.9 },
        "application/opds-progression+json",
      ),
      await call(
        at("readium-progression"),
        "PUT",
        { modified: old, device, locator: { href: "x", type: "image/jpeg", locations: { position: 3 } } },
        "application/vnd.readium.progression+json",
      ),
      await sync("", {
        document: eReader.document,
        progress: "20",
        percentage: 1,
        device: "Kobo",
        timestamp: Date.parse(old) / 1000,
      }),
    ];
    await reading.report(viewer, moth().id, { position: { kind: "page", page: 1, pages }, device: "player", at: old });
    expect(late.map(({ status }) => status)).toEqual([200, 409, 409, 200]);
    expect(await said()).toEqual(everywhere(8));
  });

  it("of two devices is the further one's, and each goes back where it says so itself", async () => {
    const told = (name: string, page: number) =>
      reading.report(viewer, moth().id, { position: { kind: "page", page, pages }, device: name });
    await told("tablet", 11);
    await told("phone", 5);
    expect(await said()).toEqual(everywhere(11));
    expect(await reading.findFurther(viewer, moth().id, "phone")).toMatchObject({ device: "tablet", fraction: 0.6 });
    await told("tablet", 7);
    expect(await said()).toEqual(everywhere(7));
    await writers["the web reader"]!(2);
    expect(await said()).toEqual(everywhere(2));
  });

  it("at the end finishes the issue for all, takes it off the shelves and is counted once", async () => {
    for (const write of Object.values(writers)) await write(pages - 1);
    const [state] = await reading.find(viewer, [moth().id]);
    expect(state).toMatchObject({ completed: true, timesFinished: 1 });
    const stats = (await (await call("/api/reader/stats")).json()) as any;
    expect([stats.pagesRead, stats.days.at(-1).finished]).toEqual([pages, 1]);
    expect(await (await call("/api/opds/continue")).text()).not.toContain("Moth Patrol");
    expect(await (await call(`/api/opds/series/${moth().seriesId}?show=read`)).text()).toContain("Moth Patrol");
  });
});

describe("what is hidden from a viewer", () => {
  it("is refused, left out and not counted through every door", async () => {
    const { id, cvIssueId, seriesId } = issues["Night Bell"];
    await call(`/api/reader/issue/${cvIssueId}/progress`, "POST", { page: 4, pages });
    await call(`/api/reader/later/${cvIssueId}`, "POST", { on: true });
    const counted = async () => ((await (await call("/api/reader/stats")).json()) as any).issuesBegun as number;
    const before = await counted();
    await host.as("admin").post(`/api/collection/${seriesId}/restricted`, { restricted: true });
    const blind = { ...viewer, seesRestricted: false };
    const refused = await Promise.all([
      call(`/api/reader/issue/${cvIssueId}/progress`),
      call(`/api/reader/issue/${cvIssueId}/progress`, "POST", { page: 9, pages }),
      call(`/api/reader/issue/${cvIssueId}/mark`, "POST", { read: true }),
      call("/api/reader/read-bulk", "POST", { ids: [moth().cvIssueId, cvIssueId], read: true }),
      call(`/api/reader/later/${cvIssueId}`, "POST", { on: false }),
      call(`/api/opds/issue/${cvIssueId}/page/9`),
      call(`/api/opds/v2/issue/${cvIssueId}/progression`),
      call(`/komga/api/v1/books/${id}`),
      call(`/komga/api/v1/books/${id}/read-progress`, "PATCH", { page: 9 }),
      call(`/komga/api/v1/books/${id}/read-progress`, "DELETE"),
      call(`/komga/api/v1/series/${seriesId}/read-progress`, "POST"),
      call(
        `/api/opds/v2/issue/${cvIssueId}/progression`,
        "PUT",
        { modified: now(), device, progression: 0.9 },
        "application/opds-progression+json",
      ),
    ]);
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 404));
    await expect(
      reading.report(blind, id, { position: { kind: "page", page: 9, pages }, device: "x" }),
    ).rejects.toMatchObject({ kind: "not-found" });
    const lists = [
      "/api/reader/continue",
      "/api/reader/later",
      "/api/reader/stats",
      "/api/opds/continue",
      "/api/opds/later",
      "/komga/api/v1/series",
      "/komga/api/v1/books",
    ];
    const texts = await Promise.all(lists.map(async (path) => (await call(path)).text()));
    expect(texts.filter((text) => text.includes("Night Bell"))).toEqual([]);
    expect([await counted(), await reading.find(blind, [id])]).toEqual([before - 1, []]);
    expect(await reading.find(viewer, [id])).toMatchObject([{ position: { kind: "page", page: 4 } }]);
  });

  it("needs the permission of the door, and a sign-in", async () => {
    headers = {};
    eReader = { ...eReader, headers: {} };
    const doors = [
      `/api/reader/issue/${moth().cvIssueId}/progress`,
      at("progression"),
      at("readium-progression"),
      komga(""),
    ];
    const answers = [...doors.map((path) => call(path)), sync(`/${eReader.document}`)];
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 401));
  });
});
