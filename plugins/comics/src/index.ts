import { definePlugin } from "@longbox/sdk";
import { Collection, CoverSources } from "@longbox/collection/contract";
import { FileFormats, FilesContent, FilesEngine } from "@longbox/files/contract";
import { Imaging } from "@longbox/imaging/contract";
import { Tools } from "@longbox/operations/contract";
import { zipHelpBy } from "./archives/unpacking/zip-help.js";
import { comicTools } from "./comic-tools.js";
import { Pages, RenderedPages } from "./contract.js";
import { Converting } from "./converting/converting.js";
import { comicFormats } from "./formats.js";
import { coverFromFiles } from "./pages/cover-source.js";
import { OpenArchives } from "./pages/open-archives.js";
import { openComic } from "./pages/open-comic.js";
import { IssuePages } from "./pages/pages.js";
import { openUnpacking, rewritingThread } from "./pages/unpacking-parts.js";
import { digestOf, verify } from "./pages/whole-comic.js";
import { openRendering } from "./rendering/open-rendering.js";
import { comicsSettings } from "./settings.js";
import { TagProgress } from "./tagging/tag-progress.js";
import { tagRoutes } from "./tagging/tag-routes.js";
import { Tagging } from "./tagging/tagging.js";

export default definePlugin({
  requires: { collection: Collection, engine: FilesEngine, files: FilesContent },
  optional: { imaging: Imaging },
  settings: comicsSettings,
  async activate({ collection, engine, files, imaging }, context) {
    const unpacking = await openUnpacking(context);
    const archives = context.own(
      new OpenArchives({
        open: (path, validator) => openComic(path, validator, { engine, files, unpacking }),
        most: 32,
        idleMs: 60_000,
      }),
    );
    const pages = new IssuePages(collection, archives);
    context.provide(Pages, pages);
    context.provide(RenderedPages, await openRendering({ pages, imaging }, context));
    context.contribute(CoverSources, coverFromFiles(pages));
    const formats = comicFormats({
      inspector: context.workerUrl("inspect"),
      verify: (path) => verify(archives, path),
      digest: (path) => digestOf(archives, path),
    });
    for (const format of formats) context.contribute(FileFormats, format);
    const progress = context.own(new TagProgress(() => context.changed("tagFiles")));
    const tagging = context.own(
      new Tagging({
        collection,
        engine,
        files,
        settings: context.settings,
        rewriting: context.own(rewritingThread(context)),
        progress,
        log: context.log,
        signal: context.signal,
      }),
    );
    const converting = new Converting({ archives, engine, zipHelp: zipHelpBy(unpacking.unpacker) });
    for (const tool of comicTools({ engine, tagging, converting })) context.contribute(Tools, tool);
    context.routes(tagRoutes(tagging, progress));
  },
});
