import { definePlugin } from "@longbox/sdk";
import { Collection, CoverSources } from "@longbox/collection/contract";
import { Pages } from "./contract.js";
import { scanning } from "./migrations/0001-scanning.js";
import { coverFromFiles } from "./pages/cover-source.js";
import { openUnpacking } from "./pages/unpacking-parts.js";
import { OpenArchives } from "./pages/open-archives.js";
import { openComic } from "./pages/open-comic.js";
import { IssuePages } from "./pages/pages.js";
import type { FromWorker, ToWorker } from "./scan/messages.js";
import { ScanIndex } from "./scan/scan-index.js";
import { ScanRequests } from "./scan/scan-requests.js";
import { scanRoutes } from "./scan/scan-routes.js";
import { Scanner } from "./scan/scanner.js";
import { BatchStoring } from "./scan/storing-batch.js";
import { startScans } from "./scan/starting-scans.js";
import { Refiling } from "./refile/refiling.js";
import { refileRoutes } from "./refile/refile-routes.js";
import { FolderTurns } from "./folder-turns.js";
import { changingFiles } from "./migrations/0002-changing-files.js";
import { Moves } from "./moving/moves.js";
import { Naming } from "./naming/naming.js";
import { namingRoutes } from "./naming/naming-routes.js";
import { Progress } from "./running-state.js";
import { filesSettings } from "./settings.js";
import { ReplacingFiles } from "./tagging/replacing-file.js";
import { tagRoutes } from "./tagging/tag-routes.js";
import { Tagging } from "./tagging/tagging.js";
import type { FilesTables } from "./tables.js";

export default definePlugin({
  requires: { collection: Collection },
  settings: filesSettings,
  migrations: [scanning, changingFiles],
  async activate({ collection }, context) {
    const database = context.storage.database<FilesTables>();
    const index = new ScanIndex(database);
    const turns = new FolderTurns();
    const naming = new Naming(context.settings);
    const moves = new Moves({ database, collection, index, log: context.log });
    const replacing = new ReplacingFiles(database);
    await Promise.all([moves.recover(), replacing.recover()]);
    const unpacking = await openUnpacking(context);
    const archives = context.own(new OpenArchives({ open: (path, validator) => openComic(path, validator, unpacking), most: 32, idleMs: 60_000 }));
    const pages = new IssuePages(collection, archives);
    const scanner = context.own(
      new Scanner({
        collection,
        index,
        requests: new ScanRequests(database),
        storing: new BatchStoring(collection, index),
        turns,
        startWorker: () => context.worker<ToWorker, FromWorker>("scan"),
        announce: () => context.changed("scanFolder"),
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
      new Tagging({ collection, settings: context.settings, turns, progress: tagProgress, replacing, rescan: (libraryId, scope) => scanner.scan(libraryId, { scope }), log: context.log, signal: context.signal }),
    );
    context.routes([...scanRoutes(scanner, collection), ...namingRoutes(context.settings), ...refileRoutes(refiling, moves, refileProgress), ...tagRoutes(tagging, tagProgress)]);
    startScans(scanner, collection, context);
  },
});
