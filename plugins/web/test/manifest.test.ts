import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };

const { siteSlots, sitePages } = manifest.longbox;
const client = join(import.meta.dirname, "../client/src");

/** The slots of the pages, as the templates name them; `settings.${…}` stands for all that begin so. */
async function slotsOfPages(): Promise<string[]> {
  const found = new Set<string>();
  for await (const file of glob("**/*.ts", { cwd: client }))
    for (const [, name] of (await readFile(join(client, file), "utf8")).matchAll(/<lb-slot\b[^>]*?\bname="([^"]+)"/g))
      found.add(name!.replace(/\$\{.*\}/, "*"));
  return [...found];
}

it("names every slot that a page has, so that plugins with a part for it can be installed", async () => {
  const covered = (slot: string) =>
    siteSlots.some((name) => name === slot || (name.endsWith(".*") && slot.startsWith(name.slice(0, -1))));
  const slots = await slotsOfPages();
  expect(slots.length).toBeGreaterThan(6);
  expect(slots.filter((slot) => !covered(slot))).toEqual([]);
  expect(siteSlots.filter((name) => !slots.includes(name))).toEqual([]);
});

it("names every page of its own, so that no plugin hides behind one", async () => {
  const shape = (path: string) => path.replaceAll(/:\w+/g, ":");
  const table = await readFile(join(client, "shell/routing/own-pages.ts"), "utf8");
  const own = [...table.matchAll(/: page\(\s*"([^"]+)"/g)].map(([, path]) => shape(path!));
  expect(own.length).toBeGreaterThan(12);
  expect(new Set(sitePages.map(shape))).toEqual(new Set(own.filter((path) => path !== "/" && path !== "/not-found")));
});
