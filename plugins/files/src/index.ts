import { definePlugin, KernelPlugins, KernelUsers } from "@longbox/sdk";
import { Collection } from "@longbox/collection/contract";
import { Metadata, RefreshSteps } from "@longbox/metadata/contract";
import { Jobs, ResumableJobs, Schedules, Tools } from "@longbox/operations/contract";
import { holderRules } from "./contribution-rules.js";
import { cleanupRoutes } from "./cleanup/cleanup-routes.js";
import { duplicateRoutes } from "./cleanup/duplicate-routes.js";
import { contentsRoute } from "./counting/contents-route.js";
import { WholeFiles } from "./content/whole-files.js";
import { FileHolders, FileNames, FilesContent, FilesEngine, FilesImporting } from "./contract.js";
import { Engine } from "./engine.js";
import { fillingResumable, startFilling } from "./fingerprints/filling.js";
import { importRoutes } from "./importing/import-routes.js";
import { scanning } from "./migrations/0001-scanning.js";
import { changingFiles } from "./migrations/0002-changing-files.js";
import { fingerprints as fingerprintTable } from "./migrations/0003-fingerprints.js";
import { placements as placementTables } from "./migrations/0004-placements.js";
import { duplicateTables } from "./migrations/0006-duplicates.js";
import { scanReview } from "./migrations/0005-scan-review.js";
import { formerFiles } from "./migrations/0007-former-files.js";
import { fileNames } from "./names/file-names.js";
import { namingRoutes } from "./naming/naming-routes.js";
import { refileRoutes } from "./refile/refile-routes.js";
import { pinningRoutes } from "./scan/pinning-routes.js";
import { rescanOnRefresh } from "./scan/refresh-step.js";
import { reviewRoutes } from "./scan/review-routes.js";
import { scanRoutes } from "./scan/scan-routes.js";
import { isScan } from "./scan/scanner.js";
import { startScans } from "./scan/starting-scans.js";
import { filesSettings } from "./settings.js";
import { fileTools } from "./tools/file-tools.js";
import { scanSchedule } from "./tools/scanning.js";
import { openParts } from "./parts.js";

export default definePlugin({
  requires: { collection: Collection, jobs: Jobs, users: KernelUsers, plugins: KernelPlugins },
  optional: { metadata: Metadata },
  settings: filesSettings,
  migrations: [scanning, changingFiles, fingerprintTable, placementTables, scanReview, duplicateTables, formerFiles],
  async activate(capabilities, context) {
    const parts = await openParts(capabilities, context);
    const { collection, jobs, formats, fingerprintRecords, inspecting, scanner, refiling, importing, cleaning } = parts;
    context.provide(
      FilesContent,
      new WholeFiles({
        collection,
        formats,
        fingerprints: parts.fingerprints,
        holders: context.open(FileHolders, holderRules),
      }),
    );
    context.provide(FileNames, fileNames);
    context.provide(FilesEngine, new Engine(parts));
    context.provide(FilesImporting, parts.placing);
    context.own(collection.onIssuesMerged((merge) => fingerprintRecords.reassign(merge)));
    context.own(jobs.onJobEnded((job) => isScan(job) && context.changed("scanFolder")));

    const filling = { records: fingerprintRecords, inspecting };
    const resumable = [...scanner.resumable(), refiling.resumable(), importing.resumable(), fillingResumable(filling)];
    for (const each of resumable) context.contribute(ResumableJobs, each);
    context.contribute(Schedules, scanSchedule(parts));
    for (const tool of fileTools(parts)) context.contribute(Tools, tool);
    context.contribute(RefreshSteps, rescanOnRefresh(scanner, collection));
    context.routes([
      ...scanRoutes({ scanner, collection, formats, importFolder: () => context.settings.current.importFolder }),
      contentsRoute(formats, collection),
      ...reviewRoutes({ review: parts.review, collection }),
      ...pinningRoutes(scanner, collection),
      ...namingRoutes(context.settings, { collection, formats }),
      ...refileRoutes(refiling, parts.moves, (paths) => scanner.scanAround(paths)),
      ...importRoutes(importing, parts.visible),
      ...cleanupRoutes(cleaning),
      ...duplicateRoutes(parts.duplicates),
    ]);
    startFilling({ ...filling, jobs }, context);
    startScans(parts, context);
  },
});
