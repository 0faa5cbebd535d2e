import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * The folders of the plugins among the dependencies of a plugin, such as `@longbox/collection` in its devDependencies: they
 * run beside it, so that what it requires is there.
 */
export async function neighbours(folder: string): Promise<string[]> {
  const own = await readJson(join(folder, "package.json"));
  const names = ["dependencies", "devDependencies"].flatMap((field) => Object.keys((own[field] ?? {}) as object));
  const found: string[] = [];
  for (const name of names) {
    const place = installedAt(folder, name);
    const keywords = place && (await readJson(join(place, "package.json")))["keywords"];
    if (Array.isArray(keywords) && keywords.includes("longbox-plugin")) found.push(place!);
  }
  return found;
}

async function readJson(file: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(file, "utf8")) as Record<string, unknown>;
}

function installedAt(from: string, name: string): string | undefined {
  const place = join(from, "node_modules", name);
  if (existsSync(join(place, "package.json"))) return place;
  return dirname(from) === from ? undefined : installedAt(dirname(from), name);
}
