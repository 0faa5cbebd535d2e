import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { soon } from "./soon.ts";

const plugins = fileURLToPath(new URL("../../../plugins", import.meta.url));

/** The ids of all plugins of this checkout that bring something to the web interface and are built. */
export function pluginsWithClients(): readonly string[] {
  return readdirSync(plugins).filter((id) => {
    const path = join(plugins, id, "package.json");
    const js = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).longbox?.client?.js : undefined;
    return js !== undefined && existsSync(join(plugins, id, js)) && existsSync(join(plugins, id, "dist/index.js"));
  });
}

/** Where the server says that plugins have pages: those in the navigation, and others that need no parameter. */
export async function contributedPaths(url: string, key: string): Promise<readonly string[]> {
  const answer = await fetch(`${url}/api/plugins/client`, { headers: { "X-Api-Key": key } });
  const parts = (await answer.json()) as Array<{ nav: Array<{ path: string }>; pages: Array<{ path: string }> }>;
  const paths = parts.flatMap(({ nav, pages }) => [...nav, ...pages].map(({ path }) => path));
  return [...new Set(paths)].filter((path) => !path.includes(":")).sort();
}

/**
 * Goes to a page that this test knows nothing of, and waits until it has its heading and all it asked the server for.
 */
export async function visitUnknown(page: Page, path: string): Promise<void> {
  const asked = new Set<unknown>();
  const isWaitedFor = (address: string) => !address.endsWith("/api/events");
  const asks = (request: { url(): string }) => void (isWaitedFor(request.url()) && asked.add(request));
  const answered = (request: unknown) => void asked.delete(request);
  page.on("request", asks).on("requestfinished", answered).on("requestfailed", answered);
  try {
    await page.goto(path);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await soon(async () => {
      const quiet = asked.size === 0;
      // What has arrived may make a page ask for more once it is drawn.
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0))));
      return quiet && asked.size === 0;
    }).toBe(true);
  } finally {
    page.off("request", asks).off("requestfinished", answered).off("requestfailed", answered);
  }
}
