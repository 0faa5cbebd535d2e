import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { Provider, trouble } from "../../metadata/test/support/provider.js";
import { coming, inDays, openReleaseDesk, until } from "./support/release-desk.js";

/** A volume with an issue in each of so many weeks from this one on. */
const everyWeek = (weeks: number) =>
  coming(1, "Moth Patrol", {
    number: 1,
    issues: Array.from({ length: weeks }, (_, week) => ({
      id: 1000 + week,
      issue_number: String(week + 2),
      store_date: inDays(week * 7),
    })),
  });

const lists = (provider: Provider): string[] => provider.asked.filter((path) => path.startsWith("/api/issues/?"));
const weekOf = (path: string) => /store_date%3A([\d-]+)/.exec(path)?.[1];

// Most of the time is waited until the provider may be asked again, so that the tests wait together.
describe.concurrent("a crawl", () => {
  it("asks for each week once, for publishers once, and on the next day only for what is due", async () => {
    await using desk = await openReleaseDesk({
      volumes: [everyWeek(6)],
      settings: { releases: { weeksBack: 1, weeksAhead: 5 } },
    });
    expect(await desk.check()).toMatchObject({ state: "done", message: "6 releases in 7 weeks" });
    expect(new Set(lists(desk.provider).map(weekOf)).size).toBe(7);
    expect(desk.provider.asked.filter((path) => path.startsWith("/api/volumes/"))).toHaveLength(1);
    const before = desk.provider.asked.length;
    // By hand this week and the next are asked for again; the others are not due.
    expect(await desk.check()).toMatchObject({ message: "2 releases in 2 weeks" });
    expect(desk.provider.asked).toHaveLength(before + 2);
    expect((await desk.host.as("admin").post("/api/schedules/releases.check/run")).status).toBe(200);
    await until(async () => {
      const { body } = await desk.host.as("admin").get("/api/jobs");
      return body.filter(({ kind }: { kind: string }) => kind === "releases.check").length === 3;
    });
    expect(desk.provider.asked).toHaveLength(before + 2);
  });

  it("ends by itself against a provider that answers 429 every few questions, and asks nothing twice that was answered", async () => {
    await using desk = await openReleaseDesk({
      volumes: [everyWeek(13)],
      settings: { releases: { weeksBack: 0, weeksAhead: 12 } },
    });
    let questions = 0;
    let refused = 0;
    desk.provider.always((response, request) => {
      questions += 1;
      if (questions % 4 === 0) {
        refused += 1;
        return trouble.status(429, { "retry-after": "1" })(response, request);
      }
      return desk.provider.answer(request, response);
    });
    expect(await desk.check()).toMatchObject({ state: "done", message: "13 releases in 13 weeks" });
    expect(refused).toBeGreaterThanOrEqual(3);
    expect(questions - refused).toBe(14);
  });

  it("waits as long as the provider says, longer than a person would, and says so meanwhile", async () => {
    await using desk = await openReleaseDesk({ volumes: [everyWeek(2)] });
    desk.provider.next(trouble.status(429, { "retry-after": "17" }));
    const begun = performance.now();
    const { body } = await desk.host.as("admin").post("/api/releases/check", {});
    await until(async () => {
      const job = (await desk.host.as("admin").get(`/api/jobs/${body.jobId}`)).body;
      return /fewer requests\. Going on at /.test(job.message ?? "");
    });
    expect((await desk.host.as("trusted").post("/api/releases/check", {})).body).toEqual({
      started: false,
      jobId: body.jobId,
    });
    expect(await desk.ended(body.jobId)).toMatchObject({ state: "done" });
    expect(performance.now() - begun).toBeGreaterThan(16_900);
  });

  it("fails at once, with the reason, when the key is refused; at night that is no failure", async () => {
    await using desk = await openReleaseDesk({ settings: { metadata: { apiKey: "wrong" } } });
    expect(await desk.check()).toMatchObject({ state: "failed", error: expect.stringContaining("key") });
    await desk.host.as("admin").post("/api/schedules/releases.check/run");
    await until(async () => {
      const { body } = await desk.host.as("admin").get("/api/jobs");
      const [latest] = body.filter(({ title }: { title: string }) => title === "Check releases");
      return latest.state === "done" && latest.message.startsWith("Nothing was asked");
    });
  });

  it("goes on after the server was killed, with the week that it was at", async () => {
    await using provider = (await Provider.start()).add(everyWeek(12));
    await using folder = await mkdtempDisposable(join(tmpdir(), "longbox-releases-kill-"));
    const kills = [2, 5, 8];
    for (const count of kills) await crawlUntilKilled(folder.path, provider, count);
    const before = provider.asked.length;
    await using desk = await openReleaseDesk({
      dataFolder: folder.path,
      storage: "sqlite",
      volumes: [],
      settings: { metadata: provider.settings, releases: { weeksBack: 0, weeksAhead: 11 } },
    });
    await until(async () => (await desk.host.as("admin").get("/api/jobs")).body[0]?.state === "done");
    const viewer = desk.host.as("viewer");
    for (let [week, path] = [0, "/api/releases"]; week < 12; week++) {
      const { body } = await viewer.get(path);
      expect([week, body.releases.length, body.checkedAt]).toEqual([week, 1, expect.any(String)]);
      path = `/api/releases?week=${body.next}`;
    }
    // Each kill repeats at most the question that was under way.
    expect(before).toBeGreaterThanOrEqual(8);
    expect(lists(provider).length).toBeLessThanOrEqual(12 + kills.length);
  });
});

/** Runs a server that crawls, and kills it once the provider has been asked so many questions in all. */
async function crawlUntilKilled(folder: string, provider: Provider, count: number): Promise<void> {
  const program = join(import.meta.dirname, "support/crawling-child.ts");
  const child = spawn(process.execPath, [program, folder, JSON.stringify(provider.settings)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  // Answers are slow enough for a kill to fall between them.
  provider.always((response, request) => {
    if (provider.asked.length >= count) child.kill("SIGKILL");
    setTimeout(() => provider.answer(request, response), 100);
  });
  for await (const _ of createInterface({ input: child.stdout })) void _;
  await ended;
  provider.always(undefined);
}
