import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publishFolder, startRegistry, type Registry } from "@longbox/registry";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { account } from "../support/account.ts";
import { startChromium } from "../support/chromium.ts";
import { signIn } from "../support/first-run.ts";
import { startLongbox, type RunningLongbox } from "../support/longbox.ts";
import { soon } from "../support/soon.ts";
import { visit } from "../support/visitor.ts";

const manifest = {
  id: "weather",
  title: "Weather",
  description: "Shows the weather on the home page.",
  sdk: "^1.0.0",
  hosts: ["api.example.org"],
  permissions: [{ key: "weather.see", label: "See the weather", description: "", tier: "viewer" }],
};

let folder: string;
let registry: Registry;
let longbox: RunningLongbox;
let browser: Browser;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "longbox-consent-"));
  registry = await startRegistry({ folder: join(folder, "registry"), port: 0 });
  const plugin = join(folder, "weather");
  await mkdir(plugin);
  await writeFile(
    join(plugin, "package.json"),
    JSON.stringify({
      name: "@stranger/weather",
      version: "1.0.0",
      type: "module",
      keywords: ["longbox-plugin"],
      exports: "./index.js",
      longbox: manifest,
    }),
  );
  await writeFile(
    join(plugin, "index.js"),
    `import { definePlugin } from "@longbox/sdk"; export default definePlugin({ activate() {} });`,
  );
  await publishFolder(plugin, registry);
  [longbox, browser] = await Promise.all([startLongbox({ LONGBOX_REGISTRY: registry.url }), startChromium()]);
  const answer = await fetch(`${longbox.url}/api/auth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(account),
  });
  expect(answer.status).toBe(200);
});

afterAll(async () => {
  await browser.close();
  await longbox[Symbol.asyncDispose]();
  await registry.stop();
  await rm(folder, { recursive: true, force: true });
});

it("shows what a plugin of another publisher asks for before it is installed, and installs nothing without a yes", async () => {
  const page = await visit(browser, longbox.url);
  await signIn(page, longbox.url);
  await page.goto("/plugins");
  const offer = page.getByRole("region", { name: "Available" }).getByRole("listitem").filter({ hasText: "Weather" });
  await offer.getByRole("button", { name: "Install" }).click();
  const dialog = page.getByRole("dialog", { name: "Install Weather 1.0.0?" });
  await dialog.waitFor();
  for (const text of [
    "This plugin is not part of Longbox.",
    "Its code runs inside the server",
    '"See the weather" (weather.see), which viewers, trusted users and administrators get.',
    "Sends requests to api.example.org.",
    "This registry signs no packages, so no signature was checked.",
  ])
    await dialog.getByText(text).waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "hidden" });
  await soon(() => page.locator('[data-plugin="weather"]').count()).toBe(0);

  await offer.getByRole("button", { name: "Install" }).click();
  await dialog.waitFor();
  await dialog.getByRole("button", { name: "Accept and install" }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.locator('[data-plugin="weather"]').getByText("Active").waitFor();
});
