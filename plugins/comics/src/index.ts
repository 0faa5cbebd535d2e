import { definePlugin, KernelUsers, type PluginContext } from "@longbox/sdk";
import { Collection, CoverSources } from "@longbox/collection/contract";
import { FileFormats, FilesContent, FilesEngine } from "@longbox/files/contract";
import { Imaging } from "@longbox/imaging/contract";
import { Jobs, ResumableJobs, Tools } from "@longbox/operations/contract";
import { zipHelpBy } from "./archives/unpacking/zip-help.js";
import { comicTools } from "./comic-tools.js";
import { ArchiveReaders, Pages, RenderedPages } from "./contract.js";
import { Converting } from "./converting/converting.js";
import { comicFormats, readableFormats } from "./formats.js";
import { coverFromFiles } from "./pages/cover-source.js";
import { OpenArchives } from "./pages/open-archives.js";
import { openComic, type OpenComic } from "./pages/open-comic.js";
import { IssuePages } from "./pages/pages.js";
import { openUnpacking, rewritingThread } from "./pages/unpacking-parts.js";
import { coverOf, digestOf, verify } from "./pages/whole-comic.js";
import { OfferedFormats } from "./readers/offered-formats.js";
import { gzipReader } from "./readers/gzip-reader.js";
import { PresentReaders } from "./readers/present-readers.js";
import { withReaders } from "./readers/readers-in-url.js";
import { openRendering } from "./rendering/open-rendering.js";
import { comicsSettings } from "./settings.js";
import { TagJobs } from "./tagging/tag-jobs.js";
import { tagRoutes } from "./tagging/tag-routes.js";
import { Tagging } from "./tagging/tagging.js";

export default definePlugin({
  requires: { collection: Collection, engine: FilesEngine, files: FilesContent, jobs: Jobs, users: KernelUsers },
  optional: { imaging: Imaging },
  settings: comicsSettings,
  async activate({ collection, engine, files, jobs, users, imaging }, context) {
    const included = [gzipReader(context.workerUrl("gzip"))];
    const readers = new PresentReaders(context.open(ArchiveReaders), context.log, included);
    const unpacking = await openUnpacking(context, readers);
    const archives = context.own(
      new OpenArchives({
        open: (path, validator) => openComic(path, validator, { engine, files, unpacking }),
        most: 32,
        idleMs: 60_000,
      }),
    );
    const pages = new IssuePages(collection, archives, () => readableFormats(readers.set));
    context.provide(Pages, pages);
    context.provide(RenderedPages, await openRendering({ pages, imaging }, context));
    context.contribute(CoverSources, coverFromFiles(pages));
    await offerFormats(context, { readers, archives });
    const tagging = context.own(
      new Tagging({
        collection,
        engine,
        files,
        settings: context.settings,
        rewriting: context.own(rewritingThread(context)),
        readers: unpacking.readers,
        log: context.log,
      }),
    );
    const announce = () => context.changed("tagFiles");
    const tagJobs = new TagJobs({ tagging, jobs, users, announce, signal: context.signal });
    context.contribute(ResumableJobs, tagJobs.resumable());
    const converting = new Converting({ archives, engine, zipHelp: zipHelpBy(unpacking.unpacker, unpacking.readers) });
    const isComic = (format: string) => readableFormats(readers.set).has(format);
    for (const tool of comicTools({ engine, tagging, converting, isComic })) context.contribute(Tools, tool);
    context.routes(tagRoutes(tagJobs));
  },
});

/** Adds the formats whose pages can be read, and changes them as readers come and go. */
async function offerFormats(
  context: PluginContext,
  { readers, archives }: { readonly readers: PresentReaders; readonly archives: OpenArchives<OpenComic> },
): Promise<void> {
  const services = {
    inspector: () => withReaders(context.workerUrl("inspect"), readers.set),
    verify: (path: string) => verify(archives, path),
    digest: (path: string) => digestOf(archives, path),
    cover: (path: string) => coverOf(archives, path),
  };
  const offered = new OfferedFormats((format) => context.contribute(FileFormats, format));
  const offer = () => offered.update(comicFormats(readers.set, services));
  await offer();
  context.own(readers.onChange(offer));
}
