import { hash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Reading, type ReadingContract } from "@longbox/reading/contract";
import type { Viewer } from "@longbox/sdk";
import { startTestHost, type TestHost } from "@longbox/sdk/testing";
import { drawPage } from "@longbox/test/fixtures";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { epub, xhtml } from "../../plugins/comics/test/support/epub-writer.ts";
import { Kobo } from "../../plugins/kobo/test/support/kobo.ts";

/**
 * A comic in the form of an EPUB: the one kind of work that e-readers with a shop of their own and readers of pages
 * share.
 */

const pages = 20;
let root: string;
let host: TestHost;
let reading: ReadingContract;
let viewer: Viewer;
let issueId: number;
let kobo: Kobo;
let koboId: string;
let headers: Record<string, string>;
let eReader: { document: string; headers: Record<string, string> };

const plugins = ["imaging", "operations", "collection", "files", "comics", "reading", "reader", "opds", "kosync"];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "longbox-reading-epub-"));
  await writeFile(join(root, "Night Train 001.epub"), await comic());
  host = await startTestHost({ plugins: [...plugins, "komga-api", "kobo"] });
  await host.as("admin").post("/api/libraries", { name: "Comics", type: "comic", rootFolder: root });
  issueId = await vi.waitUntil(findIssue, { timeout: 60_000, interval: 50 });
  reading = host.use(Reading);
  const client = host.as("viewer");
  const { user } = (await client.get("/api/auth/me")).body;
  viewer = { user, may: () => true, seesRestricted: true };
  headers = { "X-Api-Key": client.key as string };
  await client.post("/api/kobo/shelves", { shelves: ["all"] });
  kobo = new Kobo(host.url + (await client.post("/api/kobo/devices", { name: "Clara" })).body.path);
  await kobo.sync();
  [koboId = ""] = kobo.books.keys();
  const { username, password } = (await client.post("/api/kosync/password")).body;
  eReader = {
    document: hash("md5", "Night Train 001.epub"),
    headers: { "X-Auth-User": username, "X-Auth-Key": hash("md5", password) },
  };
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});
beforeEach(() => reading.mark(viewer, [issueId], false));

async function comic(): Promise<Uint8Array> {
  const numbers = Array.from({ length: pages }, (_, index) => index + 1);
  const files: Record<string, Uint8Array | string> = {};
  for (const number of numbers) {
    files[`OEBPS/${number}.jpg`] = await drawPage(number, String(number), { width: 60, height: 90, format: "jpeg" });
    files[`OEBPS/${number}.xhtml`] = xhtml(`<img src="${number}.jpg"/>`);
  }
  return epub({ spine: numbers.map((number) => ({ href: `${number}.xhtml` })), files });
}

async function findIssue(): Promise<number | false> {
  const [series] = (await host.as("admin").get("/api/collection")).body as Array<{ id: number; owned: number }>;
  if (!series?.owned) return false;
  // Nothing has matched it with a provider.
  return -(await host.as("admin").get(`/api/collection/${series.id}`)).body.issues[0].cvIssueId;
}

const call = async (path: string, method = "GET", body?: object, type = "application/json") => {
  const answer = await fetch(host.url + path, {
    method,
    headers: { ...headers, ...eReader.headers, "Content-Type": type },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return text === "" ? undefined : JSON.parse(text);
};
const progression = () => `/api/opds/v2/issue/${-issueId}/progression`;
const device = { id: "urn:uuid:0f14d0ab-9605-4a62-a9e4-5ed26688389b", name: "A tablet" };
const share = (page: number) => (page + 1) / pages;

/** Tells a page (from 0) through one door. */
const writers: Record<string, (page: number) => Promise<unknown>> = {
  "the web reader": (page) => call(`/api/reader/issue/${-issueId}/progress`, "POST", { page, pages }),
  "page streaming": (page) =>
    fetch(`${host.url}/api/opds/issue/${-issueId}/page/${page}`, { headers }).then((answer) => answer.bytes()),
  "OPDS progression": (page) =>
    call(
      progression(),
      "PUT",
      { modified: new Date().toISOString(), device, progression: page / pages },
      "application/opds-progression+json",
    ),
  "an e-reader with KOReader": (page) =>
    call("/kosync/syncs/progress", "PUT", {
      document: eReader.document,
      progress: `/body/DocFragment[${page + 1}]/body/img.0`,
      percentage: share(page),
      device: "Onyx",
      device_id: "A1B2C3D4E5F60718",
    }),
  "a Kobo": (page) => kobo.read(koboId, share(page) * 100),
  "an app for Komga": (page) => call(`/komga/api/v1/books/${issueId}/read-progress`, "PATCH", { page: page + 1 }),
};

/** Which page each door says; undefined where it says nothing. */
const readers: Record<string, () => Promise<number | undefined>> = {
  "the web reader": async () => (await call(`/api/reader/issue/${-issueId}`)).progress?.page,
  "page streaming": async () => {
    const feed = await (await fetch(`${host.url}/api/opds/continue`, { headers })).text();
    const page = /pse:lastRead="(\d+)"/.exec(feed)?.[1];
    return page === undefined ? undefined : Number(page) - 1;
  },
  // It says where the page begins.
  "OPDS progression": async () => {
    const at = (await call(progression()))?.progression;
    return at === undefined ? undefined : Math.round(at * pages);
  },
  "an e-reader with KOReader": async () =>
    pageAt((await call(`/kosync/syncs/progress/${eReader.document}`)).percentage),
  "a Kobo": async () => {
    const { CurrentBookmark, StatusInfo } = (await kobo.call("GET", `/v1/library/${koboId}/state`)).body[0];
    return StatusInfo.Status === "ReadyToRead" ? undefined : pageAt(CurrentBookmark.ProgressPercent / 100);
  },
  "an app for Komga": async () => {
    const { readProgress } = await call(`/komga/api/v1/books/${issueId}`);
    return readProgress && readProgress.page - 1;
  },
};

const pageAt = (fraction: number | undefined) =>
  fraction === undefined ? undefined : Math.round(fraction * pages) - 1;

async function said(): Promise<Record<string, number | undefined>> {
  const all: Record<string, number | undefined> = {};
  for (const [name, read] of Object.entries(readers)) all[name] = await read();
  return all;
}
const everywhere = (page: number | undefined) => Object.fromEntries(Object.keys(readers).map((name) => [name, page]));

describe("a place in an EPUB with pages", () => {
  it.each(Object.keys(writers))(
    "told by %s is seen through every other door, and goes on from there",
    async (writer) => {
      await kobo.sync();
      await writers[writer]!(6);
      // A Kobo is not told what it has told itself.
      expect(await kobo.sync()).toEqual(writer === "a Kobo" ? [] : [`ChangedReadingState ${koboId}`]);
      expect(await said()).toEqual(everywhere(6));
      await reading.report(viewer, issueId, { position: { kind: "page", page: 2, pages }, device: "another" });
      expect(await said()).toEqual(everywhere(6));
    },
  );

  const pairs = Object.keys(writers).flatMap((one) =>
    Object.keys(writers).flatMap((other) => (one === other ? [] : [[one, other] as const])),
  );
  it.each(pairs)("of %s goes on by %s, and is the furthest of both", async (one, other) => {
    await kobo.sync();
    await writers[one]!(4);
    await writers[other]!(9);
    expect(await said()).toEqual(everywhere(9));
    await writers[one]!(12);
    expect(await said()).toEqual(everywhere(12));
    await writers[other]!(10);
    // The browser shows the furthest place, so a page before it is turned to on purpose.
    expect(await said()).toEqual(everywhere(other === "the web reader" ? 10 : 12));
  });

  it("is not changed by late pushes of old readings, through any door that says a time", async () => {
    const old = "2026-03-01T10:00:00Z";
    await kobo.sync();
    await writers["page streaming"]!(8);
    const document = { document: eReader.document, device: "Onyx", device_id: "A1B2C3D4E5F60718" };
    const late = {
      "the web reader": () =>
        call(`/api/reader/issue/${-issueId}/progress`, "POST", { page: 19, pages, readAt: old, completed: true }),
      "OPDS progression": () =>
        call(progression(), "PUT", { modified: old, device, progression: 0.95 }, "application/opds-progression+json"),
      "an e-reader with KOReader": () =>
        call("/kosync/syncs/progress", "PUT", {
          ...document,
          progress: "/body/DocFragment[20]/body/img.0",
          percentage: 1,
          timestamp: Date.parse(old) / 1000,
        }),
      "a Kobo": () => kobo.read(koboId, 100, { at: old }),
    };
    for (const [door, push] of Object.entries(late)) {
      await push();
      expect([door, await said()]).toEqual([door, everywhere(8)]);
    }
    expect(await reading.find(viewer, [issueId])).toMatchObject([{ completed: false }]);
  });

  it.each(Object.keys(writers))("begins again after the end, and %s goes on with the new round", async (writer) => {
    await kobo.sync();
    await writers["a Kobo"]!(pages - 1);
    const position = { kind: "page", page: 1, pages } as const;
    await reading.report(viewer, issueId, { position, device: "web", restart: true });
    expect(await said()).toEqual(everywhere(1));
    await writers[writer]!(5);
    expect(await said()).toEqual(everywhere(5));
    expect(await reading.find(viewer, [issueId])).toMatchObject([{ completed: false, timesFinished: 1 }]);
  });

  it("begins again after the end", async () => {
    await writers["a Kobo"]!(pages - 1);
    expect(await reading.find(viewer, [issueId])).toMatchObject([{ completed: true, timesFinished: 1 }]);
    await kobo.read(koboId, 10);
    expect(await reading.find(viewer, [issueId])).toMatchObject([{ completed: true }]);
    const position = { kind: "page", page: 1, pages } as const;
    await reading.report(viewer, issueId, { position, device: "web", restart: true });
    expect(await said()).toEqual(everywhere(1));
    expect(await kobo.sync()).toEqual([`ChangedReadingState ${koboId}`]);
  });
});
