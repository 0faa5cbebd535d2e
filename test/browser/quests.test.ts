import { join } from "node:path";
import { Collection, CoverSources } from "@longbox/collection/contract";
import { definePlugin } from "@longbox/sdk";
import { drawCover } from "@longbox/test/fixtures";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openQuestDesk, type Player, type QuestDesk } from "../../plugins/gamify/test/support/quest-desk.ts";
import { startChromium } from "./support/chromium.ts";
import { objections } from "./support/objections.ts";
import { visit } from "./support/visitor.ts";

const shots = process.env["LONGBOX_SHOTS"];
const looks = [
  { theme: "light", width: 1440, height: 900 },
  { theme: "dark", width: 390, height: 844 },
] as const;
/** Looked at, and not judged each time. */
const others = [
  { theme: "dark", width: 1440, height: 900 },
  { theme: "light", width: 390, height: 844 },
] as const;
const dayMs = 86_400_000;
const names = ["Moth Patrol", "Night Bell", "Salt Road", "Low Tides", "Lantern Row", "The Quiet Mile", "Paper Foxes"];

/** Draws a cover for every issue. */
const painter = {
  manifest: {
    id: "painter",
    title: "Painter",
    description: "",
    sdk: "^1.0.0",
    requires: { collection: "^1.0.0" },
    contributes: { coverSources: "^1.0.0" },
  },
  plugin: definePlugin({
    requires: { library: Collection },
    activate: ({ library }, context) =>
      void context.contribute(CoverSources, {
        rank: 1,
        validator: async ({ issueId }) => String(issueId),
        async findCover({ issueId }) {
          const [issue] = await library.findIssues([issueId], everything);
          const bytes = await drawCover(issue!.seriesTitle, issue!.number, { width: 200, height: 300, format: "png" });
          return { bytes, contentType: "image/png" };
        },
      }),
  }),
};
const everything = { user: { id: -1, username: "painter", role: "system" }, may: () => true, seesRestricted: true };

describe("quests", () => {
  let browser: Browser;
  let desk: QuestDesk;
  let reader: Player;

  beforeAll(async () => {
    [browser, desk] = await Promise.all([startChromium(), openQuestDesk({ plugins: ["web", painter] })]);
    reader = await desk.join("viewer");
    const works: number[] = [];
    for (const [index, series] of names.entries())
      works.push(
        ...(await desk.place({
          series,
          numbers: ["1", "2", "3", "4"],
          coverDate: `${1958 + index * 11}-03-01`,
          writer: `Writer ${index}`,
        })),
      );
    const ago = (days: number) => new Date(Date.now() - days * dayMs).toISOString();
    // Eleven days, one of them missed.
    for (const [index, days] of [11, 10, 9, 8, 7, 6, 5, 4, 2, 1].entries())
      await reader.read(works[index]!, 20, { at: ago(days) });
    await reader.read(works[10]!, 9);
    await reader.client.post("/api/gamify/goal", { target: 24 });
    const [other, third] = [await desk.join("trusted"), await desk.join("admin")];
    await other.finish(...works.slice(0, 9));
    await third.read(works[3]!, 12);
  });
  afterAll(async () => {
    await browser.close();
    await desk[Symbol.asyncDispose]();
  });

  async function open(role: string, path: string, options: Parameters<typeof visit>[2] = {}): Promise<Page> {
    const page = await visit(browser, desk.host.url, {
      ...options,
      extraHTTPHeaders: { "x-api-key": desk.host.as(role).key as string },
    });
    await page.goto(path);
    return page;
  }

  it("show what was reached, and swap one for another", async () => {
    const page = await open("viewer", "/quests");
    await page.getByRole("heading", { name: "This week" }).waitFor();
    await page.getByRole("heading", { name: "11 days in a row" }).waitFor();
    const cards = page.getByRole("region", { name: "This week" }).getByRole("listitem");
    const before = await cards.allInnerTexts();
    await page
      .getByRole("button", { name: /^Swap the quest/ })
      .first()
      .click();
    await page.getByText("2 swaps left").waitFor();
    expect(await cards.allInnerTexts()).not.toEqual(before);
    // The first visit took the time zone of the browser.
    await page.getByText(/Your days follow the time zone (?!null)/).waitFor();
  });

  it("take a goal, and leave the leaderboard and come back", async () => {
    const page = await open("viewer", "/quests");
    await page.getByRole("button", { name: "Change the goal" }).click();
    await page.getByLabel("Items to finish this year").fill("30");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: /of 30 in/ }).waitFor();
    const board = page.getByRole("table");
    await board.getByText("you", { exact: true }).waitFor();
    await page.getByRole("switch", { name: "Show me on the leaderboard" }).click();
    await board.getByText("you", { exact: true }).waitFor({ state: "detached" });
    await page.getByRole("switch", { name: "Show me on the leaderboard" }).click();
    await board.getByText("you", { exact: true }).waitFor();
  });

  it("are on the home page for users who choose it, and lead to the page", async () => {
    const home = await open("viewer", "/");
    await home.getByRole("heading", { name: "Recently added series" }).waitFor();
    expect(await home.getByRole("link", { name: /^Quests:/ }).count()).toBe(0);
    const page = await open("viewer", "/quests");
    await page.getByRole("switch", { name: "Show a summary on the home page" }).click();
    await home.getByRole("link", { name: /^Quests: \d of 3 quests completed/ }).click();
    await home.getByRole("heading", { name: "Achievements" }).waitFor();
  });

  it.each([
    {
      locale: "de",
      achievement: "Die erste Seite",
      said: "Lies deine erste Seite",
      quest: /Seiten?|Tagen|beenden|ausprobieren|kennenlernen|Etwas/,
    },
    { locale: "ar", achievement: "الصفحة الأولى", said: "اقرأ أول صفحة لك", quest: /اقرأ|أنهِ|جرّب|تعرّف|صفحة|شيء/ },
  ])("and achievements are said in the language of the user: $locale", async ({ locale, achievement, said, quest }) => {
    const page = await open("viewer", "/quests", { locale });
    const earned = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: achievement }) });
    await earned.getByText(said).waitFor();
    const titles = page.locator(".quest h3");
    expect(await titles.count()).toBe(3);
    for (const title of await titles.allInnerTexts()) expect(title).toMatch(quest);
  });

  it("say why there are none", async () => {
    await desk.host.disable("reader");
    const page = await open("viewer", "/quests");
    await page.getByText("Quests need the plugin “Reader”, which is off.").waitFor();
    await desk.host.enable("reader");
  });

  it.each(shots ? [...looks, ...others] : looks)(
    "give axe nothing to object to, and never scroll sideways: $theme, $width pixels wide",
    async ({ theme, width, height }) => {
      const page = await open("viewer", "/quests", { viewport: { width, height }, colorScheme: theme });
      await page.getByRole("table").waitFor();
      await page.waitForLoadState("networkidle");
      if (shots) await page.screenshot({ path: join(shots, `quests-${theme}-${width}.png`), fullPage: true });
      expect(await objections(page)).toEqual([]);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      ).toBe(0);
    },
  );
});
