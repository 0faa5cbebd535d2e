import { definePlugin, defineRoute, NotFound } from "@longbox/sdk";
import { startTestHost, type TestClient } from "@longbox/sdk/testing";
import { needsLongRun } from "@longbox/test/needs";
import { expect, it } from "vitest";
import { z } from "zod";
import { Jobs, ResumableJobs, Tools, type JobControl } from "../src/contract.js";

/** Asks until the answer is as it should be; the test's own time limit ends it otherwise. */
async function until<T>(ask: () => Promise<T>, good: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (good(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
const stateOf = (admin: TestClient, id: number, state: string) =>
  until(
    async () => (await admin.get(`/api/jobs/${id}`)).body,
    (job) => job.state === state,
  );

/** A plugin whose jobs count to 100 and then wait for `POST /api/worker/finish`, or fail when told to. */
function workerPlugin() {
  let finish = () => {};
  const plugin = definePlugin({
    requires: { jobs: Jobs },
    activate({ jobs }, context) {
      const start = z.object({ key: z.string().optional(), fail: z.boolean().default(false) });
      context.routes([
        defineRoute({
          method: "POST",
          path: "/api/worker/start",
          access: "viewer",
          summary: "Starts a job",
          body: start,
          async handle({ body }) {
            const handle = await jobs.run(
              "worker.count",
              "Count",
              async (control) => {
                for (let done = 1; done <= 100; done++) control.progress(done, 200, `at ${done}`);
                if (body.fail) throw new Error("The counter broke.");
                await new Promise<void>((resolve) => {
                  finish = resolve;
                  control.signal.addEventListener("abort", () => resolve(), { once: true });
                });
                control.signal.throwIfAborted();
                return "Counted.";
              },
              { signal: context.signal, ...(body.key && { key: body.key }) },
            );
            return { id: handle.id };
          },
        }),
        defineRoute({
          method: "POST",
          path: "/api/worker/finish",
          access: "viewer",
          summary: "Lets the job finish",
          handle: () => (finish(), {}),
        }),
      ]);
    },
  });
  return {
    manifest: {
      id: "worker",
      title: "Worker",
      description: "Runs jobs",
      sdk: "^1.0.0",
      requires: { "operations.jobs": "^1.0.0" },
    },
    plugin,
  };
}

it("shows a running job with its progress, and its closing message once it is done", async () => {
  await using host = await startTestHost({ plugins: ["operations", workerPlugin()] });
  const admin = host.as("admin");
  const { id } = (await admin.post("/api/worker/start", {})).body;
  const running = await until(
    async () => (await admin.get(`/api/jobs/${id}`)).body,
    (job) => job.done === 100,
  );
  expect(running).toMatchObject({
    kind: "worker.count",
    title: "Count",
    state: "running",
    total: 200,
    message: "at 100",
  });
  await admin.post("/api/worker/finish");
  expect(await stateOf(admin, id, "done")).toMatchObject({
    done: 200,
    message: "Counted.",
    endedAt: expect.any(String),
  });
});

it("takes progress as often as it is reported, and writes it down now and then", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const eager = definePlugin({
    requires: { jobs: Jobs },
    async activate({ jobs }, context) {
      const count = async (control: { progress(done: number, total?: number): void }) => {
        for (let done = 1; done <= 300_000; done++) control.progress(done, 300_000);
        await held;
        return "Counted.";
      };
      await jobs.run("eager.count", "Count", count, { signal: context.signal });
    },
  });
  const { manifest } = workerPlugin();
  // A write for each of these would outlast the test by far.
  await using host = await startTestHost({
    storage: "sqlite",
    plugins: ["operations", { manifest: { ...manifest, id: "eager" }, plugin: eager }],
  });
  const admin = host.as("admin");
  const [job] = await until(
    async () => (await admin.get("/api/jobs")).body,
    (jobs) => jobs[0]?.done === 300_000,
  );
  expect(job).toMatchObject({ state: "running", total: 300_000 });
  release();
  expect(await stateOf(admin, job.id, "done")).toMatchObject({ done: 300_000, message: "Counted." });
});

it("cancels a running job and one that waits behind it", async () => {
  await using host = await startTestHost({ plugins: ["operations", workerPlugin()] });
  const admin = host.as("admin");
  const first = (await admin.post("/api/worker/start", {})).body.id;
  await stateOf(admin, first, "running");
  const second = (await admin.post("/api/worker/start", {})).body.id;
  expect((await admin.get(`/api/jobs/${second}`)).body.state).toBe("queued");
  expect((await admin.post(`/api/jobs/${second}/cancel`)).body).toMatchObject({
    state: "cancelled",
    error: "It was cancelled.",
  });
  await admin.post(`/api/jobs/${first}/cancel`);
  await stateOf(admin, first, "cancelled");
  expect((await admin.post(`/api/jobs/${first}/cancel`)).status).toBe(409);
  expect((await admin.post("/api/jobs/999/cancel")).body.code).toBe("operations/no-such-job");
});

it("refuses a second job of a key while the first is under way, and names it", async () => {
  await using host = await startTestHost({ plugins: ["operations", workerPlugin()] });
  const admin = host.as("admin");
  const { id } = (await admin.post("/api/worker/start", { key: "one" })).body;
  expect(await admin.post("/api/worker/start", { key: "one" })).toMatchObject({
    status: 409,
    body: { code: "operations/job-running", details: { jobId: id } },
  });
});

it("marks a job failed with the reason, lists running jobs first, and forgets ended ones when asked", async () => {
  await using host = await startTestHost({ plugins: ["operations", workerPlugin()] });
  const admin = host.as("admin");
  const failed = (await admin.post("/api/worker/start", { fail: true })).body.id;
  expect(await stateOf(admin, failed, "failed")).toMatchObject({ error: "The counter broke." });
  const gone = new NotFound("worker/gone", "There is no counter 7.", { id: 7 });
  const { ended } = await host.use(Jobs).run("worker.other", "Look for it", () => Promise.reject(gone));
  const reason = { error: "There is no counter 7.", errorCode: "worker/gone", errorDetails: { id: 7 } };
  const { id } = await ended;
  expect((await admin.get(`/api/jobs/${id}`)).body).toMatchObject({ state: "failed", ...reason });
  const running = (await admin.post("/api/worker/start", {})).body.id;
  await stateOf(admin, running, "running");
  const list = await admin.get("/api/jobs");
  expect(list.body.map((job: { id: number }) => job.id)).toEqual([running, id, failed]);
  expect(list.headers.get("x-total-count")).toBe("3");
  expect((await admin.post("/api/jobs/clear")).body).toEqual({ cleared: 2 });
  expect((await admin.get("/api/jobs")).body).toHaveLength(1);
  expect((await host.as("trusted").get("/api/jobs")).status).toBe(403);
});

it("stops the jobs of a plugin that is switched off", async () => {
  await using host = await startTestHost({ plugins: ["operations", workerPlugin()] });
  const admin = host.as("admin");
  const { id } = (await admin.post("/api/worker/start", {})).body;
  await stateOf(admin, id, "running");
  await host.disable("worker");
  expect(await stateOf(admin, id, "cancelled")).toMatchObject({ error: "The plugin that asked for it stopped." });
});

it("ends a job that ignores that its plugin was switched off", { timeout: 120_000, ...needsLongRun }, async () => {
  const deaf = definePlugin({
    requires: { jobs: Jobs },
    activate({ jobs }, context) {
      const start = () =>
        jobs.run(
          "deaf.walk",
          "Walk",
          (control) => new Promise<never>(() => setInterval(() => control.progress(1, 2, "Walking"), 100).unref()),
          { signal: context.signal, key: "deaf" },
        );
      const route = { method: "POST", path: "/api/deaf/start", access: "viewer", summary: "Walks" } as const;
      context.routes([defineRoute({ ...route, handle: async () => ({ id: (await start()).id }) })]);
    },
  });
  const manifest = {
    ...{ id: "deaf", title: "Deaf", description: "Walks", sdk: "^1.0.0" },
    requires: { "operations.jobs": "^1.0.0" },
  };
  await using host = await startTestHost({ plugins: ["operations", { manifest, plugin: deaf }] });
  const admin = host.as("admin");
  const { id } = (await admin.post("/api/deaf/start")).body;
  await stateOf(admin, id, "running");
  await host.disable("deaf");
  expect(await stateOf(admin, id, "cancelled")).toMatchObject({ error: "The plugin that asked for it stopped." });
  await host.enable("deaf");
  expect((await admin.post("/api/deaf/start")).status).toBe(200);
});

it("goes on with a resumable job after a restart from its checkpoint, and marks the others failed", async () => {
  let resumed: unknown;
  const plugin = definePlugin({
    requires: { jobs: Jobs },
    activate({ jobs }, context) {
      context.contribute(ResumableJobs, {
        kind: "long.walk",
        async resume(start, control) {
          resumed = start;
          control.progress(10, 10);
          return "Arrived.";
        },
      });
      const walk = async (checkpoint: unknown, input: unknown) => {
        const handle = await jobs.run(
          "long.walk",
          "Walk",
          async (control) => {
            await control.checkpoint(checkpoint);
            await new Promise<void>((resolve) =>
              control.signal.addEventListener("abort", () => resolve(), { once: true }),
            );
            control.signal.throwIfAborted();
          },
          { ...(input === undefined ? {} : { input }), concurrency: 2 },
        );
        return { id: handle.id };
      };
      context.routes([
        defineRoute({
          method: "POST",
          path: "/api/walk/resumable",
          access: "viewer",
          summary: "Walks",
          handle: () => walk({ step: 4 }, { to: "the lamp" }),
        }),
        defineRoute({
          method: "POST",
          path: "/api/walk/plain",
          access: "viewer",
          summary: "Walks",
          handle: () => walk({ step: 1 }, undefined),
        }),
      ]);
    },
  });
  const manifest = {
    id: "walker",
    title: "Walker",
    description: "Walks",
    sdk: "^1.0.0",
    requires: { "operations.jobs": "^1.0.0" },
    contributes: { resumableJobs: "^1.0.0" },
  };
  await using host = await startTestHost({ plugins: ["operations", { manifest, plugin }], storage: "sqlite" });
  const resumable = (await host.as("admin").post("/api/walk/resumable")).body.id;
  const plain = (await host.as("admin").post("/api/walk/plain")).body.id;
  await stateOf(host.as("admin"), plain, "running");
  await host.restart();
  expect(await stateOf(host.as("admin"), resumable, "done")).toMatchObject({ message: "Arrived.", done: 10 });
  expect(resumed).toEqual({ input: { to: "the lamp" }, checkpoint: { step: 4 } });
  expect((await host.as("admin").get(`/api/jobs/${plain}`)).body).toMatchObject({
    state: "failed",
    error: expect.stringContaining("stopped"),
  });
});

/** A plugin whose jobs can go on: they keep where they are, wait, and say where they went on from. */
function strider() {
  const resumed: unknown[] = [];
  const plugin = definePlugin({
    requires: { jobs: Jobs },
    activate({ jobs }, context) {
      const waitFor = (signal: AbortSignal) =>
        new Promise<never>((_, reject) => {
          const stop = () => reject(signal.reason as Error);
          // The plugin may have been stopped while the checkpoint was stored.
          if (signal.aborted) stop();
          else signal.addEventListener("abort", stop, { once: true });
        });
      context.contribute(ResumableJobs, {
        kind: "strider.stride",
        async resume(start, control) {
          resumed.push(start.checkpoint);
          if (resumed.length === 1) await waitFor(control.signal);
          return "Arrived.";
        },
      });
      const start = async () => {
        const handle = await jobs.run(
          "strider.stride",
          "Stride",
          async (control) => {
            await control.checkpoint({ step: 7 });
            control.progress(7, 10);
            await waitFor(control.signal);
          },
          { signal: context.signal, key: "stride", input: { to: "the lamp" } },
        );
        return { id: handle.id };
      };
      context.routes([
        defineRoute({ method: "POST", path: "/api/stride", access: "viewer", summary: "Strides", handle: start }),
      ]);
    },
  });
  const manifest = {
    id: "strider",
    title: "Strider",
    description: "Strides",
    sdk: "^1.0.0",
    requires: { "operations.jobs": "^1.0.0" },
    contributes: { resumableJobs: "^1.0.0" },
  };
  return { resumed, entry: { manifest, plugin } };
}

it("keeps a resumable job when its plugin stops, and goes on with it when the plugin or the server is back", async () => {
  const { resumed, entry } = strider();
  await using host = await startTestHost({ plugins: ["operations", entry], storage: "sqlite" });
  const admin = host.as("admin");
  const { id } = (await admin.post("/api/stride")).body;
  await until(
    async () => (await admin.get(`/api/jobs/${id}`)).body,
    (job) => job.done === 7,
  );
  await host.disable("strider");
  await stateOf(admin, id, "queued");
  await host.enable("strider");
  await until(
    async () => resumed.length,
    (count) => count === 1,
  );
  expect(await admin.post("/api/stride")).toMatchObject({ status: 409, body: { details: { jobId: id } } });
  await host.restart();
  expect(await stateOf(admin, id, "done")).toMatchObject({ message: "Arrived." });
  expect(resumed).toEqual([{ step: 7 }, { step: 7 }]);
});

it("cancels a job that waits for its plugin", async () => {
  const { entry } = strider();
  await using host = await startTestHost({ plugins: ["operations", entry] });
  const admin = host.as("admin");
  const { id } = (await admin.post("/api/stride")).body;
  await stateOf(admin, id, "running");
  await host.disable("strider");
  await stateOf(admin, id, "queued");
  expect(await admin.post(`/api/jobs/${id}/cancel`)).toMatchObject({
    status: 200,
    body: { state: "cancelled", error: "It was cancelled." },
  });
  expect((await admin.post(`/api/jobs/${id}/cancel`)).status).toBe(409);
  expect((await admin.post("/api/jobs/999/cancel")).status).toBe(404);
});

it("runs a tool again that a restart cut off, as the same job, when it finds by itself what is left", async () => {
  const runs: unknown[] = [];
  const plugin = definePlugin({
    activate(_, context) {
      const tool = (id: string, resumes: boolean) => ({
        id,
        title: id,
        description: "Sweeps",
        touchesFiles: true,
        resumes,
        async run(order: { dryRun: boolean }, { signal }: JobControl) {
          runs.push([id, order.dryRun]);
          if (runs.length > 2) return "Swept.";
          await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
          throw signal.reason as Error;
        },
      });
      context.contribute(Tools, tool("sweep", true));
      context.contribute(Tools, tool("once", false));
    },
  });
  const manifest = {
    id: "sweeper",
    title: "Sweeper",
    description: "Sweeps",
    sdk: "^1.0.0",
    contributes: { tools: "^1.0.0" },
  };
  await using host = await startTestHost({ plugins: ["operations", { manifest, plugin }], storage: "sqlite" });
  const admin = host.as("admin");
  const start = async (tool: string) => (await admin.post(`/api/tools/${tool}`, { dryRun: true })).body.jobId;
  const [sweep, once] = [await start("sweep"), await start("once")];
  await until(
    async () => runs.length,
    (count) => count === 2,
  );
  await host.restart();
  expect(await stateOf(admin, sweep, "done")).toMatchObject({ message: "Swept." });
  expect(await stateOf(admin, once, "cancelled")).toMatchObject({ error: "The plugin that asked for it stopped." });
  expect(runs).toEqual([
    ["sweep", true],
    ["once", true],
    ["sweep", true],
  ]);
});

it("remembers only as many ended jobs of a kind as it says", async () => {
  const plugin = definePlugin({
    requires: { jobs: Jobs },
    activate({ jobs }, context) {
      const handle = async () => {
        for (let index = 1; index <= 4; index++)
          await (
            await jobs.run("small.work", `Small ${index}`, async () => undefined, { keepNewest: 2 })
          ).ended;
      };
      context.routes([
        defineRoute({ method: "POST", path: "/api/small", access: "viewer", summary: "Works a little", handle }),
      ]);
    },
  });
  const manifest = {
    id: "small",
    title: "Small",
    description: "Works a little",
    sdk: "^1.0.0",
    requires: { "operations.jobs": "^1.0.0" },
  };
  await using host = await startTestHost({ plugins: ["operations", { manifest, plugin }] });
  await host.as("admin").post("/api/small");
  const titles = (await host.as("admin").get("/api/jobs")).body.map(({ title }: { title: string }) => title);
  expect(titles).toEqual(["Small 4", "Small 3"]);
});
