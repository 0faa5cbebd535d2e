import { definePlugin } from "@longbox/sdk";
import { startTestHost } from "@longbox/sdk/testing";
import { expect, it } from "vitest";
import { HealthChecks, Schedules, Tools } from "../src/contract.js";

async function until<T>(ask: () => Promise<T>, good: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (good(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A plugin with a schedule, two tools and a health check; it counts what was run. */
function caretaker(cron = "0 3 * * *") {
  const runs: string[] = [];
  const plugin = definePlugin({
    activate(_, context) {
      context.contribute(Schedules, {
        key: "caretaker.sweep",
        title: "Sweep",
        description: "Sweeps the floor",
        cron,
        enabled: true,
        run: async () => void runs.push("sweep"),
      });
      context.contribute(Tools, {
        id: "tidy",
        title: "Tidy",
        description: "Moves files",
        touchesFiles: true,
        run: async ({ dryRun }) => void runs.push(`tidy ${dryRun}`),
      });
      context.contribute(Tools, {
        id: "count",
        title: "Count",
        description: "Counts",
        touchesFiles: false,
        run: async () => void runs.push("count"),
      });
      context.contribute(HealthChecks, {
        check: async () => [
          { id: "caretaker.broom", title: "Broom", level: "error", advice: "The broom is broken: buy one." },
        ],
      });
    },
  });
  const manifest = {
    id: "caretaker",
    title: "Caretaker",
    description: "Keeps house",
    sdk: "^1.0.0",
    contributes: { schedules: "^1.0.0", tools: "^1.0.0", healthChecks: "^1.0.0" },
  };
  return { runs, entry: { manifest, plugin } };
}

it("lists schedules with their next run, changes them, and runs one now", async () => {
  const { runs, entry } = caretaker();
  await using host = await startTestHost({ plugins: ["operations", entry] });
  const admin = host.as("admin");
  const find = async () =>
    (await admin.get("/api/schedules")).body.find((row: { key: string }) => row.key === "caretaker.sweep");
  await until(find, (row) => row?.nextRunAt !== undefined);
  expect(await find()).toMatchObject({
    cron: "0 3 * * *",
    defaultCron: "0 3 * * *",
    enabled: true,
    running: false,
    nextRunAt: expect.any(String),
  });
  expect((await admin.post("/api/schedules/caretaker.sweep", { cron: "*/5 * * * *" })).body).toMatchObject({
    cron: "*/5 * * * *",
    defaultCron: "0 3 * * *",
  });
  const off = (await admin.post("/api/schedules/caretaker.sweep", { enabled: false })).body;
  expect(off).toMatchObject({ enabled: false, cron: "*/5 * * * *" });
  expect(off.nextRunAt).toBeUndefined();
  expect((await admin.post("/api/schedules/caretaker.sweep/run")).body).toEqual({ jobId: expect.any(Number) });
  await until(find, (row) => row.lastState === "done");
  expect(runs).toEqual(["sweep"]);
});

it.each([
  ["every now and then", "must have five fields"],
  ["61 * * * *", expect.any(String)],
  ["0 0 30 2 *", "names a time that never comes"],
])("refuses the cron pattern “%s” and names the field", async (cron, reason) => {
  await using host = await startTestHost({ plugins: ["operations", caretaker().entry] });
  const answer = await host.as("admin").post("/api/schedules/caretaker.sweep", { cron });
  expect(answer).toMatchObject({
    status: 400,
    body: {
      code: "operations/bad-cron",
      details: { cron: typeof reason === "string" ? expect.stringContaining(reason) : reason },
    },
  });
});

it("answers 404 for an unknown schedule and an unknown tool", async () => {
  await using host = await startTestHost({ plugins: ["operations"] });
  expect(await host.as("admin").post("/api/schedules/nobody/run")).toMatchObject({
    status: 404,
    body: { code: "operations/no-such-schedule" },
  });
  expect(await host.as("admin").post("/api/tools/nobody", {})).toMatchObject({
    status: 404,
    body: { code: "operations/no-such-tool" },
  });
});

it("runs a tool as a job, first as a trial when it touches files", async () => {
  const { runs, entry } = caretaker();
  await using host = await startTestHost({ plugins: ["operations", entry] });
  const admin = host.as("admin");
  expect((await admin.get("/api/tools")).body).toMatchObject([
    { id: "backup" },
    { id: "count", dryRun: false },
    { id: "tidy", dryRun: true, running: false },
  ]);
  const { jobId } = (await admin.post("/api/tools/tidy", { dryRun: true })).body;
  const job = await until(
    async () => (await admin.get(`/api/jobs/${jobId}`)).body,
    ({ state }) => state === "done",
  );
  expect(job).toMatchObject({ kind: "tool.tidy", title: "Tidy (trial)" });
  expect(runs).toEqual(["tidy true"]);
  expect(await admin.post("/api/tools/count", { dryRun: true })).toMatchObject({
    status: 400,
    body: { code: "operations/no-dry-run" },
  });
});

it("takes away what a plugin offered when it is switched off, and shows it again", async () => {
  await using host = await startTestHost({ plugins: ["operations", caretaker().entry] });
  const admin = host.as("admin");
  await host.disable("caretaker");
  expect((await admin.get("/api/tools")).body).toMatchObject([{ id: "backup" }]);
  await host.enable("caretaker");
  await until(
    async () => (await admin.get("/api/schedules")).body,
    (rows) => rows.some((row: { key: string }) => row.key === "caretaker.sweep"),
  );
});

it("shows the worst health findings first, each with what to do", async () => {
  await using host = await startTestHost({ plugins: ["operations", caretaker().entry] });
  const answer = await host.as("admin").get("/api/health/checks");
  expect(answer.body[0]).toEqual({
    id: "caretaker.broom",
    title: "Broom",
    level: "error",
    advice: "The broom is broken: buy one.",
  });
  expect(answer.body.map((finding: { id: string }) => finding.id)).toContain("kernel.disk");
  expect((await host.as("trusted").get("/api/health/checks")).status).toBe(403);
});

it("stops a tool that runs when the plugin that brought it is switched off, and says why", async () => {
  let stopped: unknown;
  const plugin = definePlugin({
    activate(_, context) {
      const run = (_order: unknown, control: { signal: AbortSignal; progress(done: number, total: number): void }) =>
        new Promise<void>((_resolve, reject) => {
          control.progress(1, 3);
          control.signal.addEventListener("abort", () => reject((stopped = control.signal.reason) as Error));
        });
      context.contribute(Tools, {
        id: "endless",
        title: "Endless",
        description: "Never ends",
        touchesFiles: false,
        run,
      });
    },
  });
  const manifest = {
    id: "endless",
    title: "Endless",
    description: "Never ends",
    sdk: "^1.0.0",
    contributes: { tools: "^1.0.0" },
  };
  await using host = await startTestHost({ plugins: ["operations", { manifest, plugin }] });
  const admin = host.as("admin");
  const { jobId } = (await admin.post("/api/tools/endless", {})).body;
  const job = async () => (await admin.get(`/api/jobs/${jobId}`)).body;
  await until(job, ({ done }) => done === 1);
  await host.disable("endless");
  expect(await until(job, ({ endedAt }) => endedAt !== undefined)).toMatchObject({
    state: "cancelled",
    error: "The plugin that asked for it stopped.",
  });
  expect(stopped).toBeInstanceOf(Error);
});

it.each(["last_run_at", "seen_at"])(
  "catches up once on what was missed while the server was down, counted from %s",
  async (column) => {
    const { runs, entry } = caretaker("0 3 * * *");
    await using host = await startTestHost({ plugins: ["operations", entry], storage: "sqlite" });
    const admin = host.as("admin");
    const find = async () =>
      (await admin.get("/api/schedules")).body.find((row: { key: string }) => row.key === "caretaker.sweep");
    if (column === "last_run_at") {
      await admin.post("/api/schedules/caretaker.sweep/run");
      await until(find, (row) => row.lastState === "done");
    }
    const written = () =>
      host.tables("operations", async (database) => {
        const sweep = database.selectFrom("schedule").select(column).where("key", "=", "caretaker.sweep");
        return (await sweep.executeTakeFirst())?.[column] ?? undefined;
      });
    await until(written, (moment) => moment !== undefined);
    runs.length = 0;
    await host.stop();
    const before = new Date(Date.now() - 3 * 86_400_000).toISOString();
    const [changed] = await host.tables("operations", (database) =>
      database.updateTable("schedule").set(column, before).where("key", "=", "caretaker.sweep").execute(),
    );
    expect(changed?.numUpdatedRows).toBe(1n);
    await host.restart();
    await until(find, (row) => row.lastState === "done" && !row.running);
    await host.restart();
    expect((await find()).lastState).toBe("done");
    expect(runs).toEqual(["sweep"]);
  },
);

/**
 * A plugin with a schedule that is due every minute, and one whose pattern cannot be read; a run ends when it is told
 * to stop.
 */
function restless() {
  let begun = 0;
  const plugin = definePlugin({
    activate(_, context) {
      const run = (_control: unknown) => {
        begun++;
        return new Promise<void>((_resolve, reject) =>
          (_control as { signal: AbortSignal }).signal.addEventListener("abort", () => reject(new Error("stopped"))),
        );
      };
      context.contribute(Schedules, {
        key: "restless.garbled",
        title: "Garbled",
        description: "Cannot be read",
        cron: "whenever",
        enabled: true,
        run: async () => undefined,
      });
      context.contribute(Schedules, {
        key: "restless.pace",
        title: "Pace",
        description: "Walks up and down",
        cron: "* * * * *",
        enabled: true,
        run,
      });
    },
  });
  const manifest = {
    id: "restless",
    title: "Restless",
    description: "Paces",
    sdk: "^1.0.0",
    contributes: { schedules: "^1.0.0" },
  };
  return { begun: () => begun, entry: { manifest, plugin } };
}

it("runs by the clock, and refuses a second run while the first is under way", async () => {
  const { begun, entry } = restless();
  await using host = await startTestHost({ plugins: ["operations", entry], storage: "sqlite", clock: true });
  const admin = host.as("admin");
  const list = async () => (await admin.get("/api/schedules")).body as { key: string }[];
  const find = async (): Promise<any> => (await list()).find((row) => row.key === "restless.pace");
  expect((await list()).map(({ key }) => key)).not.toContain("restless.garbled");
  const reported = (await admin.get("/api/logs?text=restless.garbled")).body as { fields: object }[];
  expect(JSON.stringify(reported)).toContain('cron is \\"whenever\\" and must have five fields');
  await host.clock.advance(60_000);
  await until(find, (row) => row.running);
  expect(await admin.post("/api/schedules/restless.pace/run")).toMatchObject({
    status: 409,
    body: { code: "operations/job-running", details: { jobId: expect.any(Number) } },
  });
  await host.clock.advance(60_000);
  await until(
    async () => (await admin.get("/api/logs?text=scheduled run was left out")).body,
    (lines) => lines.some((line: { fields: { schedule: string } }) => line.fields.schedule === "restless.pace"),
  );
  expect(begun()).toBe(1);

  await admin.post("/api/schedules/restless.pace", { cron: "0 5 1 1 *" });
  await host.stop();
  // A server that is killed cannot write down how the run ended.
  await host.tables("operations", (database) =>
    database
      .updateTable("schedule")
      .set({ last_state: "running", last_error: null })
      .where("key", "=", "restless.pace")
      .execute(),
  );
  await host.restart();
  await until(find, (row) => row.lastState !== "running");
  expect(await find()).toMatchObject({
    running: false,
    lastState: "failed",
    lastError: "Longbox stopped before the job finished.",
  });
});
