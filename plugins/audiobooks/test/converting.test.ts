import { existsSync } from "node:fs";
import { needs } from "@longbox/test/needs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startChromium } from "../../../test/browser/support/chromium.ts";
import { soon } from "../../../test/browser/support/soon.ts";
import { visit } from "../../../test/browser/support/visitor.ts";
import { openListeningRoom, type ListeningRoom } from "./support/listening-room.js";
import { mp4File } from "./support/mp4-file.js";

const folders = (process.env["PATH"] ?? "").split(":");
const hasFfmpeg = folders.some((folder) => existsSync(`${folder}/ffmpeg`));

let room: ListeningRoom;
let browser: Browser;
let id: number;
beforeAll(async () => {
  const files = { "night.m4b": mp4File({ seconds: 60, tags: { "\xa9alb": "Night Bell" } }) };
  [room, browser] = await Promise.all([openListeningRoom(files, { plugins: ["web"] }), startChromium()]);
  id = (await room.books())["Night Bell"]!.id;
});
afterAll(async () => {
  await browser.close();
  await room[Symbol.asyncDispose]();
});

const converted = (query: string) => room.host.as("viewer").get(`/api/audiobooks/issue/${id}/stream?as=mp3${query}`);

describe("a format that the browser cannot play", needs(hasFfmpeg, "ffmpeg is not installed"), () => {
  it("is converted from any time on", async () => {
    const [whole, rest] = [await converted(""), await converted("&from=45.5")];
    expect([whole.status, whole.headers.get("content-type"), whole.headers.get("accept-ranges")]).toEqual([
      200,
      "audio/mpeg",
      null,
    ]);
    // 96 kbit/s: 12 000 bytes a second.
    expect(whole.bytes.length / 12_000).toBeCloseTo(60, 0);
    expect(rest.bytes.length / 12_000).toBeCloseTo(14.5, 0);
    expect([(await converted("&part=1")).status, (await converted("&from=-1")).status]).toEqual([404, 400]);
  });

  it("is played all the same, at the right position", async () => {
    const headers = { "x-api-key": room.host.as("viewer").key as string };
    const page = await visit(browser, room.host.url, { extraHTTPHeaders: headers });
    await page.addInitScript(() => (HTMLMediaElement.prototype.canPlayType = () => ""));
    await page.goto(`/listen/${id}`);
    await page.getByRole("button", { name: "Listen" }).click();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await page.getByRole("slider", { name: "Position" }).fill("40");
    const seconds = () =>
      page.getByRole("slider", { name: "Position" }).evaluate((input) => (input as HTMLInputElement).valueAsNumber);
    await soon(seconds).toBeGreaterThanOrEqual(41);
    expect(await seconds()).toBeLessThan(50);
  });
});

describe("without ffmpeg", () => {
  it("says what cannot be played, instead of playing nothing", async () => {
    const path = process.env["PATH"];
    process.env["PATH"] = "";
    try {
      await using without = await openListeningRoom(
        { "night.m4b": mp4File({ seconds: 5, tags: { "\xa9alb": "Night Bell" } }) },
        { plugins: ["web"] },
      );
      const book = (await without.books())["Night Bell"]!.id;
      const viewer = without.host.as("viewer");
      expect((await viewer.get(`/api/audiobooks/issue/${book}/chapters`)).body.converts).toBe(false);
      expect(await viewer.get(`/api/audiobooks/issue/${book}/stream?as=mp3`)).toMatchObject({
        status: 409,
        body: { code: "audiobooks/cannot-convert" },
      });
      const page = await visit(browser, without.host.url, { extraHTTPHeaders: { "x-api-key": viewer.key as string } });
      await page.addInitScript(() => (HTMLMediaElement.prototype.canPlayType = () => ""));
      await page.goto(`/listen/${book}`);
      await page.getByRole("button", { name: "Listen" }).click();
      await page.getByText("This browser cannot play AAC in M4B files.").first().waitFor();
      await page.goto("about:blank");
    } finally {
      process.env["PATH"] = path;
    }
  });
});
