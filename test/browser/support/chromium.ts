import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";
import { packedChromium } from "./packed-chromium.ts";
import { slowedDown } from "./slow-browser.ts";

const installed = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
/**
 * Chromium heeds the last list only, so this one repeats Playwright's (`chromiumSwitches` of its source). The rest is
 * the browser's own interface, which no test sees: its pages for the address bar start two processes for each context,
 * and take two thirds of the processor time of opening a page.
 */
const disabledFeatures = [
  ...["AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "LensOverlay"],
  ...["HttpsFirstBalancedModeAutoEnable", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning"],
  ...["AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled"],
  ...["PreconnectToSearch"],
  ...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "PreloadTopChromeWebUI"],
];
const args = [
  ...["--no-sandbox", "--disable-quic", "--disable-background-networking", "--force-color-profile=srgb"],
  `--disable-features=${disabledFeatures.join(",")}`,
];

/** The machine's own browser, where it has one. */
const own = installed.find((path) => existsSync(path));

/**
 * Starts the machine's own browser, or the one that npm brought along where there is none. With
 * `LONGBOX_SLOW_BROWSER=1` it is as slow as an old phone far away, so that a test shows where it does not wait for what
 * it needs.
 * @param more - Arguments for the browser beside the usual ones
 */
export async function startChromium(more: readonly string[] = []): Promise<Browser> {
  const browser = await launched([...args, ...more]);
  return process.env.LONGBOX_SLOW_BROWSER ? slowedDown(browser) : browser;
}

async function launched(given: string[]): Promise<Browser> {
  if (own !== undefined) return chromium.launch({ executablePath: own, args: given });
  const { executablePath, env } = await packedChromium();
  return chromium.launch({ executablePath, env: { ...process.env, ...env }, args: [...given, "--no-zygote"] });
}

/** For before the tests: unpacked by all of them at once, the packed browser would cost each its time. */
export async function setup(): Promise<void> {
  if (own === undefined) await packedChromium();
}
