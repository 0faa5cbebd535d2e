import { definePlugin, StatusParts } from "@longbox/sdk";
import { Catalog, Collection, Covers, CoverSources } from "@longbox/collection/contract";
import { Imaging } from "@longbox/imaging/contract";
import { HealthChecks, Jobs, ResumableJobs, Schedules, Tools } from "@longbox/operations/contract";
import { StatsParts } from "@longbox/stats/contract";
import { sourceRules, stepRules } from "./contribution-rules.js";
import { Metadata, MetadataSources, RefreshSteps } from "./contract.js";
import { providerCovers } from "./covers.js";
import { Images } from "./images.js";
import { Lookups } from "./lookups.js";
import { startingSync, syncResuming, syncSchedule, syncTool } from "./maintenance.js";
import { CoverComparing } from "./matching/cover-comparing.js";
import { Matching } from "./matching/matching.js";
import { metadataContract } from "./metadata.js";
import { metadataMigration } from "./migrations/0001-metadata.js";
import { coverHashesMigration } from "./migrations/0002-cover-hashes.js";
import { openOwnSources } from "./own-sources.js";
import { providerHealth } from "./provider-health.js";
import { catalogRoutes } from "./routes/catalog-routes.js";
import { lookupRoutes } from "./routes/lookup-routes.js";
import { testRoutes } from "./routes/test-routes.js";
import { metadataSettings } from "./settings.js";
import { providerStatistics } from "./statistics.js";
import { isSync, Sync } from "./sync.js";
import type { MetadataTables } from "./tables.js";

/** Older answers and hashes are made again. */
const keptMs = 90 * 86_400_000;

export default definePlugin({
  requires: { library: Collection, catalog: Catalog, covers: Covers, jobs: Jobs },
  optional: { imaging: Imaging },
  settings: metadataSettings,
  migrations: [metadataMigration, coverHashesMigration],
  async activate({ library, catalog, covers, jobs, imaging }, context) {
    const { settings, log, signal } = context;
    const database = context.storage.database<MetadataTables>();
    const cache = await context.storage.cache("images", { maxBytes: 512 * 1024 * 1024 });
    const images = new Images({ database, settings, fetch: context.fetch, cache });
    const own = await openOwnSources(context);
    const lookups = new Lookups({
      settings,
      own: own.sources,
      brought: context.open(MetadataSources, sourceRules),
      images,
    });
    const comparing = new CoverComparing({ covers, imaging, images, database });
    const matching = new Matching({ catalog, lookups, database, covers: comparing });
    const changed = () => context.changed("cv");
    const sync = new Sync({ catalog, lookups, matching, settings, jobs, log, signal, changed });
    context.own(jobs.onJobEnded((job) => isSync(job) && changed()));
    await own.answers.tidy(keptMs);
    await comparing.tidy(keptMs);

    context.provide(Metadata, metadataContract(lookups, { catalog, images }));
    context.contribute(StatusParts, { read: async () => ({ crawl: { running: (await sync.state()).running } }) });
    context.contribute(CoverSources, providerCovers(images));
    context.contribute(StatsParts, providerStatistics(lookups, catalog));
    context.contribute(HealthChecks, providerHealth(own.trouble, settings));
    context.contribute(Schedules, syncSchedule(sync));
    context.contribute(Tools, syncTool(sync));
    context.contribute(ResumableJobs, syncResuming(sync));
    const startSync = startingSync(sync, jobs, signal);
    const steps = context.open(RefreshSteps, stepRules);
    context.routes([
      ...lookupRoutes({ lookups, catalog, images, sync }),
      ...catalogRoutes({ catalog, library, lookups, matching, startSync, steps, log }),
      ...testRoutes(settings, lookups, own),
    ]);
  },
});
