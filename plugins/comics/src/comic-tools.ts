import { basename } from "node:path";
import { counted, named, systemViewer } from "@longbox/sdk";
import type { FilesEngine } from "@longbox/files/contract";
import type { JobControl, Tool } from "@longbox/operations/contract";
import { convertRars } from "./converting/converting-all.js";
import type { Converting } from "./converting/converting.js";
import { eachRead } from "./each-read.js";
import type { Tagging } from "./tagging/tagging.js";

export interface ComicToolParts {
  readonly engine: FilesEngine;
  readonly tagging: Tagging;
  readonly converting: Converting;
  /** Whether a format is one of those whose pages can be read now. */
  readonly isComic: (format: string) => boolean;
}

/** Maintenance of comics that a person may start. */
export function comicTools(parts: ComicToolParts): Tool[] {
  return [
    {
      id: "tag-untagged",
      title: "Tag untagged files",
      description: "Writes known metadata into files without tags",
      touchesFiles: true,
      resumes: true,
      run: ({ dryRun }, control) => tagUntagged(parts, dryRun, control),
    },
    {
      id: "convert-cbr",
      title: "Convert RAR to CBZ",
      description: "Writes each RAR as a CBZ, compares both, and moves the RAR to the trash",
      touchesFiles: true,
      resumes: true,
      run: ({ dryRun }, control) => convertRars(parts, dryRun, control),
    },
  ];
}

async function tagUntagged(
  { engine, tagging, isComic }: ComicToolParts,
  dryRun: boolean,
  control: JobControl,
): Promise<string> {
  const untagged: string[] = [];
  const series = new Set<number>();
  for await (const { path, format, error, seriesId } of eachRead(engine, { tagged: false }, control.signal)) {
    if (error !== undefined || format === undefined || !isComic(format)) continue;
    untagged.push(basename(path));
    series.add(seriesId);
  }
  if (dryRun) return named(`${counted(untagged.length, "file has", "files have")} no tags`, untagged);
  const errors: string[] = [];
  let written = 0;
  for (const [index, seriesId] of [...series].entries()) {
    control.signal.throwIfAborted();
    const outcome = await tagging.tagSeries(seriesId, systemViewer, { untaggedOnly: true, signal: control.signal });
    written += outcome.written;
    errors.push(...outcome.errors);
    control.progress(index + 1, series.size);
  }
  const tagged = `${counted(written, "file was", "files were")} tagged`;
  return errors.length === 0 ? tagged : named(`${tagged}, ${errors.length} not`, errors);
}
