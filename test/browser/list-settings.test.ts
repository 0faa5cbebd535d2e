import { definePlugin, defineRoute, listSetting, secretSetting, settingTestResult } from "@longbox/sdk";
import { startTestHost } from "@longbox/sdk/testing";
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
const settings = z.object({ servers: listSetting(serverEntry, { title: "Servers", test: "/api/feeds/test" }) });
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
      const { name, apiKey } = unmasked({ servers: [body] }).servers[0]!;
      const ok = apiKey === `key of ${name}`;
      return ok
        ? { ok, message: `${name} took the key.`, version: "2.1" }
        : { ok, message: `${name} refused the key.` };
    },
  });

it("entries of a setting that is a list are added, tested, changed, reordered and removed in the browser", async () => {
  const held: { current?: () => z.output<typeof settings> } = {};
  const plugin = definePlugin({
    settings,
    activate(_, context) {
      held.current = () => context.settings.current;
      context.routes([testRoute((form) => context.settings.unmasked(form))]);
    },
  });
  const manifest = { id: "feeds", title: "Feeds", description: "", sdk: "^1.0.0" };
  await using host = await startTestHost({ plugins: ["web", { manifest, plugin }] });
  const account = { username: "keeper", password: "correct horse", role: "admin" };
  await host.as("admin").post("/api/users", account);
  await using browser = await startChromium();
  const page = await browser.newPage();
  await page.goto(`${host.url}/settings`);
  await page.getByLabel(/name/i).fill(account.username);
  await page
    .getByLabel(/password/i)
    .first()
    .fill(account.password);
  await page.getByRole("button", { name: /sign in/i }).click();
  const group = page.getByRole("region", { name: "Feeds" });
  const names = () => held.current!().servers.map(({ name }) => name);
  const save = () => group.getByRole("button", { name: "Save" }).click();
  for (const name of ["One", "Two"]) {
    await group.getByRole("button", { name: "Add to Servers" }).click();
    await group.getByLabel("Name").last().fill(name);
    await group.getByLabel("API key").last().fill(`key of ${name}`);
  }
  // A list within an entry.
  await group.getByRole("button", { name: "Add to Folders" }).first().click();
  await group.getByLabel("There", { exact: true }).fill("/downloads");
  await group.getByLabel("Here", { exact: true }).fill("/mnt/downloads");
  await save();
  await soon(names).toEqual(["One", "Two"]);
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
  await save();
  await soon(names).toEqual(["Two", "One"]);
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
  await save();
  await soon(names).toEqual(["One"]);
  expect(held.current!().servers[0]).toMatchObject({ id: ids[0], apiKey: "key of One" });
});
