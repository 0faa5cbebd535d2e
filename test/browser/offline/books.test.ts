import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { mp3File } from "../../../plugins/audiobooks/test/support/mp3-file.ts";
import { prose, writeEpub } from "../../../plugins/book-reader/test/support/epubs.ts";
import { startChromium } from "../support/chromium.ts";
import { openDevice, openSaving, password, save, savedCaches, signIn, type Device } from "./device.ts";
import { soon } from "../support/soon.ts";

/** So large that it is saved in three pieces. */
const seconds = 2_400;
const recording = mp3File({
  seconds,
  hasInfo: true,
  id3: {
    texts: { TALB: "Night Bell", TPE1: "Ada Quill" },
    chapters: [0, 600, 1_200, 1_800].map((start, index) => [start, `Chapter ${index + 1}`]),
  },
});

let roots: string[];
let host: KernelTestHost;
let browser: Browser;
let book: Issue;
let audiobook: Issue;

interface Issue {
  readonly id: number;
  readonly cvIssueId: number;
}

beforeAll(async () => {
  roots = await Promise.all(["books", "recordings"].map((name) => mkdtemp(join(tmpdir(), `longbox-offline-${name}-`))));
  const [books = "", recordings = ""] = roots;
  const chapters = [1, 2, 3, 4].map((chapter) => ({ title: `Chapter ${chapter}`, body: prose(chapter, 40) }));
  await writeEpub(join(books, "Ada Quill", "The Harbour.epub"), { title: "The Harbour", chapters });
  await writeFile(join(recordings, "night.mp3"), recording);
  const plugins = ["imaging", "operations", "collection", "files", "reading", "opds", "books", "book-reader"];
  host = await startKernelTestHost({
    plugins: [...plugins, "audiobooks", "web"],
    settings: { files: { watchFolders: false } },
  });
  book = await addLibrary("ebook", books);
  audiobook = await addLibrary("audiobook", recordings);
  for (const username of ["ann", "bob", "dan", "eve"])
    await host.as("admin").post("/api/users", { username, password, role: "viewer" });
  browser = await startChromium();
});
afterAll(async () => {
  await browser.close();
  await host[Symbol.asyncDispose]();
  await Promise.all(roots.map((root) => rm(root, { recursive: true, force: true })));
});

async function addLibrary(type: string, rootFolder: string): Promise<Issue> {
  const admin = host.as("admin");
  await admin.post("/api/libraries", { name: type, type, rootFolder });
  const find = async () => (await admin.get(`/api/collection?filter=${type}`)).body[0];
  await vi.waitUntil(async () => (await find())?.owned === 1, { timeout: 60_000, interval: 50 });
  return (await admin.get(`/api/collection/${(await find()).id}`)).body.issues[0];
}

const device = (): Promise<Device> => openDevice(browser, host.url);
const reports = (page: Page): Promise<number> =>
  page.evaluate(() => Object.keys(JSON.parse(localStorage.getItem("longbox.late-reports") ?? "{}")).length);
/** What the server knows, for the user of the page. */
const ask = (page: Page, path: string): Promise<any> =>
  page.evaluate(async (address) => (await fetch(address)).json(), path);

/** From 0 to 100. */
const placeIn = (page: Page): Promise<number> =>
  page
    .getByRole("slider", { name: "Place in the book" })
    .evaluate((input) => (100 * (input as HTMLInputElement).valueAsNumber) / Number((input as HTMLInputElement).max));

async function openSaved(page: Page, title: string): Promise<void> {
  await page.goto("/offline");
  await page.getByRole("link", { name: title, exact: true }).click();
}

/** Goes to a part of the book. */
async function readTo(page: Page, percentage: number): Promise<void> {
  await page.getByRole("slider", { name: "Place in the book" }).evaluate((input, part) => {
    const slider = input as HTMLInputElement;
    slider.valueAsNumber = (Number(slider.max) * part) / 100;
    for (const name of ["input", "change"]) slider.dispatchEvent(new Event(name, { bubbles: true }));
  }, percentage);
  await soon(() => placeIn(page)).toBeGreaterThan(percentage - 8);
}

describe("a book that is saved on a device", () => {
  it("is read without a connection, goes on where it was left, and is merged after two devices read on", async () => {
    await using tablet = await device();
    await using phone = await device();
    for (const { page } of [tablet, phone]) {
      await signIn(page, "ann");
      await save(page, book.cvIssueId);
    }
    for (const [{ page, context }, until] of [[tablet, 70] as const, [phone, 30] as const]) {
      await context.setOffline(true);
      await openSaved(page, "The Harbour");
      await soon(() => placeIn(page)).toBeLessThan(5);
      await readTo(page, until);
      await soon(() => reports(page)).toBe(1);
      // Still without a connection.
      await openSaved(page, "The Harbour");
      await soon(() => placeIn(page)).toBeGreaterThan(until - 8);
    }
    const progress = `/api/ebooks/issue/${book.cvIssueId}/progress?device=test`;
    for (const { page, context } of [phone, tablet]) {
      await context.setOffline(false);
      await page.goto("/");
      await soon(() => reports(page)).toBe(0);
    }
    // The tablet's report came last, with an earlier time; among devices the furthest place counts.
    const { fraction } = await ask(phone.page, progress);
    expect(fraction).toBeGreaterThan(0.62);
  });

  it("goes on where it was read online after it was saved", async () => {
    await using tablet = await device();
    const { page, context } = tablet;
    await signIn(page, "bob");
    await save(page, book.cvIssueId);
    await page.goto(`/books/${book.cvIssueId}`);
    const progress = `/api/ebooks/issue/${book.cvIssueId}/progress`;
    await page.getByRole("slider", { name: "Place in the book" }).waitFor();
    await readTo(page, 50);
    await soon(async () => (await ask(page, `${progress}?device=test`)).fraction).toBeGreaterThan(0.42);
    await soon(() => savedFraction(page)).toBeGreaterThan(0.42);
    await context.setOffline(true);
    await openSaved(page, "The Harbour");
    await soon(() => placeIn(page)).toBeGreaterThan(42);
  });
});

describe("what a user read without a connection", () => {
  it("waits for that user when the session ends before it is sent, and what was saved is deleted", async () => {
    await using tablet = await device();
    const { page, context } = tablet;
    await signIn(page, "dan");
    await save(page, book.cvIssueId);
    await context.setOffline(true);
    await openSaved(page, "The Harbour");
    await readTo(page, 60);
    await soon(() => reports(page)).toBe(1);
    await context.clearCookies();
    await context.setOffline(false);
    await soon(() => savedCaches(page)).toEqual([]);
    const progress = `/api/ebooks/issue/${book.cvIssueId}/progress?device=test`;
    await signIn(page, "eve");
    expect(await ask(page, progress)).toMatchObject({ fraction: 0, at: null });
    expect(await reports(page)).toBe(1);
    await context.clearCookies();
    await signIn(page, "dan");
    await soon(() => reports(page)).toBe(0);
    expect((await ask(page, progress)).fraction).toBeGreaterThan(0.52);
  });
});

/** In the answer that is saved. */
const savedFraction = (page: Page): Promise<number> =>
  page.evaluate(async (path) => {
    const saved = await globalThis.caches.match(path, { ignoreSearch: true });
    return saved ? ((await saved.json()) as { fraction: number }).fraction : 0;
  }, `/api/ebooks/issue/${book.cvIssueId}/progress`);

describe("an audiobook that is saved on a device", () => {
  it("is heard without a connection from any place, and the place is sent afterwards", async () => {
    await using tablet = await device();
    const { page, context } = tablet;
    await signIn(page, "ann");
    await save(page, audiobook.cvIssueId);
    await context.setOffline(true);
    await openSaved(page, "Night Bell");
    await page.getByRole("button", { name: "Listen", exact: true }).click();
    await page.getByRole("button", { name: "Pause", exact: true }).first().waitFor();
    await page.getByRole("button", { name: /^Chapter 4/ }).click();
    const position = () =>
      page.getByRole("slider", { name: "Position" }).evaluate((input) => (input as HTMLInputElement).valueAsNumber);
    // It plays on, from the last piece of the file.
    await soon(position).toBeGreaterThan(1_801);
    await page.getByRole("button", { name: "Pause", exact: true }).first().click();
    await page.getByRole("button", { name: "Play", exact: true }).first().waitFor();
    await openSaved(page, "Night Bell");
    // The window goes on with the audiobook that was open, at its place.
    await soon(position).toBeGreaterThan(1_790);
    await context.setOffline(false);
    await soon(() => reports(page)).toBe(0);
    const known = await ask(page, `/api/audiobooks/issue/${audiobook.id}/progress`);
    expect(known.position).toBeGreaterThan(1_790);
  });

  it("answers every range of bytes as the server does", async () => {
    await using tablet = await device();
    const { page, context } = tablet;
    await signIn(page, "bob");
    await save(page, audiobook.cvIssueId);
    const size = recording.length;
    const ranges = ["bytes=0-", "bytes=4194300-4194309", "bytes=5-5", "bytes=-3", `bytes=${size}-`, undefined];
    const answers = () =>
      page.evaluate(
        ([path, all]) =>
          Promise.all(
            all.map(async (range) => {
              const answer = await fetch(path, range === undefined ? {} : { headers: { Range: range } });
              const bytes = new Uint8Array(await answer.arrayBuffer());
              const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
              const { headers, status } = answer;
              return status === 416 ? [416] : [status, headers.get("Content-Range"), bytes.length, digest.join()];
            }),
          ),
        [`/api/audiobooks/issue/${audiobook.id}/stream`, ranges] as const,
      );
    await page.goto("/offline");
    const online = await answers();
    expect(online.map(([status]) => status)).toEqual([206, 206, 206, 206, 416, 200]);
    await context.setOffline(true);
    expect(await answers()).toEqual(online);
  });
});

describe("a device without room", () => {
  it("is told before the item is fetched or while it is stored, and nothing of it stays", async () => {
    await using tablet = await device();
    const { page, context } = tablet;
    await signIn(page, "ann");
    await save(page, book.cvIssueId);
    const before = await page.evaluate(async () => (await navigator.storage.estimate()).usage ?? 0);
    const devtools = await context.newCDPSession(page);
    const limit = (quotaSize: number) =>
      devtools.send("Storage.overrideQuotaForOrigin", { origin: host.url, quotaSize });
    for (const room of [before + 5_000_000, before + 1_000]) {
      await limit(room);
      await openSaving(page, audiobook.cvIssueId);
      await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
      await page.getByText(/There is not enough room on this device/).waitFor();
      await page.goto("/offline");
      await page.getByRole("link", { name: "The Harbour" }).waitFor();
      expect(await page.getByRole("link", { name: "Night Bell" }).count()).toBe(0);
    }
    const [name = ""] = await savedCaches(page);
    const kept = await page.evaluate(
      async (cache) => (await (await globalThis.caches.open(cache)).keys()).map(({ url }) => url),
      name,
    );
    expect(kept.filter((url) => url.includes("stream") || url.includes("piece"))).toEqual([]);
  });
});
