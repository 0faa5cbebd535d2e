import { definePlugin, defineRoute, listSetting, secretSetting, settingTestResult } from "@longbox/sdk";
import { startTestHost, type TestHost } from "@longbox/sdk/testing";
import type { Browser, Page } from "playwright-core";
import { expect, it } from "vitest";
import { z } from "zod";
import { startChromium } from "./support/chromium.ts";
import { soon } from "./support/soon.ts";

const serverEntry = z.object({
  name: z.string().min(1).max(20).default("").meta({ title: "Name" }),
  apiKey: secretSetting({ title: "API key" }),
  enabled: z.boolean().default(true).meta({ title: "Enabled" }),
  folders: z
    .array(z.object({ from: z.string().min(1).meta({ title: "There" }), to: z.string().meta({ title: "Here" }) }))
    .default([])
    .meta({ title: "Folders" }),
});
const settings = z.object({
  title: z.string().max(20).default("").meta({ title: "Title" }),
  note: z.string().default("").meta({ title: "Note" }),
  servers: listSetting(serverEntry, { title: "Servers", test: "/api/feeds/test" }),
});
type FeedSettings = z.output<typeof settings>;

/** Says yes to the right key alone. */
const testRoute = (unmasked: (form: FeedSettings) => FeedSettings) =>
  defineRoute({
    method: "POST",
    path: "/api/feeds/test",
    summary: "Whether a server takes its key",
    body: settings.shape.servers.unwrap().element,
    response: settingTestResult,
    async handle({ body }) {
      const { name, apiKey } = unmasked({ title: "", note: "", servers: [body] }).servers[0]!;
      const ok = apiKey === `key of ${name}`;
      return ok
        ? { ok, message: `${name} took the key.`, version: "2.1" }
        : { ok, message: `${name} refused the key.` };
    },
  });

const account = { username: "keeper", password: "correct horse", role: "admin" };

/** The settings page of a server with that plugin. */
async function openFeeds(host: TestHost, browser: Browser): Promise<Page> {
  await host.as("admin").post("/api/users", account);
  const page = await browser.newPage();
  await page.goto(`${host.url}/settings`);
  await page.getByLabel(/name/i).fill(account.username);
  await page
    .getByLabel(/password/i)
    .first()
    .fill(account.password);
  await page.getByRole("button", { name: /sign in/i }).click();
  return page;
}

function feeds() {
  const held: { current?: () => FeedSettings } = {};
  const plugin = definePlugin({
    settings,
    activate(_, context) {
      held.current = () => context.settings.current;
      context.routes([testRoute((form) => context.settings.unmasked(form))]);
    },
  });
  const manifest = { id: "feeds", title: "Feeds", description: "", sdk: "^1.0.0" };
  return { held, plugin: { manifest, plugin } };
}

it("entries of a setting that is a list are added, tested, changed, reordered and removed in the browser", async () => {
  const { held, plugin } = feeds();
  await using host = await startTestHost({ plugins: ["web", plugin] });
  await using browser = await startChromium();
  const page = await openFeeds(host, browser);
  const group = page.getByRole("region", { name: "Feeds" });
  const names = () => held.current!().servers.map(({ name }) => name);
  /** What is said of the entries is that of the save: it is over when there is nothing to undo. */
  const save = () => group.getByRole("button", { name: "Save" }).click();
  const undo = group.getByRole("button", { name: "Undo" });
  const saved = async () => {
    await save();
    await undo.waitFor({ state: "detached" });
  };
  for (const name of ["One", "Two"]) {
    await group.getByRole("button", { name: "Add to Servers" }).click();
    await group.getByLabel("Name").last().fill(name);
    await group.getByLabel("API key").last().fill(`key of ${name}`);
  }
  // A list within an entry.
  await group.getByRole("button", { name: "Add to Folders" }).first().click();
  await group.getByLabel("There", { exact: true }).fill("/downloads");
  await group.getByLabel("Here", { exact: true }).fill("/mnt/downloads");
  await saved();
  expect(names()).toEqual(["One", "Two"]);
  const ids = held.current!().servers.map(({ id }) => id);
  // With its stored secret, and with one that is not saved yet.
  await group.getByRole("button", { name: "Test Servers 2" }).click();
  await group.getByText("Two took the key. (2.1)").waitFor();
  await group.getByLabel("API key").last().fill("another key");
  await group.getByText("Two took the key. (2.1)").waitFor({ state: "detached" });
  await group.getByRole("button", { name: "Test Servers 2" }).click();
  await group.getByText("Two refused the key.").waitFor();
  await group.getByRole("button", { name: "Undo" }).click();
  await group.getByRole("button", { name: "Move Servers 2 up" }).click();
  await group.getByLabel("Enabled").last().uncheck();
  await saved();
  expect(names()).toEqual(["Two", "One"]);
  expect(held.current!().servers).toEqual([
    { id: ids[1], name: "Two", apiKey: "key of Two", enabled: true, folders: [] },
    {
      id: ids[0],
      name: "One",
      apiKey: "key of One",
      enabled: false,
      folders: [{ from: "/downloads", to: "/mnt/downloads" }],
    },
  ]);
  await group.getByLabel("Name").first().fill("");
  await save();
  await group.locator(".problem").first().waitFor();
  await group.getByRole("button", { name: "Remove Servers 1" }).click();
  await saved();
  expect(names()).toEqual(["One"]);
  expect(held.current!().servers[0]).toMatchObject({ id: ids[0], apiKey: "key of One" });
});

it("keeps what is typed while a save is on its way, and what was wrong when other values arrive", async () => {
  const { held, plugin } = feeds();
  await using host = await startTestHost({ plugins: ["web", plugin] });
  await using browser = await startChromium();
  const page = await openFeeds(host, browser);
  const group = page.getByRole("region", { name: "Feeds" });
  const title = group.getByLabel("Title");
  const note = group.getByLabel("Note");
  const save = group.getByRole("button", { name: "Save" });
  const arrival = Promise.withResolvers<void>();
  const sent = Promise.withResolvers<void>();
  await page.route("**/api/settings", async (route) => {
    if (route.request().method() === "POST") {
      sent.resolve();
      await arrival.promise;
    }
    await route.continue();
  });
  await title.fill("First");
  await note.fill("sent");
  await save.click();
  await sent.promise;
  await title.fill("Second");
  arrival.resolve();
  await page.getByText("Feeds: saved.").waitFor();
  expect(held.current!()).toMatchObject({ title: "First", note: "sent" });
  expect([await title.inputValue(), await note.inputValue()]).toEqual(["Second", "sent"]);
  await save.click();
  await group.getByRole("button", { name: "Undo" }).waitFor({ state: "detached" });
  expect(held.current!()).toMatchObject({ title: "Second", note: "sent" });

  await title.fill("far longer than a title may be");
  await save.click();
  await group.locator(".problem").waitFor();
  await host.as("admin").post("/api/settings", { feeds: { note: "of another window" } });
  await soon(() => note.inputValue()).toBe("of another window");
  expect(await group.locator(".problem").count()).toBe(1);
  await title.fill("Third");
  await group.locator(".problem").waitFor({ state: "detached" });
});
