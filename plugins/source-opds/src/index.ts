import {
  DownloadSources,
  SourceTests,
  type DownloadSource,
  type SearchControl,
  type TestOutcome,
} from "@longbox/downloads/contract";
import { RemoteBooks } from "@longbox/books/contract";
import { BadInput, definePlugin, isLongboxError, TaskThread, type Releasable } from "@longbox/sdk";
import { Asking } from "./asking.js";
import type { ReadingTasks } from "./reading/feed.js";
import { Searching } from "./searching.js";
import { SharedBooks } from "./shared-books.js";
import { catalogEntry, opdsSourceSettings, type CatalogEntry } from "./settings.js";

export default definePlugin({
  settings: opdsSourceSettings,
  activate(_, context) {
    const thread: TaskThread<ReadingTasks> = context.own(
      new TaskThread({ start: () => context.worker("parse", undefined, { expendable: true, heapMegabytes: 256 }) }),
    );
    let held: Releasable[] = [];
    const register = () => {
      for (const one of held) void one.release();
      held = context.settings.current.catalogs.flatMap((entry) => {
        const asking = new Asking(context, thread, entry);
        const source = context.contribute(DownloadSources, sourceOf(asking));
        const isShared = entry.asLibrary && URL.canParse(entry.url);
        return isShared ? [source, context.contribute(RemoteBooks, new SharedBooks(asking, context))] : [source];
      });
    };
    register();
    context.own(context.settings.onChange(register));
    context.contribute(SourceTests, {
      id: context.plugin.id,
      test: (values, control) => {
        const { catalogs } = context.settings.unmasked({ catalogs: [values] });
        return test(new Asking(context, thread, readEntry(catalogs[0])), control);
      },
    });
  },
});

function sourceOf(asking: Asking): DownloadSource {
  const { entry } = asking;
  const searching = new Searching(asking);
  return {
    id: `source-opds:${entry.id}`,
    name: entry.name,
    kind: "catalog",
    enabled: entry.enabled && URL.canParse(entry.url),
    search: (query, control) => searching.search(query, control),
    resolve: async ({ reference, sizeBytes: _guess }) => ({
      places: [{ url: reference, headers: asking.headersFor(reference), configuredUrl: entry.url }],
    }),
    resting: () => asking.resting(),
  };
}

function readEntry(values: unknown): CatalogEntry {
  const read = catalogEntry.safeParse(values);
  if (!read.success || !/^https?:/u.test(read.data.url) || !URL.canParse(read.data.url))
    throw new BadInput("source-opds/bad-entry", "The catalog cannot be tested.", {
      url: "must be an address of the web",
    });
  return { ...read.data, id: "" };
}

async function test(asking: Asking, control: SearchControl): Promise<TestOutcome> {
  try {
    const { title } = await asking.feed(asking.entry.url, control);
    await new Searching(asking).template(control);
    return { ok: true, message: `The catalog "${title.slice(0, 100)}" answers and can be searched.` };
  } catch (fault) {
    return { ok: false, message: isLongboxError(fault) ? fault.message : "The catalog cannot be asked." };
  }
}
