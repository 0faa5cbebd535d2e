import { readdir, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { z } from "zod";
import { BadInput, type Viewer } from "@longbox/sdk";
import type { Formats } from "../formats/formats.js";
import { readFolderNames } from "../names/folder-names.js";
import { readFolders } from "../names/folders.js";

const previewedFile = z.object({
  path: z.string().optional(),
  name: z.string(),
  size: z.number().int(),
  series: z.string().optional(),
  number: z.string().optional(),
  volume: z.number().int().optional(),
  year: z.number().int().optional(),
  edition: z.string().optional(),
  /** `issue`, `annual`, `special`, `one-shot` or `collected`: several issues, or a volume. */
  kind: z.string(),
  title: z.string().optional(),
  /** What tells it from another series of this title in the folder, such as `2018`. */
  apart: z.string().optional(),
  /** False when a person should look at it. */
  certain: z.boolean(),
  /** Why the name was read so. */
  reasons: z.array(z.string()),
});

export const previewSchema = z.object({ files: z.array(previewedFile) });

const mostFiles = 5000;
/** What the system says of a path that leads to no folder, or can lead to none. */
const noFolder: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG"]);

/** The files of a folder, and how each name is parsed. Paths are shown only to users who manage the library. */
export async function previewFolder(
  place: { path: string; rootFolder: string },
  formats: Formats,
  viewer: Viewer,
): Promise<z.infer<typeof previewSchema>> {
  const names = (await list(place)).filter((name) => formats.promise(name)).slice(0, mostFiles);
  const below = relative(place.rootFolder, place.path);
  const decided = readFolderNames(readFolders(below === "" ? [] : below.split(sep)), names);
  const files = [];
  for (const name of names) {
    const path = join(place.path, name);
    const found = await stat(path).catch(() => undefined);
    if (!found?.isFile()) continue;
    const { series, number, volume, year, edition, kind, title, apart, isCertain, reasons } = decided.get(name)!;
    files.push({
      ...(viewer.may("library.manage") && { path }),
      name,
      size: found.size,
      ...{ series, number, volume, year, edition, kind, title, apart, certain: isCertain },
      reasons: [...reasons],
    });
  }
  return { files };
}

/** @throws {BadInput} when it is no folder, or leads out of the library by a link */
async function list(place: { path: string; rootFolder: string }): Promise<string[]> {
  try {
    const [real, root] = await Promise.all([realpath(place.path), realpath(place.rootFolder)]);
    if (real === root || real.startsWith(`${root}/`)) return (await readdir(real)).sort();
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code;
    if (code === undefined || !noFolder.has(code)) throw thrown;
  }
  throw new BadInput("files/no-such-folder", "There is no such folder in the library.", {
    path: "must be a folder that can be read",
  });
}
