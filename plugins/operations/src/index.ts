import { stat } from "node:fs/promises";
import { definePlugin, KernelBackups, KernelHousekeeping, KernelInspection, KernelLogs } from "@longbox/sdk";
import { backupCheck, backupSchedule, backupTool } from "./tools/backups.js";
import { cacheSchedule } from "./tools/caches.js";
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
import { healthRoutes } from "./health/health.js";
import { JobRecords } from "./jobs/job-records.js";
import { jobRoutes } from "./jobs/job-routes.js";
import { Jobs } from "./jobs/jobs.js";
import { kernelChecks, kernelSupportParts } from "./health/kernel-parts.js";
import { announceLines, logRoutes } from "./support/log-routes.js";
import { operationsTables } from "./migrations/0001-operations.js";
import { ScheduleRecords } from "./schedules/schedule-records.js";
import { scheduleRoutes } from "./schedules/schedule-routes.js";
import { Schedules } from "./schedules/schedules.js";
import { operationsSettings } from "./settings.js";
import { SupportPackage } from "./support/support-package.js";
import { supportRoutes } from "./support/support-routes.js";
import { SupportService } from "./support/support-service.js";
import type { OperationsTables } from "./tables.js";
import { toolRoutes } from "./tools/tool-routes.js";
import { Tools } from "./tools/tools.js";

export default definePlugin({
  requires: { kernel: KernelInspection, backups: KernelBackups, housekeeping: KernelHousekeeping, logs: KernelLogs },
  settings: operationsSettings,
  migrations: [operationsTables],
  async activate({ kernel, backups, housekeeping, logs }, context) {
    const database = context.storage.database<OperationsTables>();
    const records = new JobRecords(database);
    const jobs = new Jobs(records, () => context.changed("jobs"), context.topic<Job>("job-ended"));
    context.own({ release: () => jobs.stop() });
    context.own(await jobs.settleInterrupted(context.open(ResumableJobs)));
    context.provide(JobsToken, jobs);

    const schedules = context.own(
      new Schedules(
        context.open(SchedulesPoint),
        new ScheduleRecords(database),
        jobs,
        () => context.changed("schedules"),
        context.log,
      ),
    );
    await schedules.arrange();
    const tools = new Tools(context.open(ToolsPoint), jobs);

    const jobsPart = { name: "jobs", full: true, read: async () => (await jobs.list({ limit: 500, offset: 0 })).jobs };
    const support = new SupportPackage(
      [...kernelSupportParts(kernel, logs), jobsPart],
      context.open(SupportParts),
      kernel,
      context.log,
    );
    const service = new SupportService(context.settings, context.fetch);
    const checks = context.open(HealthChecks);
    context.contribute(HealthChecks, kernelChecks(kernel));
    context.contribute(
      HealthChecks,
      clockCheck({ kernel, fetcher: context.fetch, newestKept: () => records.newestAt() }),
    );
    context.contribute(HealthChecks, backupCheck(backups, (await stat(context.storage.folder)).birthtimeMs));
    context.contribute(SchedulesPoint, backupSchedule(backups));
    context.contribute(SchedulesPoint, cacheSchedule(housekeeping));
    context.contribute(ToolsPoint, backupTool(backups));
    context.own(announceLines(logs, () => context.changed("logs")));

    context.routes([
      ...jobRoutes(jobs),
      ...scheduleRoutes(schedules),
      ...toolRoutes(tools),
      ...healthRoutes(checks, context.log),
      ...logRoutes(logs),
      ...supportRoutes(support, service),
    ]);
  },
});
