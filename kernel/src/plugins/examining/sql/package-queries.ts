import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { Mistake } from "../mistakes.js";
import { sourceOf } from "../import-effects.js";
import { unportableIn, type Unportable } from "./portable-sql.js";

/** Larger modules are libraries for the most part. */
const largestBytes = 4_000_000;
const mostWarnings = 20;

/**
 * Queries of a package that only one storage engine takes. Only warnings, since the text of a module does not show all,
 * and not everything that looks like SQL is some. Belongs into the process of a trial, which has a time limit.
 */
export async function examineQueries(folder: string, clientFolder: string | undefined): Promise<Mistake[]> {
  const names = await readdir(folder, { recursive: true });
  const isOwn = (name: string) =>
    /\.[cm]?js$/.test(name) &&
    !/(?:^|\/)node_modules\//.test(name) &&
    (clientFolder === undefined || !name.startsWith(`${clientFolder}/`));
  const found: Mistake[] = [];
  for (const name of names.filter(isOwn).sort()) found.push(...(await examineModule(folder, name)));
  return found.slice(0, mostWarnings);
}

interface Module {
  readonly file: string;
  /** Relative to the package. */
  readonly name: string;
  readonly text: string;
}

async function examineModule(folder: string, name: string): Promise<Mistake[]> {
  const file = path.join(folder, name);
  if ((await stat(file)).size > largestBytes) return [];
  const text = await readFile(file, "utf8");
  if (!/\bkysely\b|\.selectFrom\(/.test(text)) return [];
  const seen = new Set<string>();
  return unportableIn(text, false).flatMap((unportable): Mistake[] => {
    const place = placeOf({ file, name, text }, unportable);
    const key = `${place.file}:${place.line} ${unportable.found}`;
    if (seen.has(key) || /(?:^|\/)node_modules\//.test(place.file)) return [];
    seen.add(key);
    const message = `The query in ${place.file} at line ${place.line} has "${unportable.found}": ${unportable.because}.`;
    return [{ code: "sql-not-portable", message, ...place }];
  });
}

function placeOf({ file, name, text }: Module, { index }: Unportable) {
  const before = text.slice(0, index).split("\n");
  return sourceOf(file, before.length, before.at(-1)!.length + 1) ?? { file: name, line: before.length };
}
