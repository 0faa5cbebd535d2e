import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { writeLibrary } from "@longbox/test/fixtures";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startChromium } from "../support/chromium.ts";
import { objections } from "../support/objections.ts";
import { openSilentNetwork } from "./silent-network.ts";
import { openDevice, password, save, savedCaches, signIn, type Device } from "./device.ts";

let root: string;
let host: KernelTestHost;
let browser: Browser;
let id: number;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "longbox-offline-"));
  await writeLibrary(root, [{ title: "Moth Patrol", year: 2019, issues: ["1"], pages: 8 }]);
  const plugins = ["imaging", "operations", "collection", "files", "comics", "reading", "reader", "web"];
  host = await startKernelTestHost({ plugins, settings: { files: { watchFolders: false } } });
  await host.as("admin").post("/api/libraries", { name: "Comics", type: "comic", rootFolder: root });
  const isOwned = async () => (await host.as("admin").get("/api/collection")).body[0]?.owned === 1;
  await vi.waitUntil(isOwned, { timeout: 60_000, interval: 50 });
  const [series] = (await host.as("admin").get("/api/collection")).body;
  id = (await host.as("admin").get(`/api/collection/${series.id}`)).body.issues[0].cvIssueId;
  for (const username of ["ann", "bob"])
    await host.as("admin").post("/api/users", { username, password, role: "viewer" });
  browser = await startChromium();
});
afterAll(async () => {
  await browser.close();
  await host[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

const device = (): Promise<Device> => openDevice(browser, host.url);
const saveIssue = (page: Page): Promise<void> => save(page, id);

/**
 * Opens the issue from the page of what is saved, and turns pages.
 * @param until - the page that is shown then, from 1
 */
async function readOn(page: Page, until: number): Promise<void> {
  // Too narrow for two pages side by side.
  await page.setViewportSize({ width: 700, height: 900 });
  await page.goto("/offline");
  await page.getByRole("link", { name: /Moth Patrol/ }).click();
  await expect.poll(() => page.locator("longbox-reader img").count()).toBeGreaterThan(0);
  await page.keyboard.press("Home");
  for (let turn = 1; turn < until; turn++) await page.keyboard.press("ArrowRight");
  await expect.poll(() => unsavedPage(page)).toBe(until - 1);
}

const unsavedPage = (page: Page): Promise<number | undefined> =>
  page.evaluate((issue) => {
    const all = JSON.parse(localStorage.getItem("longbox.reader.unsaved") ?? "{}") as Record<string, any>;
    return Object.values(all)[0]?.[issue]?.page as number | undefined;
  }, id);
const progressOf = (page: Page): Promise<number | undefined> =>
  page.evaluate(async (path) => (await (await fetch(path)).json()).progress?.page, `/api/reader/issue/${id}`);

describe("an issue that is saved on a device", () => {
  it("is read without a connection, and the place is there afterwards, also after two devices read on", async () => {
    await using tablet = await device();
    await using phone = await device();
    for (const { page } of [tablet, phone]) {
      await signIn(page, "ann");
      await saveIssue(page);
      expect(await savedCaches(page)).toHaveLength(1);
    }
    await tablet.context.setOffline(true);
    await phone.context.setOffline(true);
    await readOn(tablet.page, 6);
    await readOn(phone.page, 3);
    // The phone is online first. All browsers are one device, on which the last place counts: the tablet's comes late.
    for (const { context, page } of [phone, tablet]) {
      await context.setOffline(false);
      await page.goto(`/read/${id}`);
      await expect.poll(() => unsavedPage(page)).toBeUndefined();
    }
    expect([await progressOf(tablet.page), await progressOf(phone.page)]).toEqual([2, 2]);
  });

  it("is listed with its size and can be removed, and the server's answers are never old ones", async () => {
    await using tablet = await device();
    const { page } = tablet;
    await signIn(page, "ann");
    await saveIssue(page);
    await page.reload();
    await host.as("admin").post(`/api/reader/issue/${id}/progress`, { page: 1, pages: 8 });
    const asked = await page.evaluate(() => fetch("/api/auth/me").then(async (answer) => (await answer.json()).user));
    expect(asked).toMatchObject({ username: "ann" });
    await page.goto("/offline");
    await page.getByText(/\d+(\.\d+)? (kB|MB) are used/).waitFor();
    for (const [colorScheme, width] of [["light", 1440] as const, ["dark", 390] as const]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 860 });
      expect(await objections(page)).toEqual([]);
    }
    await page.getByRole("button", { name: /^Remove Moth Patrol/ }).click();
    await page.getByRole("button", { name: "Remove", exact: true }).last().click();
    await page.getByRole("heading", { name: "Nothing is saved on this device" }).waitFor();
    expect(await savedCaches(page)).toEqual([]);
    await tablet.context.setOffline(true);
    await expect(page.goto("/offline")).rejects.toThrow();
  });
});

describe("a network that leads nowhere", () => {
  it("does not keep the reader from what is saved", async () => {
    await using network = await openSilentNetwork(host.url);
    await using tablet = await openDevice(browser, network.url);
    const { page } = tablet;
    await signIn(page, "ann");
    await saveIssue(page);
    network.isSilent = true;
    await page.goto("/offline");
    await page.getByRole("link", { name: /Moth Patrol/ }).click();
    await expect.poll(() => page.locator("longbox-reader img").count(), { timeout: 30_000 }).toBeGreaterThan(0);
  });
});

describe("the web interface", () => {
  it("can be installed as an app, also where icons are masked", async () => {
    await using tablet = await device();
    const { context, page } = tablet;
    await signIn(page, "ann");
    const devtools = await context.newCDPSession(page);
    const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
    // A window without history of its own, as all windows of tests are, may not install anything.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([]);
    const { data = "", errors } = await devtools.send("Page.getAppManifest");
    const { start_url: start, scope, display, name, icons } = JSON.parse(data);
    expect([errors, start, scope, display, name]).toEqual([[], "./", "./", "standalone", "Longbox"]);
    const found: Array<[purpose: string, sizes: string]> = [];
    for (const { src, sizes, purpose, type } of icons) {
      const image = await fetch(new URL(src, host.url));
      expect([src, image.status, image.headers.get("Content-Type")]).toEqual([src, 200, type]);
      if (type === "image/png") expect(await sizeOf(image)).toBe(sizes);
      found.push([purpose, sizes]);
    }
    for (const size of ["192x192", "512x512"])
      expect(found).toEqual(
        expect.arrayContaining([
          ["any", size],
          ["maskable", size],
        ]),
      );
  });
});

/** Of a PNG: `192x192`. */
async function sizeOf(image: Response): Promise<string> {
  const bytes = new DataView(await image.arrayBuffer());
  return `${bytes.getUint32(16)}x${bytes.getUint32(20)}`;
}

describe("what a user has saved", () => {
  it("is gone after signing out, and never seen by the next user", async () => {
    await using tablet = await device();
    const { page } = tablet;
    await signIn(page, "ann");
    await saveIssue(page);
    await page.evaluate(() => fetch("/api/auth/logout", { method: "POST" }));
    await page.goto("/");
    await expect.poll(() => savedCaches(page)).toEqual([]);
    await signIn(page, "ann");
    await saveIssue(page);
    // The session changes hands without a sign-out, such as in another window.
    await page.evaluate(() =>
      fetch("/api/auth/login", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ username: "bob", password: "longbox123" }),
      }),
    );
    await page.goto("/offline");
    await page.getByRole("heading", { name: "Nothing is saved on this device" }).waitFor();
    await expect.poll(() => savedCaches(page)).toEqual([]);
  });
});
