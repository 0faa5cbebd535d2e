import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startChromium } from "../../../test/browser/support/chromium.ts";
import { soon } from "../../../test/browser/support/soon.ts";
import { visit } from "../../../test/browser/support/visitor.ts";
import { flacFile } from "./support/lossless-file.js";
import { openListeningRoom, type ListeningRoom } from "./support/listening-room.js";
import { mp3File } from "./support/mp3-file.js";

const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
/** Where pictures of the pages go, for a person to look at. */
const pictures = process.env["LONGBOX_PICTURES"];

const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600"><rect width="600" height="600" fill="#23395d"/><circle cx="300" cy="260" r="150" fill="#e0b04c"/><text x="300" y="520" font-size="72" text-anchor="middle" fill="#fff" font-family="sans-serif">Night Bell</text></svg>`;
const chapters = [
  "Opening",
  "The tower",
  "A letter from the sea, which is a long title for a chapter",
  "The bell",
  "Low water",
].map((title, index) => [index * 60, title] as const);

let room: ListeningRoom;
let browser: Browser;
let ids: Record<string, { id: number; cvIssueId: number }>;
beforeAll(async () => {
  const picture = await sharp(Buffer.from(drawing)).png().toBuffer();
  [room, browser] = await Promise.all([
    openListeningRoom(
      {
        "night.mp3": mp3File({
          seconds: 300,
          hasInfo: true,
          id3: {
            texts: {
              TALB: "Night Bell",
              TPE1: "Ada Quill",
              NARRATOR: "Ira Bloom",
              SERIES: "Low Tides",
              SERIESPART: "2",
            },
            chapters,
            picture,
          },
        }),
        "Two/01.mp3": mp3File({ seconds: 4, hasInfo: true, id3: { texts: { TALB: "Two", TIT2: "One" } } }),
        "Two/02.mp3": mp3File({ seconds: 30, hasInfo: true, id3: { texts: { TALB: "Two", TIT2: "Two" } } }),
        "quiet.flac": flacFile({
          seconds: 20,
          comments: ["ALBUM=Quiet"],
          isSilent: (second) => second > 1 && second < 15,
        }),
      },
      { plugins: ["web"] },
    ),
    startChromium(),
  ]);
  ids = await room.books();
});
afterAll(async () => {
  await browser.close();
  await room[Symbol.asyncDispose]();
});

const open = (role: string, options: Parameters<typeof visit>[2] = {}) =>
  visit(browser, room.host.url, { extraHTTPHeaders: { "x-api-key": room.host.as(role).key as string }, ...options });
const progressOf = async (title: string, role: string) =>
  (await room.host.as(role).get(`/api/audiobooks/issue/${ids[title]!.id}/progress`)).body;
const picture = async (page: Page, name: string) => {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `audiobooks-${name}.png`) });
};
const seconds = (page: Page) =>
  page.getByRole("slider", { name: "Position" }).evaluate((input) => (input as HTMLInputElement).valueAsNumber);

async function listen(page: Page, title: string, word = "Listen"): Promise<void> {
  await page.goto(`/issue/${ids[title]!.cvIssueId}`);
  await page.getByRole("link", { name: word, exact: true }).click();
  await page.getByRole("button", { name: "Pause" }).waitFor();
}

it("plays while the listener browses, keeps the place, and goes on there on another device", async () => {
  const page = await open("viewer");
  await listen(page, "Night Bell");
  await page.getByRole("button", { name: "The bell" }).click();
  await soon(() => seconds(page)).toBeGreaterThanOrEqual(181);
  await page.getByRole("link", { name: "Library", exact: true }).first().click();
  const bar = page.getByRole("region", { name: "Player" });
  await bar.getByText("The bell").waitFor();
  await page.getByRole("heading", { name: "Library", level: 1 }).waitFor();
  const before = await seconds(page);
  await soon(() => seconds(page)).toBeGreaterThan(before);
  await bar.getByRole("button", { name: "Pause" }).click();
  const paused = await seconds(page);
  await soon(async () => Math.floor((await progressOf("Night Bell", "viewer"))?.position ?? 0)).toBe(paused);

  const other = await open("viewer");
  await listen(other, "Night Bell", "Continue");
  await soon(() => seconds(other)).toBeGreaterThanOrEqual(paused - 3);
  expect(await seconds(other)).toBeLessThan(paused + 5);
});

it("plays several files as one timeline, from one into the next, to the end", async () => {
  const page = await open("trusted");
  await listen(page, "Two");
  await page.getByRole("button", { name: /^Two/ }).waitFor();
  await soon(() => seconds(page)).toBeGreaterThanOrEqual(5);
  await page.getByText("Two", { exact: true }).first().waitFor();
  await page.getByRole("slider", { name: "Position" }).fill("33");
  await soon(async () => (await progressOf("Two", "trusted"))?.completed).toBe(true);
  await listen(page, "Two", "Listen again");
  await soon(async () => (await progressOf("Two", "trusted"))?.completed).toBe(false);
  expect(await seconds(page)).toBeLessThan(20);
});

it("plays faster, skips silences, and keeps bookmarks with notes", async () => {
  const page = await open("viewer");
  await listen(page, "Quiet");
  await page.getByRole("button", { name: /^Speed/ }).click();
  await page.getByRole("menuitemradio", { name: "2×" }).click();
  await page.getByRole("button", { name: "Speed, 2×" }).waitFor();
  await page.getByText("Skip silences").click();
  const begun = Date.now();
  await soon(() => seconds(page)).toBeGreaterThanOrEqual(16);
  // 14 seconds of silence at twice the speed would be 7.
  expect(Date.now() - begun).toBeLessThan(6000);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByLabel("Note").fill("The tide turns");
  await page.getByRole("button", { name: "Bookmark this place" }).click();
  await page.getByRole("button", { name: "The tide turns" }).waitFor();
  const kept = (await room.host.as("viewer").get(`/api/audiobooks/issue/${ids["Quiet"]!.id}/bookmarks`)).body;
  expect(kept).toMatchObject([{ note: "The tide turns", position: expect.any(Number) }]);
  await page.getByRole("button", { name: /^Remove the bookmark/ }).click();
  await page.getByText("No bookmarks.").waitFor();
});

it("stops by the sleep timer, and goes on after a key", async () => {
  const page = await open("admin");
  await listen(page, "Night Bell");
  await page.getByRole("slider", { name: "Position" }).fill("57");
  await page.getByRole("button", { name: "Sleep timer" }).click();
  await page.getByRole("menuitemradio", { name: "End of the chapter" }).click();
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  const asleep = await seconds(page);
  expect([asleep >= 58, asleep <= 60]).toEqual([true, true]);
  await page.keyboard.press("k");
  await page.getByRole("button", { name: "Pause" }).waitFor();
});

it("tells headset keys and lock screens what plays, and is where it was after a reload", async () => {
  const page = await open("trusted");
  await listen(page, "Night Bell");
  await page.getByRole("button", { name: "The tower" }).click();
  await soon(() => page.evaluate(() => navigator.mediaSession.metadata?.title)).toBe("The tower");
  expect(await page.evaluate(() => navigator.mediaSession.metadata?.artist)).toBe("Ada Quill");
  await page.getByRole("button", { name: "Pause" }).click();
  await page.goto("/library");
  await page.getByRole("region", { name: "Player" }).getByText("The tower").waitFor();
  await page.getByRole("button", { name: "Close the player" }).click();
  await page.getByRole("region", { name: "Player" }).waitFor({ state: "detached" });
});

it("offers the place of another device that is further", async () => {
  const { id } = ids["Night Bell"]!;
  await room.host
    .as("admin")
    .post(`/api/audiobooks/issue/${id}/progress`, { position: 250, duration: 300, device: "Phone" });
  const page = await open("admin");
  await page.addInitScript(() => localStorage.setItem("longbox.audiobooks.device", "Desk"));
  await room.host
    .as("admin")
    .post(`/api/audiobooks/issue/${id}/progress`, { position: 20, duration: 300, device: "Desk", mayGoBack: true });
  await page.goto(`/listen/${id}`);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Phone is at 4:10.").waitFor();
  await page.getByRole("button", { name: "Go there" }).click();
  await soon(() => seconds(page)).toBeGreaterThanOrEqual(250);
});

/** All four are looked at by a person; two of them differ in everything that a program sees. */
const looks = [
  { colorScheme: "light", width: 1440 },
  { colorScheme: "dark", width: 390 },
  { colorScheme: "light", width: 390 },
  { colorScheme: "dark", width: 1440 },
] as const;

describe.each(pictures === undefined ? looks.slice(0, 2) : looks)(
  "in $colorScheme, $width pixels wide",
  ({ colorScheme, width }) => {
    it("has no objections of accessibility, and nothing beside the window", async () => {
      const page = await open("viewer", { colorScheme, viewport: { width, height: 844 } });
      await page.goto(`/listen/${ids["Night Bell"]!.id}`);
      await page.getByRole("button", { name: /Listen|Continue/ }).click();
      await page.getByRole("button", { name: "Pause" }).click();
      const look = async (name: string) => {
        await picture(page, `${name}-${colorScheme}-${width}`);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(
          0,
        );
        await page.evaluate(await readFile(axePath, "utf8"));
        const found = await page.evaluate(async () => {
          const { axe } = window as unknown as {
            axe: { run(): Promise<{ violations: Array<{ id: string; nodes: unknown[] }> }> };
          };
          return (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${JSON.stringify(nodes).slice(0, 400)}`);
        });
        expect(found).toEqual([]);
      };
      await look("page");
      await page.getByRole("link", { name: "Library", exact: true }).first().click();
      await page.getByRole("region", { name: "Player" }).waitFor();
      await look("bar");
    });
  },
);
