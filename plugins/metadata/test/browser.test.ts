import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chooseAction } from "../../../test/browser/support/choose-action.ts";
import { startChromium } from "../../../test/browser/support/chromium.ts";
import { serve, volume, type Served } from "./support/server.js";

describe("in the browser", () => {
  let browser: Browser;
  let served: Served;

  beforeAll(async () => {
    [browser, served] = await Promise.all([startChromium(), serve({ plugins: ["web"] })]);
    served.provider.add(
      volume(5001, "Moth Patrol", 6),
      volume(5002, "Moth Patrol", { count: 12, start_year: "1987" }),
      volume(5003, "Moth Candle", 3),
    );
  });
  afterAll(async () => {
    await browser.close();
    await served[Symbol.asyncDispose]();
  });

  async function open(role: string, path: string, locale = "en-US"): Promise<Page> {
    const page = await browser.newPage({ locale });
    await page.setExtraHTTPHeaders({ "x-api-key": served.host.as(role).key as string });
    await page.goto(served.host.url + path);
    return page;
  }

  it("a series is found at the provider and added", async () => {
    const page = await open("trusted", "/add");
    await page.getByRole("searchbox", { name: /Title, or the address/ }).fill("moth");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.getByRole("button", { name: "Add: Moth Candle, 2019" }).click();
    await page.getByRole("link", { name: "Moth Candle is in your library" }).click();
    await page.getByRole("heading", { name: "Moth Candle", level: 1 }).waitFor();
    expect((await served.host.as("viewer").get("/api/collection")).body).toMatchObject([
      { title: "Moth Candle", cvId: 5003, monitor: "all" },
    ]);
    await page.close();
  });

  it("a series that is in doubt is matched by a person", async () => {
    const id = await served.place({ name: "Moth Patrol", numbers: ["1", "2"] });
    const page = await open("trusted", `/series/${id}`);
    await chooseAction(page, "More for this series", "Find details");
    const dialog = page.getByRole("dialog", { name: "Which one is Moth Patrol?" });
    await dialog.getByText("same title, year unknown").first().waitFor();
    await dialog.getByRole("button", { name: "This one: Moth Patrol, 1987" }).click();
    await page.getByText(/^\s*Moth Patrol was matched/).waitFor();
    expect((await served.host.as("viewer").get(`/api/collection/${id}`)).body).toMatchObject({
      cvId: 5002,
      total: 12,
      owned: 2,
    });
    await page.close();
  });

  it("several series are matched one after the other, by keys", async () => {
    served.provider.add(volume(5011, "Salt Road", 4), volume(5012, "Salt Road", { count: 9, start_year: "1991" }));
    served.provider.add(volume(5021, "Low Tide", 4), volume(5022, "Low Tide", { count: 9, start_year: "1991" }));
    await served.place({ name: "Salt Road", numbers: ["1"] });
    await served.place({ name: "Low Tide", numbers: ["1"] });
    const page = await open("trusted", "/library?filter=unmatched");
    await page.getByRole("link", { name: /^Low Tide/ }).click({ modifiers: ["Control"] });
    await page.getByRole("link", { name: /^Salt Road/ }).click({ modifiers: ["Shift"] });
    await page.getByRole("toolbar", { name: "Selection" }).getByRole("button", { name: "Match 2 series" }).click();
    const dialog = page.getByRole("dialog", { name: "Match 2 series" });
    await dialog.getByText("1 of 2 found").waitFor();
    await dialog.getByRole("group", { name: "Compare" }).focus();
    await page.keyboard.press("ArrowRight");
    await dialog.getByText("2 of 2 found").waitFor();
    await page.keyboard.press("Enter");
    await dialog.getByText("2 of 2 · 1 series was matched").waitFor();
    await dialog.getByText("1 of 2 found").waitFor();
    await page.keyboard.press("Delete");
    await dialog.getByText("Done · 1 series was matched").waitFor();
    await page.close();
  });

  it("the reasons for a match are said in the language of the user", async () => {
    const id = await served.place({ name: "Moth Patrol", numbers: ["8"], year: 1999 });
    const page = await open("trusted", `/series/${id}`, "de");
    await chooseAction(page, "Mehr zu dieser Serie", "Details suchen");
    await page
      .getByRole("dialog")
      .getByText(/gleicher Titel, Jahr \d+ statt 1999/)
      .first()
      .waitFor();
    await page.close();
  });

  it("who may not manage the library is offered neither", async () => {
    const page = await open("viewer", `/series/${(await served.host.as("viewer").get("/api/collection")).body[0].id}`);
    await page.getByRole("button", { name: "Follow" }).waitFor();
    expect([
      await page.getByRole("button", { name: "More for this series" }).count(),
      await page.getByRole("link", { name: "Add series" }).count(),
    ]).toEqual([0, 0]);
    await page.close();
  });
});
