import { definePlugin, KernelUsers } from "@longbox/sdk";
import { Collection } from "@longbox/collection/contract";
import { Metadata, RefreshSteps } from "@longbox/metadata/contract";
import { Jobs, ResumableJobs, Schedules, Tools } from "@longbox/operations/contract";
import { Cleaning } from "./cleanup/cleaning.js";
import { cleanupRoutes } from "./cleanup/cleanup-routes.js";
import { WholeFiles } from "./content/whole-files.js";
import { FileFormats, FileNames, FilesContent, FilesEngine, FilesImporting } from "./contract.js";
import { Engine } from "./engine.js";
import { FindingByFingerprint } from "./fingerprints/finding-by-fingerprint.js";
import { FingerprintRecords } from "./fingerprints/fingerprint-records.js";
import { startFilling } from "./fingerprints/filling.js";
import { FolderTurns } from "./folder-turns.js";
import { Formats } from "./formats/formats.js";
import { Candidates } from "./importing/candidates.js";
import { importRoutes } from "./importing/import-routes.js";
import { Importing } from "./importing/importing.js";
import { Judging } from "./importing/judging.js";
import { Reviewing } from "./importing/reviewing.js";
import { VisibleCandidates } from "./importing/visible-candidates.js";
import { Inspecting } from "./inspecting/inspecting.js";
import { WatchedThread } from "./inspecting/watched-thread.js";
import { scanning } from "./migrations/0001-scanning.js";
import { changingFiles } from "./migrations/0002-changing-files.js";
import { fingerprints as fingerprintTable } from "./migrations/0003-fingerprints.js";
import { placements as placementTables } from "./migrations/0004-placements.js";
import { Moves } from "./moving/moves.js";
import { fileNames } from "./names/file-names.js";
import { namingRoutes } from "./naming/naming-routes.js";
import { Naming } from "./naming/naming.js";
import { ChoosingPlace } from "./placing/choosing-place.js";
import { Knowing } from "./placing/knowing.js";
import { Placements } from "./placing/placements.js";
import { Placing } from "./placing/placing.js";
import { recoverPlacements } from "./placing/recovering.js";
import { refileRoutes } from "./refile/refile-routes.js";
import { Refiling } from "./refile/refiling.js";
import { ReplacingFiles } from "./replacing/replacing-files.js";
import type { FromWorker, ToWorker } from "./scan/messages.js";
import { pinningRoutes } from "./scan/pinning-routes.js";
import { rescanOnRefresh } from "./scan/refresh-step.js";
import { ScanIndex } from "./scan/scan-index.js";
import { ScanJobs } from "./scan/scan-jobs.js";
import { ScanRequests } from "./scan/scan-requests.js";
import { scanRoutes } from "./scan/scan-routes.js";
import { Scanner } from "./scan/scanner.js";
import { startScans } from "./scan/starting-scans.js";
import { BatchStoring } from "./scan/storing-batch.js";
import { Watching } from "./scan/watching.js";
import { filesSettings } from "./settings.js";
import type { FilesTables } from "./tables.js";
import { fileTools } from "./tools/file-tools.js";
import { scanSchedule } from "./tools/scanning.js";

export default definePlugin({
  requires: { collection: Collection, jobs: Jobs, users: KernelUsers },
  optional: { metadata: Metadata },
  settings: filesSettings,
  migrations: [scanning, changingFiles, fingerprintTable, placementTables],
  async activate({ collection, metadata, jobs, users }, context) {
    const database = context.storage.database<FilesTables>();
    const fingerprintRecords = new FingerprintRecords(database);
    const index = new ScanIndex(database, fingerprintRecords);
    const turns = context.own(new FolderTurns());
    const naming = new Naming(context.settings);
    const formats = new Formats(context.open(FileFormats));
    const moves = new Moves({
      database,
      collection,
      index,
      companionsOf: (path) => formats.companionsOf(path),
      log: context.log,
    });
    const replacing = new ReplacingFiles(database);
    await Promise.all([moves.recover(), replacing.recover()]);
    const startThread = () =>
      new WatchedThread(
        context.worker<ToWorker, FromWorker>("scan", undefined, { expendable: true, heapMegabytes: 1024 }),
        { longestMs: context.settings.current.inspectionSeconds * 1000, mostBytes: 1024 * 1024 * 1024 },
      );
    const inspecting = new Inspecting({ formats, startThread, log: context.log });
    const watching = context.own(new Watching({ scan: (folders) => scanner.scanFolders(folders), log: context.log }));
    const scanner: Scanner = context.own(
      new Scanner({
        collection,
        formats,
        index,
        requests: new ScanRequests(database),
        storing: new BatchStoring(collection, index),
        turns,
        jobs: new ScanJobs(jobs, context.log, context.signal),
        startThread,
        announce: () => context.changed("scanFolder"),
        foundFolders: (scope, folders) => watching.follow(scope, folders),
        log: context.log,
        signal: context.signal,
      }),
    );
    const fingerprints = new FindingByFingerprint({ collection, records: fingerprintRecords });
    context.provide(FilesContent, new WholeFiles(collection, formats, fingerprints));
    context.own(collection.onIssuesMerged((merge) => void fingerprintRecords.reassign(merge)));
    context.provide(FileNames, fileNames);
    context.provide(FilesEngine, new Engine({ collection, index, moves, replacing, scanner, turns }));
    const announceImport = () => context.changed("import");
    const { signal } = context;
    const refiling = new Refiling({
      collection,
      formats,
      naming,
      moves,
      turns,
      jobs,
      announce: announceImport,
      signal,
    });
    context.contribute(ResumableJobs, refiling.resumable());
    const rescan = (libraryId: number, scope: readonly string[]) => scanner.scan(libraryId, { scope });
    const candidates = new Candidates(database);
    const visible = new VisibleCandidates(candidates, collection);
    const judging = new Judging(collection, metadata, formats);
    const placements = new Placements(database);
    const knowing = new Knowing({ collection, index, inspecting, placements });
    await recoverPlacements({ placements, moves, knowing, log: context.log });
    context.provide(
      FilesImporting,
      new Placing({
        collection,
        placements,
        choosing: new ChoosingPlace({ collection, formats, naming, judging }),
        knowing,
        reviewing: new Reviewing({ candidates, judging, inspecting, announce: announceImport }),
        inspecting,
        moves,
        turns,
      }),
    );
    const importing = new Importing({
      candidates,
      visible,
      judging,
      collection,
      metadata,
      naming,
      formats,
      inspecting,
      moves,
      turns,
      settings: context.settings,
      jobs,
      users,
      signal,
      rescan,
      announce: announceImport,
    });
    context.contribute(ResumableJobs, importing.resumable());
    const cleaning = new Cleaning({ collection, formats, index, moves, turns, jobs, signal });
    context.contribute(Schedules, scanSchedule({ collection, scanner }));
    for (const tool of fileTools({ collection, scanner, refiling, cleaning, formats, index }))
      context.contribute(Tools, tool);
    context.contribute(RefreshSteps, rescanOnRefresh(scanner, collection));
    context.routes([
      ...scanRoutes({ scanner, collection, formats, importFolder: () => context.settings.current.importFolder }),
      ...pinningRoutes(scanner, collection),
      ...namingRoutes(context.settings, { collection, formats }),
      ...refileRoutes(refiling, moves, (paths) => scanner.scanAround(paths)),
      ...importRoutes(importing, visible),
      ...cleanupRoutes(cleaning),
    ]);
    startFilling({ records: fingerprintRecords, inspecting, jobs }, context);
    startScans({ scanner, watching, collection, formats }, context);
  },
});
