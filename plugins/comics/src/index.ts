import { definePlugin, KernelUsers, type PluginContext } from "@longbox/sdk";
import { Collection, CoverSources, type CollectionContract } from "@longbox/collection/contract";
import { FileFormats, FilesContent, FilesEngine } from "@longbox/files/contract";
import { Imaging } from "@longbox/imaging/contract";
import { Jobs, ResumableJobs, Schedules, Tools } from "@longbox/operations/contract";
import { zipHelpBy } from "./archives/unpacking/zip-help.js";
import { comicTools } from "./comic-tools.js";
import { repeatedPagesMigration } from "./migrations/0001-repeated-pages.js";
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
import { gzipReader, xzReader } from "./readers/wrapper-readers.js";
import { PresentReaders, readerSchema } from "./readers/present-readers.js";
import { withReaders } from "./readers/readers-in-url.js";
import { HiddenPages } from "./repeated-pages/hidden-pages.js";
import { openRepeatedPages } from "./repeated-pages/open-repeated-pages.js";
import { openRendering } from "./rendering/open-rendering.js";
import { SampleComics, samplesDocument, type SampleParts } from "./samples/sample-comics.js";
import { sampleRoutes } from "./samples/sample-routes.js";
import { comicsSettings, type ComicsSettings } from "./settings.js";
import { TagJobs } from "./tagging/tag-jobs.js";
import { tagRoutes } from "./tagging/tag-routes.js";
import { Tagging, type TaggingParts } from "./tagging/tagging.js";

export default definePlugin({
  requires: { collection: Collection, engine: FilesEngine, files: FilesContent, jobs: Jobs, users: KernelUsers },
  optional: { imaging: Imaging },
  settings: comicsSettings,
  migrations: [repeatedPagesMigration],
  async activate({ collection, engine, files, jobs, users, imaging }, context) {
    const included = [gzipReader(context.workerUrl("gzip")), xzReader(context.workerUrl("xz"))];
    const readers = new PresentReaders(
      context.open(ArchiveReaders, { schema: readerSchema, unique: "id" }),
      context.log,
      included,
    );
    const unpacking = await openUnpacking(context, readers);
    const archives = context.own(
      new OpenArchives({
        open: (path, validator) => openComic(path, validator, { engine, files, unpacking }),
        most: 32,
        idleMs: 60_000,
      }),
    );
    const hidden = new HiddenPages();
    const formats = () => readableFormats(readers.set);
    const isComic = (format: string) => formats().has(format);
    const repeated = await openRepeatedPages({ collection, engine, archives, imaging, hidden, isComic }, context);
    const pages = new IssuePages({ collection, archives, formats, hidden });
    context.provide(Pages, pages);
    context.provide(RenderedPages, await openRendering({ pages, imaging }, context));
    context.contribute(CoverSources, coverFromFiles(pages));
    await offerFormats(context, { readers, archives });
    const tagging = openTagging({ collection, engine, files, readers: unpacking.readers }, context);
    const announce = () => context.changed("tagFiles");
    const tagJobs = new TagJobs({ tagging, jobs, users, announce, signal: context.signal });
    context.contribute(ResumableJobs, tagJobs.resumable());
    const converting = new Converting({ archives, engine, zipHelp: zipHelpBy(unpacking.unpacker, unpacking.readers) });
    const tools = [...comicTools({ engine, tagging, converting, isComic }), repeated.tool];
    for (const tool of tools) context.contribute(Tools, tool);
    context.contribute(Schedules, repeated.schedule);
    const samples = await openSamples({ collection, imaging }, context);
    context.routes([...tagRoutes(tagJobs), ...repeated.routes, ...samples]);
  },
});

/** The comics to try the server with. */
async function openSamples(
  { collection, imaging }: Pick<SampleParts, "imaging"> & { readonly collection: CollectionContract },
  context: PluginContext<ComicsSettings>,
) {
  const kept = await context.storage.document("samples", samplesDocument);
  const samples = new SampleComics({ collection, imaging, kept });
  return sampleRoutes({ samples, collection, signal: context.signal });
}

function openTagging(
  parts: Pick<TaggingParts, "collection" | "engine" | "files" | "readers">,
  context: PluginContext<ComicsSettings>,
): Tagging {
  const { settings, log } = context;
  return context.own(new Tagging({ ...parts, settings, log, rewriting: context.own(rewritingThread(context)) }));
}

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
