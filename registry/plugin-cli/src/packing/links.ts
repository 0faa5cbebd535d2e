// Links of a package's documents: those that lead out of the package.
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";

const link = /(?<!!)\[([^\]]+)\]\((?![a-z]+:|#)([^)\s#]+)(#[^)\s]*)?\)/g;

/**
 * Rewrites the Markdown files of a staged package: a relative link to what is not in the package becomes its text,
 * since who reads the package has nothing behind it.
 * @param files - of the package, relative to `target`
 */
export async function unlinkOutside(target: string, files: readonly string[]): Promise<void> {
  for (const file of files.filter((name) => name.endsWith(".md"))) {
    const path = join(target, file);
    const text = await readFile(path, "utf8");
    const changed = text.replace(link, (whole, label: string, to: string) =>
      isWithin(target, resolve(dirname(path), to)) ? whole : label,
    );
    if (changed !== text) await writeFile(path, changed);
  }
}

const isWithin = (target: string, file: string) => !relative(target, file).startsWith("..") && existsSync(file);
