import { definePlugin } from "@longbox/sdk";
import { Collection, CoverSources } from "@longbox/collection/contract";
import { Metadata, RefreshSteps } from "@longbox/metadata/contract";
import { Jobs, Schedules, Tools } from "@longbox/operations/contract";
import { oddMethodsBy } from "./archives/unpacking/odd-methods.js";
import { Cleaning } from "./cleanup/cleaning.js";
import { cleanupRoutes } from "./cleanup/cleanup-routes.js";
import { Pages } from "./contract.js";
import { FolderTurns } from "./folder-turns.js";
import { Candidates } from "./importing/candidates.js";
import { importRoutes } from "./importing/import-routes.js";
import { Importing } from "./importing/importing.js";
import { Judging } from "./importing/judging.js";
import { scanning } from "./migrations/0001-scanning.js";
import { changingFiles } from "./migrations/0002-changing-files.js";
import { Moves } from "./moving/moves.js";
import { namingRoutes } from "./naming/naming-routes.js";
import { Naming } from "./naming/naming.js";
import { coverFromFiles } from "./pages/cover-source.js";
import { OpenArchives } from "./pages/open-archives.js";
import { openComic } from "./pages/open-comic.js";
import { IssuePages } from "./pages/pages.js";
import { openUnpacking } from "./pages/unpacking-parts.js";
import { refileRoutes } from "./refile/refile-routes.js";
import { Refiling } from "./refile/refiling.js";
import { Progress } from "./running-state.js";
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
import { ReplacingFiles } from "./tagging/replacing-file.js";
import { tagRoutes } from "./tagging/tag-routes.js";
import { Tagging } from "./tagging/tagging.js";
import { Converting } from "./tools/converting.js";
import { fileTools } from "./tools/file-tools.js";
import { scanSchedule } from "./tools/scanning.js";

export default definePlugin({
  requires: { collection: Collection },
  optional: { metadata: Metadata, jobs: Jobs },
  settings: filesSettings,
  migrations: [scanning, changingFiles],
  async activate({ collection, metadata, jobs }, context) {
    const database = context.storage.database<FilesTables>();
    const index = new ScanIndex(database);
    const turns = new FolderTurns();
    const naming = new Naming(context.settings);
    const moves = new Moves({ database, collection, index, log: context.log });
    const replacing = new ReplacingFiles(database);
    await Promise.all([moves.recover(), replacing.recover()]);
    const unpacking = await openUnpacking(context);
    const oddMethods = oddMethodsBy(unpacking.unpacker);
    const archives = context.own(new OpenArchives({ open: (path, validator) => openComic(path, validator, unpacking), most: 32, idleMs: 60_000 }));
    const pages = new IssuePages(collection, archives);
    const watching = context.own(new Watching({ scan: (folders) => scanner.scanFolders(folders), log: context.log }));
    const scanner: Scanner = context.own(
      new Scanner({
        collection,
        index,
        requests: new ScanRequests(database),
        storing: new BatchStoring(collection, index),
        turns,
        jobs: new ScanJobs(jobs, context.log, context.signal),
        startWorker: () => context.worker<ToWorker, FromWorker>("scan"),
        announce: () => context.changed("scanFolder"),
        foundFolders: (scope, folders) => watching.follow(scope, folders),
        log: context.log,
        signal: context.signal,
      }),
    );
    context.provide(Pages, pages);
    context.contribute(CoverSources, coverFromFiles(pages));
    const refileProgress = context.own(new Progress(() => context.changed("import")));
    const refiling = context.own(new Refiling({ collection, naming, moves, turns, progress: refileProgress, signal: context.signal }));
    const tagProgress = context.own(new Progress(() => context.changed("tagFiles")));
    const tagging = context.own(
      new Tagging({ collection, settings: context.settings, oddMethods, turns, progress: tagProgress, replacing, rescan: (libraryId, scope) => scanner.scan(libraryId, { scope }), log: context.log, signal: context.signal }),
    );
    const rescan = (libraryId: number, scope: readonly string[]) => scanner.scan(libraryId, { scope });
    const candidates = new Candidates(database);
    const importing = new Importing({ candidates, judging: new Judging(collection, metadata), collection, metadata, naming, oddMethods, moves, turns, settings: context.settings, rescan, announce: () => context.changed("import") });
    const cleaning = new Cleaning({ collection, archives, index, moves, turns });
    const converting = new Converting({ collection, archives, index, moves, replacing });
    context.contribute(Schedules, scanSchedule({ collection, scanner }));
    for (const tool of fileTools({ collection, scanner, tagging, refiling, cleaning, converting, archives, turns })) context.contribute(Tools, tool);
    context.contribute(RefreshSteps, rescanOnRefresh(scanner, collection));
    context.routes([
      ...scanRoutes(scanner, collection, () => context.settings.current.importFolder),
      ...pinningRoutes(scanner, collection),
      ...namingRoutes(context.settings, collection),
      ...refileRoutes(refiling, moves, refileProgress, (paths) => scanner.scanAround(paths)),
      ...tagRoutes(tagging, tagProgress),
      ...importRoutes(importing, candidates),
      ...cleanupRoutes(cleaning),
    ]);
    startScans(scanner, watching, collection, context);
  },
});
