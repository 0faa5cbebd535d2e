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

/** A comic in the form of an EPUB: the one kind of work that e-readers with a shop of their own and readers of pages share. */

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

  it("is not changed by a late push of an old reading", async () => {
    await kobo.sync();
    await writers["the web reader"]!(8);
    await kobo.read(koboId, 100, { at: "2026-03-01T10:00:00Z" });
    expect((await said())["the web reader"]).toBe(8);
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
