import type { CollectionContract } from "@longbox/collection/contract";
import type { MetadataContract } from "@longbox/metadata/contract";
import type { JobsContract } from "@longbox/operations/contract";
import type { KernelPlugins, KernelUsers, OptionalCapability, PluginContext } from "@longbox/sdk";
import { formatRules } from "./contribution-rules.js";
import { Cleaning } from "./cleanup/cleaning.js";
import { Duplicates } from "./cleanup/duplicates.js";
import { FileFormats } from "./contract.js";
import { FindingByFingerprint } from "./fingerprints/finding-by-fingerprint.js";
import { FingerprintRecords } from "./fingerprints/fingerprint-records.js";
import { FolderTurns } from "./folder-turns.js";
import { Formats } from "./formats/formats.js";
import { Candidates } from "./importing/candidates.js";
import { Importing } from "./importing/importing.js";
import { Judging } from "./importing/judging.js";
import { Reviewing } from "./importing/reviewing.js";
import { VisibleCandidates } from "./importing/visible-candidates.js";
import { Inspecting } from "./inspecting/inspecting.js";
import { InspectingThreads } from "./inspecting/inspecting-threads.js";
import { WatchedThread } from "./inspecting/watched-thread.js";
import { Moves } from "./moving/moves.js";
import { Naming } from "./naming/naming.js";
import { ChoosingPlace } from "./placing/choosing-place.js";
import { Knowing } from "./placing/knowing.js";
import { PatientInspecting } from "./placing/patient-inspecting.js";
import { Placements } from "./placing/placements.js";
import { Placing } from "./placing/placing.js";
import { recoverPlacements } from "./placing/recovering.js";
import { Refiling } from "./refile/refiling.js";
import { ReplacingFiles } from "./replacing/replacing-files.js";
import type { FromWorker, ToWorker } from "./scan/messages.js";
import { ScanReview } from "./scan/scan-review.js";
import { ScanIndex } from "./scan/scan-index.js";
import { Scanner } from "./scan/scanner.js";
import { BatchStoring } from "./scan/storing-batch.js";
import { Watching } from "./scan/watching.js";
import type { FilesTables } from "./tables.js";
import type { FilesSettings } from "./settings.js";

export interface Given {
  readonly collection: CollectionContract;
  readonly metadata: OptionalCapability<MetadataContract>;
  readonly jobs: JobsContract;
  readonly users: KernelUsers;
  readonly plugins: KernelPlugins;
}

type Context = PluginContext<FilesSettings>;
type Records = ReturnType<typeof openRecords>;
type Changing = Awaited<ReturnType<typeof openChanging>>;
type Scanning = ReturnType<typeof openScanning>;

export type Parts = Awaited<ReturnType<typeof openParts>>;

/** What is known of files, and what says how they are named and read. */
function openRecords({ collection }: Given, context: Context) {
  const database = context.storage.database<FilesTables>();
  const fingerprintRecords = new FingerprintRecords(database);
  return {
    collection,
    database,
    fingerprintRecords,
    fingerprints: new FindingByFingerprint({ collection, records: fingerprintRecords }),
    index: new ScanIndex(database, fingerprintRecords),
    review: new ScanReview(database, collection),
    turns: context.own(new FolderTurns()),
    naming: new Naming(context.settings),
    formats: new Formats(context.open(FileFormats, formatRules)),
    log: context.log,
    signal: context.signal,
  };
}

/** What moves and rewrites files. What a stop cut off is put right before anything else looks at the folders. */
async function openChanging(records: Records) {
  const { database, formats } = records;
  const moves = new Moves({ ...records, companionsOf: (path) => formats.companionsOf(path) });
  const replacing = new ReplacingFiles(database);
  await Promise.all([moves.recover(), replacing.recover()]);
  return { moves, replacing };
}

function openScanning({ jobs }: Given, context: Context, records: Records) {
  const threads = context.own(
    new InspectingThreads({
      start: (limits) =>
        new WatchedThread({
          worker: context.worker<ToWorker, FromWorker>("scan", undefined, { expendable: true, heapMegabytes: 256 }),
          limits,
          signal: context.signal,
        }),
      limits: () => ({ longestMs: context.settings.current.inspectionSeconds * 1000, mostBytes: 1024 * 1024 * 1024 }),
    }),
  );
  context.own(records.formats.onChange(() => void threads.refresh()));
  const inspecting = new Inspecting({ formats: records.formats, threads, log: context.log });
  const watching = context.own(new Watching({ scan: (folders) => scanner.scanFolders(folders), log: context.log }));
  const scanner: Scanner = context.own(
    new Scanner({
      ...records,
      storing: new BatchStoring(records.collection, records.index),
      jobs,
      threads,
      announce: () => context.changed("scanFolder"),
      foundFolders: (scope, folders) => watching.follow(scope, folders),
    }),
  );
  return { inspecting, watching, scanner };
}

/** What brings files to their places: those of the libraries, and those that come in. */
async function openPlacing(given: Given, context: Context, opened: Records & Changing & Scanning) {
  const { database, collection, formats, naming, scanner, log } = opened;
  const { metadata } = given;
  const announce = () => context.changed("import");
  const candidates = new Candidates(database);
  const visible = new VisibleCandidates(candidates, collection);
  const judging = new Judging(collection, metadata, formats);
  const placements = new Placements(database);
  const patient = new PatientInspecting({ ...given, ...opened, signal: context.signal });
  const knowing = new Knowing({ ...opened, placements, patient });
  await recoverPlacements({ placements, moves: opened.moves, knowing, log });
  const shared = { ...given, ...opened, announce, candidates, judging };
  const placing = new Placing({
    ...shared,
    placements,
    patient,
    choosing: new ChoosingPlace({ collection, formats, naming, judging }),
    knowing,
    reviewing: new Reviewing(shared),
  });
  const rescan = (libraryId: number, scope: readonly string[]) => scanner.scan(libraryId, { scope });
  return {
    visible,
    placing,
    refiling: new Refiling(shared),
    importing: new Importing({ ...shared, visible, settings: context.settings, rescan }),
    cleaning: new Cleaning(shared),
    duplicates: new Duplicates(shared),
  };
}

/** What the plugin is made of. */
export async function openParts(given: Given, context: Context) {
  const records = openRecords(given, context);
  const opened = { ...records, ...(await openChanging(records)), ...openScanning(given, context, records) };
  return { ...given, ...opened, ...(await openPlacing(given, context, opened)) };
}
