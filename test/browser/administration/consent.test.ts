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
  await publishWeather("1.0.0", manifest.hosts);
  [longbox, browser] = await Promise.all([startLongbox({ LONGBOX_REGISTRY: registry.url }), startChromium()]);
  const answer = await fetch(`${longbox.url}/api/auth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(account),
  });
  expect(answer.status).toBe(200);
});

async function publishWeather(version: string, hosts: readonly string[]): Promise<void> {
  const plugin = join(folder, `weather-${version}`);
  await mkdir(plugin);
  const described = { name: "@stranger/weather", version, type: "module", keywords: ["longbox-plugin"] };
  const content = { ...described, exports: "./index.js", longbox: { ...manifest, hosts } };
  await writeFile(join(plugin, "package.json"), JSON.stringify(content));
  await writeFile(join(plugin, "CHANGELOG.md"), `# Changes\n\n## ${version}\n\n- Brings the rain of ${version}\n`);
  await writeFile(
    join(plugin, "index.js"),
    `import { definePlugin } from "@longbox/sdk"; export default definePlugin({ activate() {} });`,
  );
  await publishFolder(plugin, registry);
}

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
    "Its code runs in a process of its own",
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

it("says on a plugin's page what a newer version brings and asks for, upgrades it, switches it and knows the way back", async () => {
  await publishWeather("1.1.0", [...manifest.hosts, "rain.example.org"]);
  const page = await visit(browser, longbox.url);
  await signIn(page, longbox.url);
  // The catalog is read again when it is asked for.
  await soon(async () => JSON.stringify(await (await page.request.get("/api/plugins/catalog")).json())).toContain(
    "1.1.0",
  );
  await page.goto("/plugin/weather");
  const upgrade = page.getByRole("button", { name: "Upgrade to 1.1.0" });
  await upgrade.click();
  const dialog = page.getByRole("dialog", { name: "Upgrade Weather to 1.1.0?" });
  await dialog.getByText(/rain\.example\.org/).waitFor();
  await dialog.getByText("Changes", { exact: true }).click();
  await dialog.getByText(/Brings the rain of 1\.1\.0/).waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "hidden" });
  await upgrade.click();
  await dialog.getByRole("button", { name: "Accept and upgrade" }).click();
  await page.getByText("There is no newer version.").waitFor();
  await page.getByText("You can go back to").waitFor();
  const isOn = page.getByRole("switch", { name: "Weather is on" });
  await isOn.click();
  await page.getByText("Off", { exact: true }).waitFor();
  await isOn.click();
  await page.getByText("Active", { exact: true }).waitFor();
  await page.getByRole("button", { name: "More actions for Weather" }).click();
  await page.getByRole("menuitem", { name: "Go back to 1.0.0" }).click();
  await upgrade.waitFor();
});
