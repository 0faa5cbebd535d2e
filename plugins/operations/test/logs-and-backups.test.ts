import { existsSync } from "node:fs";
import { join } from "node:path";
import { definePlugin } from "@longbox/sdk";
import { startTestHost, type TestHost } from "@longbox/sdk/testing";
import { expect, it } from "vitest";

/** A plugin that writes to the log when it starts. */
const talkative = {
  manifest: { id: "talkative", title: "Talkative", description: "Talks", sdk: "^1.0.0" },
  plugin: definePlugin({
    activate(_, context) {
      context.log.info("The first word", { volume: 11 });
      context.log.warn("A warning");
      context.log.error("The last word");
    },
  }),
};

async function until<T>(ask: () => Promise<T>, good: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (good(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const jobEnded = (host: TestHost, jobId: number) =>
  until(
    async () => (await host.as("admin").get(`/api/jobs/${jobId}`)).body,
    (job) => ["done", "failed", "cancelled"].includes(job.state),
  );

it("lists the log newest first, by level, category and text, in pages", async () => {
  await using host = await startTestHost({ plugins: ["operations", talkative] });
  const ask = async (query: string) =>
    (await host.as("admin").get(`/api/logs?category=talkative&${query}`)).body.map(
      (line: { message: string }) => line.message,
    );
  expect(await ask("")).toEqual(["The last word", "A warning", "The first word"]);
  expect(await ask("level=warn")).toEqual(["The last word", "A warning"]);
  expect(await ask("text=WORD&limit=1&offset=1")).toEqual(["The first word"]);
  const answer = await host.as("admin").get("/api/logs?category=talkative&limit=1");
  expect(answer.headers.get("x-total-count")).toBe("3");
  expect(answer.body[0]).toMatchObject({
    level: "error",
    category: "talkative",
    at: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  expect(await ask(`after=${answer.body[0].id}`)).toEqual([]);
  const middle = (await host.as("admin").get("/api/logs?category=talkative&level=warn&limit=1&offset=1")).body[0].at;
  expect(await ask(`since=${middle}`)).toEqual(expect.arrayContaining(["The last word", "A warning"]));
  expect(await ask(`until=${new Date(Date.parse(answer.body[0].at) + 1).toISOString()}`)).toEqual([
    "The last word",
    "A warning",
    "The first word",
  ]);
  expect(await ask(`since=${encodeURIComponent("2100-01-01T00:00:00+02:00")}`)).toEqual([]);
  expect(await ask("until=2000-01-01T00:00:00Z")).toEqual([]);
  expect(await host.as("admin").get("/api/logs?since=yesterday")).toMatchObject({
    status: 400,
    body: { details: { since: expect.any(String) } },
  });
  expect(await host.as("admin").get("/api/logs?level=loud")).toMatchObject({
    status: 400,
    body: { details: { level: expect.any(String) } },
  });
  expect((await host.as("trusted").get("/api/logs")).status).toBe(403);
});

it("clears the log, and announces new lines", async () => {
  await using host = await startTestHost({ plugins: ["operations"] });
  const domains = await host.domains("admin");
  expect((await host.as("admin").post("/api/logs/clear")).body).toEqual({ cleared: expect.any(Number) });
  expect((await host.as("admin").post("/api/backup")).status).toBe(201);
  await domains.until("logs");
  await domains.release();
  const lines = (await host.as("admin").get("/api/logs?level=info")).body;
  expect(lines).toEqual([expect.objectContaining({ category: "backup", message: "A backup was made." })]);
});

it("makes a backup as a tool and by its schedule, and says how old the newest is", async () => {
  await using host = await startTestHost({ plugins: ["operations"] });
  const admin = host.as("admin");
  const health = async () =>
    (await admin.get("/api/health/checks")).body.find((finding: { id: string }) => finding.id === "operations.backup");
  expect(await health()).toMatchObject({ level: "ok", advice: "There is no backup yet." });
  expect((await admin.get("/api/tools")).body).toContainEqual(expect.objectContaining({ id: "backup", dryRun: false }));
  expect((await admin.get("/api/schedules")).body).toContainEqual(
    expect.objectContaining({ key: "operations.backup", enabled: true, nextRunAt: expect.any(String) }),
  );
  const made = await jobEnded(host, (await admin.post("/api/tools/backup", {})).body.jobId);
  expect(made).toMatchObject({ state: "done", message: expect.stringMatching(/^longbox-.*\.tar\.gz, /) });
  const scheduled = await jobEnded(host, (await admin.post("/api/schedules/operations.backup/run")).body.jobId);
  expect(scheduled).toMatchObject({ state: "done" });
  const kept = (await admin.get("/api/backups")).body as Array<{ name: string }>;
  expect(kept.map(({ name }) => existsSync(join(host.dataFolder, "backups", name)))).toEqual([true, true]);
  expect(await health()).toMatchObject({ level: "ok", advice: "The newest backup is less than a day old." });
});

it("tidies caches by its schedule", async () => {
  await using host = await startTestHost({ plugins: ["operations"] });
  const admin = host.as("admin");
  const { jobId } = (await admin.post("/api/schedules/operations.tidy-caches/run")).body;
  expect(await jobEnded(host, jobId)).toMatchObject({ state: "done", message: "0 files dropped, 0.0 KB freed" });
});
