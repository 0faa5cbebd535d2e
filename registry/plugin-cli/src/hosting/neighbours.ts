import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A plugin that runs beside the one under development. */
export interface Neighbour {
  readonly folder: string;
  /** It has a web interface. */
  readonly hasSite: boolean;
}

/**
 * The plugins among the dependencies of a plugin, such as `@longbox/collection` in its devDependencies: they
 * run beside it, so that what it requires is there.
 */
export async function neighbours(folder: string): Promise<Neighbour[]> {
  const own = await readJson(join(folder, "package.json"));
  const names = ["dependencies", "devDependencies"].flatMap((field) => Object.keys((own[field] ?? {}) as object));
  const found: Neighbour[] = [];
  for (const name of names) {
    const place = installedAt(folder, name);
    const { keywords, longbox } = place === undefined ? {} : await readJson(join(place, "package.json"));
    if (place === undefined || !Array.isArray(keywords) || !keywords.includes("longbox-plugin")) continue;
    found.push({ folder: place, hasSite: typeof longbox === "object" && longbox !== null && "site" in longbox });
  }
  return found;
}

async function readJson(file: string): Promise<Partial<Record<string, unknown>>> {
  return JSON.parse(await readFile(file, "utf8")) as Record<string, unknown>;
}

function installedAt(from: string, name: string): string | undefined {
  const place = join(from, "node_modules", name);
  if (existsSync(join(place, "package.json"))) return place;
  return dirname(from) === from ? undefined : installedAt(dirname(from), name);
}
