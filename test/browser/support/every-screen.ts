// Where every screen of the web interface is: those of the shell, those of the plugins, and what those link to.
import type { Page } from "playwright-core";
import { visitUnknown } from "./contributed-pages.ts";

/** The shell's own; the pages of plugins are asked for. */
const own = [
  "/",
  "/library",
  "/library?search=nothing+has+this+name",
  "/search?q=moth",
  "/search?q=nothing+has+this+name",
  "/series/1",
  "/series/99999",
  "/issue/-1",
  "/libraries",
  "/users",
  "/plugins",
  "/plugin/collection",
  "/settings",
  "/offline",
  "/account",
  "/welcome",
  "/nowhere",
  "/read/-1",
];

/**
 * The addresses of all screens, from what the server says of the clients of plugins, and from links of their pages: of
 * a pattern with sections all of them, of others the first that is linked.
 */
export async function findScreens(page: Page): Promise<readonly string[]> {
  const answer = await page.request.get("/api/plugins/client");
  const parts = (await answer.json()) as Array<{ nav: Array<{ path: string }>; pages: Array<{ path: string }> }>;
  const patterns = [...new Set(parts.flatMap(({ nav, pages }) => [...nav, ...pages].map(({ path }) => path)))];
  const plain = patterns.filter((path) => !path.includes(":")).sort();
  const known = new Set([...own, ...plain]);
  const found = new Map<string, string[]>();
  for (const path of plain) {
    await visitUnknown(page, path);
    for (const link of await links(page)) {
      const pattern = patterns.find((one) => one.includes(":") && regularOf(one).test(link));
      if (pattern !== undefined && !known.has(link)) found.set(pattern, [...(found.get(pattern) ?? []), link]);
    }
  }
  const linked = [...found].flatMap(([pattern, paths]) => (isOfSections(pattern) ? paths : paths.slice(0, 1)));
  return [...new Set([...known, ...linked])];
}

/** Sections are different screens; other parameters are ids of things that look alike. */
function isOfSections(pattern: string): boolean {
  return /:(section|when)$/.test(pattern);
}

function regularOf(pattern: string): RegExp {
  return new RegExp(`^${pattern.replaceAll(/:\w+/g, "[^/]+")}$`);
}

function links(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const paths = new Set<string>();
    const look = (root: ParentNode): void => {
      for (const link of root.querySelectorAll<HTMLAnchorElement>("a[href^='/']"))
        paths.add(new URL(link.href).pathname);
      for (const element of root.querySelectorAll("*")) if (element.shadowRoot) look(element.shadowRoot);
    };
    look(document);
    return [...paths];
  });
}
