import { definePlugin } from "@longbox/sdk";
import { HealthChecks, Jobs as JobsToken, ResumableJobs, Schedules as SchedulesPoint, Tools as ToolsPoint, type Job } from "./contract.js";
import { healthRoutes } from "./health.js";
import { JobRecords } from "./job-records.js";
import { jobRoutes } from "./job-routes.js";
import { Jobs } from "./jobs.js";
import { operationsTables } from "./migrations/0001-operations.js";
import { ScheduleRecords } from "./schedule-records.js";
import { scheduleRoutes } from "./schedule-routes.js";
import { Schedules } from "./schedules.js";
import type { OperationsTables } from "./tables.js";
import { toolRoutes } from "./tool-routes.js";
import { Tools } from "./tools.js";

export default definePlugin({
  migrations: [operationsTables],
  async activate(_, context) {
    const database = context.storage.database<OperationsTables>();
    const jobs = new Jobs(new JobRecords(database), () => context.changed("jobs"), context.topic<Job>("job-ended"));
    context.own({ release: () => jobs.stop() });
    context.own(await jobs.settleInterrupted(context.open(ResumableJobs)));
    context.provide(JobsToken, jobs);

    const schedules = context.own(
      new Schedules(context.open(SchedulesPoint), new ScheduleRecords(database), jobs, () => context.changed("schedules"), context.log),
    );
    await schedules.arrange();
    const tools = new Tools(context.open(ToolsPoint), jobs);
    context.routes([...jobRoutes(jobs), ...scheduleRoutes(schedules), ...toolRoutes(tools), ...healthRoutes(context.open(HealthChecks), context.log)]);
  },
});
