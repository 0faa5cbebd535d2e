import type { Contributions, KernelInspectionContract, OptionalCapability, PluginContext } from "@longbox/sdk";
import type { ImagingContract } from "@longbox/imaging/contract";
import { Changes } from "./changes.js";
import { CoverSources, IssueGetters, LibraryTypes, type IssueGetter } from "./contract.js";
import { coverRules, getterRules, typeRules } from "./contribution-rules.js";
import { SeriesCounts } from "./counting/counts.js";
import { CoveredIssues } from "./covers/covered-issues.js";
import { KeptCovers } from "./covers/covers.js";
import { ExternalIds } from "./ids/external-ids.js";
import { Getting } from "./issues/getting.js";
import { IssueReading } from "./issues/issue-reading.js";
import { IssueShapes } from "./issues/issue-shape.js";
import { Picking } from "./issues/picking.js";
import { Libraries } from "./libraries/libraries.js";
import { LibraryPlaces } from "./libraries/library-places.js";
import { LibraryRows } from "./libraries/library-rows.js";
import { LibraryTypeList } from "./libraries/library-types.js";
import { LateIndex } from "./searching/late-index.js";
import { completeIndex } from "./searching/reindexing.js";
import { searchColumns, SearchIndex } from "./searching/search-index.js";
import { SeriesEditing } from "./series/editing.js";
import { Following } from "./series/following.js";
import { SeriesReading } from "./series/series-reading.js";
import type { CollectionSettings } from "./settings.js";
import type { CollectionDatabase, CollectionTables } from "./tables.js";
import { LinkedWorks } from "./works/works.js";

type Context = PluginContext<CollectionSettings>;

/** Covers that were resized; the least used go first. */
const keptCoversBytes = 512 * 1024 * 1024;

interface Capabilities {
  readonly kernel: KernelInspectionContract;
  readonly imaging: OptionalCapability<ImagingContract>;
}

/** Where the collection is kept, and what reads it. */
interface ReadingParts {
  readonly database: CollectionDatabase;
  /** On another thread: for questions that look at every series. */
  readonly reader: CollectionDatabase;
  readonly changes: Changes;
  readonly search: SearchIndex;
  readonly types: LibraryTypeList;
  readonly ids: ExternalIds;
  readonly libraryRows: LibraryRows;
  readonly series: SeriesReading;
  readonly issues: IssueReading;
}

/** The parts of the collection's contracts and routes. */
export interface CollectionParts extends ReadingParts {
  readonly libraries: Libraries;
  readonly counts: SeriesCounts;
  readonly covers: KeptCovers;
  readonly coveredIssues: CoveredIssues;
  readonly getters: Contributions<IssueGetter>;
  readonly getting: Getting;
  readonly editing: SeriesEditing;
  readonly following: Following;
  readonly picking: Picking;
  readonly works: LinkedWorks;
}

export async function openParts({ kernel, imaging }: Capabilities, context: Context): Promise<CollectionParts> {
  const reading = await openReading(context);
  const { database, reader, changes, series, issues, search } = reading;
  const getters = context.open(IssueGetters, getterRules);
  const allowed = () => context.settings.current.libraryFolders.map(({ path }) => path);
  const cache = await context.storage.cache("covers", { maxBytes: keptCoversBytes });
  return {
    ...reading,
    libraries: new Libraries({ ...reading, places: new LibraryPlaces({ kernel, allowed }) }),
    counts: new SeriesCounts({ ...reading, index: search }),
    covers: new KeptCovers(context.open(CoverSources, coverRules), imaging, cache),
    coveredIssues: new CoveredIssues({ database, reader, dataVersion: () => context.storage.dataVersion() }),
    getters,
    getting: new Getting(database, getters),
    editing: new SeriesEditing(reading),
    following: new Following(database, changes),
    picking: new Picking(database, { series, issues }, changes),
    works: new LinkedWorks({ ...reading, changed: changes.works }),
  };
}

async function openReading(context: Context): Promise<ReadingParts> {
  const { storage } = context;
  const database = storage.database<CollectionTables>();
  const reader = storage.reader<CollectionTables>();
  const changes = new Changes(context);
  const text = await storage.fullText("series", searchColumns);
  const search = new SearchIndex(text);
  const { rest } = await completeIndex(storage, { database, search, isNew: text.empty }, context.signal);
  if (rest) context.own(new LateIndex(rest, { changes, log: context.log }));
  const types = new LibraryTypeList(context.open(LibraryTypes, typeRules));
  const ids = new ExternalIds(database);
  const shapes = new IssueShapes(types);
  const libraryRows = new LibraryRows(database, () => storage.dataVersion());
  const series = new SeriesReading({ database, reader, index: search, changes, shapes, libraryRows });
  const issues = new IssueReading({ database, reader, dataVersion: () => storage.dataVersion() }, shapes, ids);
  return { database, reader, changes, search, types, ids, libraryRows, series, issues };
}
