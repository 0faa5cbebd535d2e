import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { soon } from "../../../test/browser/support/soon.ts";
import { flacFile } from "./support/lossless-file.js";
import { mp3File } from "./support/mp3-file.js";
import { nightBell, openPlayerPages, picture, pictures, seconds, type PlayerPages } from "./support/player-pages.js";

const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

let pages: PlayerPages;
beforeAll(async () => {
  pages = await openPlayerPages({
    "night.mp3": await nightBell(),
    "Two/01.mp3": mp3File({ seconds: 4, hasInfo: true, id3: { texts: { TALB: "Two", TIT2: "One" } } }),
    "Two/02.mp3": mp3File({ seconds: 30, hasInfo: true, id3: { texts: { TALB: "Two", TIT2: "Two" } } }),
    "quiet.flac": flacFile({
      seconds: 20,
      comments: ["ALBUM=Quiet"],
      isSilent: (second) => second > 1 && second < 15,
    }),
  });
});
afterAll(() => pages[Symbol.asyncDispose]());

it("plays while the listener browses, keeps the place, and goes on there on another device", async () => {
  const page = await pages.open("viewer");
  await pages.listen(page, "Night Bell");
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
  await soon(async () => Math.floor((await pages.progressOf("Night Bell", "viewer"))?.position ?? 0)).toBe(paused);

  const other = await pages.open("viewer");
  const { cvIssueId, id } = pages.ids["Night Bell"]!;
  const { seriesId } = (await pages.room.host.as("viewer").get(`/api/issue/${cvIssueId}`)).body;
  await other.goto(`/series/${seriesId}`);
  const goingOn = other.getByRole("link", { name: /^Continue with/ });
  expect(await goingOn.getAttribute("href")).toBe(`/listen/${id}?play=1`);
  await pages.listen(other, "Night Bell", "Continue");
  await soon(() => seconds(other)).toBeGreaterThanOrEqual(paused - 3);
  expect(await seconds(other)).toBeLessThan(paused + 60);
});

it("plays several files as one timeline, from one into the next, to the end", async () => {
  const page = await pages.open("trusted");
  await pages.listen(page, "Two");
  await page.getByRole("button", { name: /^Two/ }).waitFor();
  await soon(() => seconds(page)).toBeGreaterThanOrEqual(5);
  await page.getByText("Two", { exact: true }).first().waitFor();
  await page.getByRole("slider", { name: "Position" }).fill("33");
  await soon(async () => (await pages.progressOf("Two", "trusted"))?.completed).toBe(true);
  await pages.listen(page, "Two", "Listen again");
  await soon(async () => (await pages.progressOf("Two", "trusted"))?.completed).toBe(false);
  expect(await seconds(page)).toBeLessThan(20);
});

it("runs from left to right also where the language is read from the right", async () => {
  const page = await pages.open("viewer", { locale: "ar" });
  await page.goto(`/listen/${pages.ids["Night Bell"]!.id}?play`);
  const player = page.getByRole("group", { name: "المشغّل" });
  await player.getByRole("button", { name: "إيقاف مؤقت" }).click();
  const leftOf = async (name: string) => (await player.getByRole("button", { name }).boundingBox())!.x;
  expect(await leftOf("الفصل السابق")).toBeLessThan(await leftOf("الفصل التالي"));
  const [passed, left] = await player.locator(".spread").first().locator(".time").all();
  expect(await left!.textContent()).toMatch(/^−/);
  expect((await passed!.boundingBox())!.x).toBeLessThan((await left!.boundingBox())!.x);
});

it("plays faster, skips silences, and keeps bookmarks with notes", async () => {
  const page = await pages.open("viewer");
  await page.addInitScript(() => {
    const { set } = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, "playbackRate")!;
    Object.defineProperty(HTMLMediaElement.prototype, "playbackRate", {
      set(rate: number) {
        sessionStorage.setItem("rates", `${sessionStorage.getItem("rates") ?? ""} ${rate}`);
        set!.call(this, rate);
      },
    });
  });
  await pages.listen(page, "Quiet");
  await page.getByRole("button", { name: /^Speed/ }).click();
  await page.getByRole("menuitemradio", { name: "2×", exact: true }).click();
  await page.getByRole("button", { name: "Speed, 2×" }).waitFor();
  await page.getByText("Skip silences").click();
  await soon(() => seconds(page)).toBeGreaterThanOrEqual(16);
  // The chosen speed, four times that in the silence, and the chosen one again.
  expect(await page.evaluate(() => sessionStorage.getItem("rates"))).toMatch(/ 2 8 2$/);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByLabel("Note", { exact: true }).fill("The tide turns");
  await page.getByRole("button", { name: "Bookmark this place" }).click();
  await page.getByRole("button", { name: "The tide turns" }).waitFor();
  await page.getByRole("button", { name: /^Edit the note/ }).click();
  await page.getByLabel(/^Note at/).fill("The tide has turned");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("button", { name: "The tide has turned" }).waitFor();
  const kept = (await pages.room.host.as("viewer").get(`/api/audiobooks/issue/${pages.ids["Quiet"]!.id}/bookmarks`))
    .body;
  expect(kept).toMatchObject([{ note: "The tide has turned", position: expect.any(Number) }]);
  await page.getByRole("button", { name: /^Remove the bookmark/ }).click();
  await page.getByText("No bookmarks yet.").waitFor();
});

it("stops by the sleep timer, and goes on after a key", async () => {
  const page = await pages.open("admin");
  await pages.listen(page, "Night Bell");
  await page.getByRole("slider", { name: "Position" }).fill("57");
  await page.getByRole("button", { name: "Sleep timer" }).click();
  await page.getByRole("menuitemradio", { name: "End of the chapter" }).click();
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  const asleep = await seconds(page);
  expect([asleep >= 58, asleep <= 65]).toEqual([true, true]);
  // The focus is on the button of the menu: a key wakes it, and does nothing else.
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Pause" }).waitFor();
});

it("tells headset keys and lock screens what plays, and is where it was after a reload", async () => {
  const page = await pages.open("trusted");
  await pages.listen(page, "Night Bell");
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
  const { id } = pages.ids["Night Bell"]!;
  await pages.room.host
    .as("admin")
    .post(`/api/audiobooks/issue/${id}/progress`, { position: 250, duration: 300, device: "Phone" });
  const page = await pages.open("admin");
  await page.addInitScript(() => localStorage.setItem("longbox.audiobooks.device", "Desk"));
  await pages.room.host
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
      const page = await pages.open("viewer", { colorScheme, viewport: { width, height: 844 } });
      await page.goto(`/listen/${pages.ids["Night Bell"]!.id}`);
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
