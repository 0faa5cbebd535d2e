import type { Collection } from "@longbox/collection/contract";
import type { FileNames, FilesImporting } from "@longbox/files/contract";
import type { Notifications } from "@longbox/notifications/contract";
import type {
  KernelUsers,
  OptionalCapability,
  PluginContext,
  Provided,
  StoredDocument,
  Viewer,
  Contributions,
} from "@longbox/sdk";
import { pluginMessages } from "@longbox/sdk/messages";
import { Arriving } from "./arriving/arriving.js";
import type { DownloadClient, DownloadSource, Indexer } from "./contract.js";
import { Automatic } from "./deciding/automatic.js";
import { Feeds } from "./deciding/feeds.js";
import { ManualSearch } from "./deciding/manual-search.js";
import { Places } from "./deciding/places.js";
import { Searching } from "./deciding/searching.js";
import type { StartingSources } from "./deciding/starting-sources.js";
import { ByteRate } from "./fetching/byte-rate.js";
import { freeBytes } from "./fetching/free-space.js";
import { OwnDownload } from "./fetching/own-download.js";
import { BlocklistRecords } from "./keeping/blocklist-records.js";
import { HistoryRecords } from "./keeping/history-records.js";
import { QueueList } from "./keeping/queue-list.js";
import { ResultRecords } from "./keeping/result-records.js";
import { TriedRecords } from "./keeping/tried-records.js";
import { Clearing } from "./queue/clearing.js";
import { Ending } from "./queue/ending.js";
import { ItemRecords } from "./queue/item-records.js";
import { Leaving } from "./queue/leaving.js";
import { Live } from "./queue/live.js";
import { Performing } from "./queue/performing.js";
import { Queueing } from "./queue/queueing.js";
import { Running } from "./queue/running.js";
import { Switch } from "./queue/switch.js";
import { Watching } from "./queue/watching.js";
import type { DownloadSettings } from "./settings.js";
import type { DownloadTables } from "./tables.js";

export interface Given {
  readonly capabilities: {
    readonly library: Provided<typeof Collection>;
    readonly importing: Provided<typeof FilesImporting>;
    readonly names: Provided<typeof FileNames>;
    readonly users: KernelUsers;
    readonly notifications: OptionalCapability<Provided<typeof Notifications>>;
  };
  readonly context: PluginContext<DownloadSettings>;
  readonly opened: {
    readonly sources: Contributions<DownloadSource>;
    readonly indexers: Contributions<Indexer>;
    readonly clients: Contributions<DownloadClient>;
  };
  readonly document: StoredDocument<{ paused: boolean }>;
  readonly starting: StartingSources;
  /** Where this server's own downloads lie. */
  readonly folder: string;
}

const megabyte = 1024 * 1024;

export type Parts = ReturnType<typeof openParts>;
type Records = ReturnType<typeof openRecords>;
type Deciding = ReturnType<typeof openDeciding>;

function openRecords({ context }: Given) {
  const database = context.storage.database<DownloadTables>();
  return {
    database,
    items: new ItemRecords(database),
    blocklist: new BlocklistRecords(database),
    history: new HistoryRecords(database),
    results: new ResultRecords(database),
    tried: new TriedRecords(database),
    list: new QueueList(database),
  };
}

function openDeciding(given: Given, records: Records) {
  const { capabilities, context, opened, folder } = given;
  const settings = () => context.settings.current;
  const free = () => freeBytes(folder, settings());
  const places = new Places({ ...opened, settings });
  const searching = new Searching({ ...records, places, names: capabilities.names, settings, freeBytes: free });
  return { settings, free, places, searching };
}

/** What works on items, and what watches clients. */
function openWork(given: Given, records: Records, deciding: Deciding) {
  const { capabilities, context, document, folder } = given;
  const { log, signal } = context;
  const { settings, places } = deciding;
  const changed = () => context.changed("queue");
  const live = new Live(changed);
  const areStarting = () => given.starting.areStarting;
  const leaving = new Leaving({ database: records.database, places, folder, areStarting, log });
  const shared = { ...records, ...capabilities, ...deciding, leaving, live, changed, log };
  const ending = new Ending({ ...shared, say: pluginMessages(import.meta.url), goOn: () => running.wake() });
  const performing = new Performing({
    ...shared,
    areStarting,
    own: openOwnDownload(given, deciding),
    arriving: new Arriving({ ...records, ...capabilities }),
  });
  const pausing = new Switch(document, () => {
    changed();
    running.wake();
  });
  const watch = () => watching.wake();
  const paused = () => pausing.paused();
  const hasSources = () => places.enabled().length > 0;
  const canSearch = () => hasSources() && !areStarting();
  const running: Running = new Running({ ...shared, performing, ending, paused, canSearch, watch, signal });
  const watching: Watching = new Watching({
    ...shared,
    ending,
    start: (item) => running.start(item),
    isRunning: (id) => running.isRunning(id),
  });
  const queueing = new Queueing({ ...shared, running: () => running, watch });
  return { settings, changed, live, pausing, hasSources, running, watching, queueing };
}

/** What the plugin is made of. */
export function openParts(given: Given) {
  const { library, names } = given.capabilities;
  const records = openRecords(given);
  const deciding = openDeciding(given, records);
  const work = openWork(given, records, deciding);
  const queued = () => {
    work.changed();
    work.running.wake();
  };
  const shared = { ...records, ...deciding, library, names, queued, log: given.context.log };
  return {
    ...records,
    ...deciding,
    ...work,
    clearing: new Clearing(records.database, work.queueing),
    manual: new ManualSearch(shared),
    automatic: new Automatic(shared),
    feeds: new Feeds(shared),
    summary: (viewer: Viewer) => summarise(records.list, work.pausing, viewer),
  };
}

function openOwnDownload({ context }: Given, { settings, free }: Deciding): OwnDownload {
  return new OwnDownload({
    context,
    rate: new ByteRate(() => settings().kilobytesPerSecond * 1000),
    mostBytes: () => settings().maxMegabytes * megabyte,
    freeBytes: free,
  });
}

/** `queue` of `GET /api/status`. */
async function summarise(list: QueueList, pausing: Switch, viewer: Viewer): Promise<Record<string, unknown>> {
  const counts = await list.counts(viewer.seesRestricted);
  const of = (state: string) => counts.get(state) ?? 0;
  const active = of("searching") + of("downloading") + of("grabbed") + of("importing");
  const paused = pausing.paused();
  return { queue: { running: active > 0, paused, active, waiting: of("queued") } };
}
