import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

const installed = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Starts the machine's own browser, or the one that npm brought along where there is none. */
export async function startChromium(): Promise<Browser> {
  const own = installed.find((path) => existsSync(path));
  const args = ["--no-sandbox", "--disable-quic", "--disable-background-networking", "--force-color-profile=srgb"];
  if (own !== undefined) return chromium.launch({ executablePath: own, args });
  const { default: packed } = await import("@sparticuz/chromium");
  return chromium.launch({ executablePath: await packed.executablePath(), args: [...packed.args, ...args] });
}
