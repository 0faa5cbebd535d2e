import { counted, LongboxError, type OptionalCapability, type PluginContext, type Route } from "@longbox/sdk";
import type { CollectionContract } from "@longbox/collection/contract";
import type { FilesEngine } from "@longbox/files/contract";
import type { ImagingContract } from "@longbox/imaging/contract";
import type { JobControl, Schedule, Tool } from "@longbox/operations/contract";
import type { OpenArchives } from "../pages/open-archives.js";
import type { OpenComic } from "../pages/open-comic.js";
import type { ComicsSettings } from "../settings.js";
import { Deciding } from "./deciding.js";
import { hashAllPages } from "./hashing-pages.js";
import { joinCopies } from "./joining-copies.js";
import type { HiddenPages } from "./hidden-pages.js";
import { repeatedPageRoutes } from "./repeated-page-routes.js";
import { RepeatedPictures, type PicturePlace } from "./repeated-pictures.js";
import type { RepeatedPagesTables } from "./tables.js";

/** Pixels: enough to recognise an advertisement. */
const shownWidth = 320;

export interface RepeatedPagesParts {
  readonly collection: CollectionContract;
  readonly engine: FilesEngine;
  readonly archives: OpenArchives<OpenComic>;
  readonly imaging: OptionalCapability<ImagingContract>;
  readonly hidden: HiddenPages;
  readonly isComic: (format: string) => boolean;
}

/** What the plugin offers for pages that repeat. */
export interface RepeatedPages {
  readonly routes: readonly Route[];
  readonly tool: Tool;
  readonly schedule: Schedule;
}

/** Opens the review of repeated pages. The hidden ones are known when it resolves. */
export async function openRepeatedPages(
  parts: RepeatedPagesParts,
  context: PluginContext<ComicsSettings>,
): Promise<RepeatedPages> {
  const database = context.storage.database<RepeatedPagesTables>();
  const pictures = new RepeatedPictures(database);
  const deciding = new Deciding({ ...parts, database, pictures });
  await deciding.load();
  const run = async (control: JobControl) => {
    const imaging = imagingOf(parts);
    const hashed = await hashAllPages({ ...parts, imaging, database, log: context.log }, control);
    if (hashed.length > 0) await joinCopies(database, await pictures.names(), control.signal);
    await deciding.apply(hashed);
    const open = (await pictures.list("open")).length;
    const compared = `${counted(hashed.length, "file was", "files were")} compared`;
    return `${compared}; ${counted(open, "picture repeats", "pictures repeat")}`;
  };
  const title = "Find repeated pages";
  const description = "Compares the first and last pages of all comics, for a review under Repeated pages";
  return {
    routes: repeatedPageRoutes({ ...parts, pictures, deciding, readPage: (place) => readSmall(parts, place) }),
    tool: {
      ...{ id: "find-repeated-pages", title, description, touchesFiles: false, resumes: true },
      run: (_order, control) => run(control),
    },
    schedule: {
      ...{ key: "comics.repeated-pages", title, description, cron: "30 4 * * 0", enabled: false, resumes: true },
      run,
    },
  };
}

/** @throws {LongboxError} `comics/no-imaging` */
function imagingOf({ imaging }: RepeatedPagesParts): ImagingContract {
  if (imaging.available()) return imaging.use;
  throw new LongboxError("unavailable", "comics/no-imaging", "Pages cannot be compared without the plugin imaging.");
}

async function readSmall({ archives, imaging }: RepeatedPagesParts, { path, page }: PicturePlace) {
  const { bytes, contentType } = await archives.use(path, ({ archive }) => archive.readPageBytes(page));
  if (!imaging.available()) return { kind: "bytes" as const, bytes, contentType };
  const small = await imaging.use.render(bytes, { width: shownWidth, format: "jpeg" });
  return { kind: "bytes" as const, bytes: small.bytes, contentType: small.contentType };
}
