import { stat } from "node:fs/promises";
import {
  definePlugin,
  KernelBackups,
  KernelHousekeeping,
  KernelInspection,
  KernelLogs,
  type KernelBackupsContract,
  type KernelHousekeepingContract,
  type KernelInspectionContract,
  type Provided,
  type PluginContext,
} from "@longbox/sdk";
import { backupCheck, backupSchedule, backupTool, copyCheck } from "./tools/backups.js";
import { cacheSchedule } from "./tools/caches.js";
import { Copies } from "./copies/copies.js";
import { copyRoutes } from "./copies/copy-routes.js";
import { clockCheck } from "./schedules/clock.js";
import {
  HealthChecks,
  Jobs as JobsToken,
  ResumableJobs,
  Schedules as SchedulesPoint,
  SupportParts,
  Tools as ToolsPoint,
  type Job,
} from "./contract.js";
import { checkRules, jobRules, scheduleRules, supportRules, toolRules } from "./contribution-rules.js";
import { healthRoutes } from "./health/health.js";
import { JobRecords } from "./jobs/job-records.js";
import { jobRoutes } from "./jobs/job-routes.js";
import { Jobs } from "./jobs/jobs.js";
import { Resuming } from "./jobs/resuming.js";
import { kernelChecks, kernelSupportParts } from "./health/kernel-parts.js";
import { announceLines, logRoutes } from "./support/log-routes.js";
import { operationsTables } from "./migrations/0001-operations.js";
import { errorCodes } from "./migrations/0002-error-codes.js";
import { ScheduleRecords } from "./schedules/schedule-records.js";
import { scheduleRoutes } from "./schedules/schedule-routes.js";
import { Schedules } from "./schedules/schedules.js";
import { operationsSettings, type OperationsSettings } from "./settings.js";
import { SupportPackage } from "./support/support-package.js";
import { supportRoutes } from "./support/support-routes.js";
import { SupportService } from "./support/support-service.js";
import type { OperationsTables } from "./tables.js";
import { toolRoutes } from "./tools/tool-routes.js";
import { Tools } from "./tools/tools.js";

export default definePlugin({
  requires: { kernel: KernelInspection, backups: KernelBackups, housekeeping: KernelHousekeeping, logs: KernelLogs },
  settings: operationsSettings,
  migrations: [operationsTables, errorCodes],
  async activate({ kernel, backups, housekeeping, logs }, context) {
    const database = context.storage.database<OperationsTables>();
    const records = new JobRecords(database);
    const jobs = new Jobs(records, () => context.changed("jobs"), context.topic<Job>("job-ended"));
    context.own({ release: () => jobs.stop() });
    const offered = {
      kinds: context.open(ResumableJobs, jobRules),
      tools: context.open(ToolsPoint, toolRules),
      schedules: context.open(SchedulesPoint, scheduleRules),
    };
    context.own(await jobs.settleInterrupted(new Resuming(offered)));
    context.provide(JobsToken, jobs);

    const schedules = context.own(
      new Schedules({
        declared: offered.schedules,
        records: new ScheduleRecords(database),
        jobs,
        changed: () => context.changed("schedules"),
        log: context.log,
      }),
    );
    await schedules.arrange();
    const tools = new Tools(offered.tools, jobs);

    const support = openSupport({ jobs, kernel, logs }, context);
    context.contribute(HealthChecks, kernelChecks(kernel));
    context.contribute(
      HealthChecks,
      clockCheck({ kernel, fetcher: context.fetch, newestKept: () => records.newestAt() }),
    );
    const copies = await contributeMaintenance({ backups, housekeeping }, context);

    context.routes([
      ...jobRoutes(jobs),
      ...scheduleRoutes(schedules),
      ...toolRoutes(tools),
      ...healthRoutes(context.open(HealthChecks, checkRules), context.log),
      ...logRoutes(logs),
      ...copyRoutes(copies, context.settings),
      ...supportRoutes(support.parts, support.service),
    ]);
  },
});

/** The log, the support package, and the service that it can be sent to. */
function openSupport(
  {
    jobs,
    kernel,
    logs,
  }: { readonly jobs: Jobs; readonly kernel: KernelInspectionContract; readonly logs: Provided<typeof KernelLogs> },
  context: PluginContext<OperationsSettings>,
) {
  context.own(announceLines(logs, () => context.changed("logs")));
  const jobsPart = { name: "jobs", full: true, read: async () => (await jobs.list({ limit: 500, offset: 0 })).jobs };
  return {
    parts: new SupportPackage({
      own: [...kernelSupportParts(kernel, logs), jobsPart],
      contributed: context.open(SupportParts, supportRules),
      kernel,
      log: context.log,
    }),
    service: new SupportService(context.settings, context.fetch),
  };
}

/** Backups and caches: what is done by the clock and by hand, and what tells when it was not. */
async function contributeMaintenance(
  {
    backups,
    housekeeping,
  }: { readonly backups: KernelBackupsContract; readonly housekeeping: KernelHousekeepingContract },
  context: PluginContext<OperationsSettings>,
): Promise<Copies> {
  const copies = new Copies({ backups, settings: context.settings, fetcher: context.fetch });
  context.contribute(HealthChecks, backupCheck(backups, (await stat(context.storage.folder)).birthtimeMs));
  context.contribute(HealthChecks, copyCheck(copies));
  context.contribute(SchedulesPoint, backupSchedule(backups, copies));
  context.contribute(SchedulesPoint, cacheSchedule(housekeeping));
  context.contribute(ToolsPoint, backupTool(backups, copies));
  return copies;
}
