import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { systemViewer } from "@longbox/sdk";
import { Catalog } from "@longbox/collection/contract";
import { openShelf, type FileSpec, type Shelf } from "./support/shelf.js";

interface IssueSeen {
  owned: boolean;
  corrupt: boolean;
  tagged: boolean;
  wanted: boolean;
  number: string;
  kind: string;
  pick: boolean | null;
  files: Array<{ size: number; path: string }>;
}
interface SeriesSeen {
  id: number;
  monitor: string;
  monitor_from: number | null;
  issues: IssueSeen[];
  [counter: string]: unknown;
}

const titles = ["Moth Patrol", "Candle", "Wick"];
const title = fc.constantFrom(...titles);
const number = fc.integer({ min: 1, max: 6 }).map(String);
const operation = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("place" as const),
      title,
      number,
      valid: fc.boolean(),
      tagged: fc.boolean(),
      size: fc.integer({ min: 1, max: 99 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("remove" as const), title, number }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("move" as const), title, number, to: number }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("volume" as const), title, count: fc.integer({ min: 1, max: 5 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("monitor" as const),
      title,
      monitor: fc.constantFrom("all", "new", "none"),
      from: fc.integer({ min: 1, max: 6 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("pick" as const), title, want: fc.constantFrom(true, false, undefined) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("assign" as const), title, from: number, issue: fc.nat() }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

async function apply(shelf: Shelf, done: Operation): Promise<void> {
  const admin = shelf.host.as("admin");
  const path = (numbered: string) => shelf.file({ series: done.title, number: numbered }).path;
  if (done.kind === "place")
    return void (await shelf.place({
      series: done.title,
      number: done.number,
      change: { valid: done.valid, tagged: done.tagged, sizeBytes: done.size },
    }));
  if (done.kind === "remove") return shelf.library.removeFiles([path(done.number)]);
  if (done.kind === "move") return shelf.library.moveFiles([{ from: path(done.number), to: path(done.to) }]);
  const found = (await admin.get("/api/collection")).body.find((row: { title: string }) => row.title === done.title);
  if (!found) return;
  if (done.kind === "volume") {
    const cvId = 1 + titles.indexOf(done.title);
    const issues = Array.from({ length: done.count }, (_, index) => ({
      cvIssueId: cvId * 100 + index,
      number: String(index + 1),
    }));
    await shelf.host
      .use(Catalog)
      .matchSeries(found.id, { cvId, title: done.title, aliases: [], status: "ongoing", issues }, systemViewer);
  }
  if (done.kind === "monitor")
    await admin.post(`/api/collection/${found.id}/monitor`, { monitor: done.monitor, from: done.from });
  const { issues } = (await admin.get(`/api/collection/${found.id}`)).body;
  if (done.kind === "pick")
    await admin.post(`/api/collection/${found.id}/wanted`, {
      cvIssueIds: [issues[0].cvIssueId],
      ...(done.want === undefined ? { clear: true } : { want: done.want }),
    });
  if (done.kind === "assign") {
    const { status } = await admin.post(`/api/collection/${found.id}/assign-file`, {
      path: path(done.from),
      cvIssueId: issues[done.issue % issues.length].cvIssueId,
    });
    const isThere = issues.some((issue: IssueSeen) => issue.files.some((file) => file.path === path(done.from)));
    expect(status).toBe(isThere ? 200 : 400);
  }
}

/** What the counters must say, worked out from the issues and files that the server shows. */
function expected(series: SeriesSeen) {
  const owned = series.issues.filter((issue) => issue.owned);
  const wanted = (issue: IssueSeen) =>
    !issue.owned &&
    (issue.pick ??
      (series.monitor === "all" || (series.monitor === "new" && Number(issue.number) >= (series.monitor_from ?? 0))));
  return {
    total: series.issues.length,
    owned: owned.length,
    missing: series.issues.length - owned.length,
    corrupt: owned.filter((issue) => issue.corrupt).length,
    untagged: owned.filter((issue) => !issue.tagged).length,
    size: owned.flatMap((issue) => issue.files).reduce((sum, file) => sum + file.size, 0),
    wanted: series.issues.map(wanted),
  };
}

describe("the counters of series", () => {
  it("equal what their issues and files add up to, whatever happened before", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 25 }), async (operations) => {
        await using shelf = await openShelf();
        for (const done of operations) await apply(shelf, done);
        const admin = shelf.host.as("admin");
        const rows = (await admin.get("/api/collection")).body as SeriesSeen[];
        for (const row of rows) {
          const series = (await admin.get(`/api/collection/${row.id}`)).body as SeriesSeen;
          const { total, owned, missing, corrupt, untagged, size } = series as never as Record<string, number>;
          expect({
            total,
            owned,
            missing,
            corrupt,
            untagged,
            size,
            wanted: series.issues.map((issue) => issue.wanted),
          }).toEqual(expected(series));
          expect(series.issues.every((issue) => issue.owned === issue.files.length > 0)).toBe(true);
        }
        const shown = await Promise.all(rows.map((row) => admin.get(`/api/collection/${row.id}`)));
        const wanted = shown.flatMap(({ body }) => (body as SeriesSeen).issues.filter((issue) => issue.wanted));
        expect((await admin.get("/api/wanted")).headers.get("x-total-count")).toBe(String(wanted.length));
        const { body: counts } = await admin.get("/api/collection/counts");
        expect(counts).toMatchObject({ all: rows.length, manga: 0 });
        const hasGaps = shown.filter(({ body }) => body.missing > 0 || body.gaps.length > 0);
        expect([counts.incomplete, counts.complete]).toEqual([hasGaps.length, rows.length - hasGaps.length]);
        for (const filter of [
          "incomplete",
          "complete",
          "monitored",
          "unmonitored",
          "ongoing",
          "ended",
          "problems",
          "unmatched",
          "comic",
        ]) {
          expect([filter, counts[filter]]).toEqual([
            filter,
            (await admin.get(`/api/collection?filter=${filter}`)).body.length,
          ]);
        }
      }),
      { numRuns: 10 },
    );
  });

  it("are the same when a new issue is stored with the counts of its file and when its files are counted", async () => {
    await using shelf = await openShelf({ plugins: ["operations"] });
    const admin = shelf.host.as("admin");
    const placed = (number: string, change: NonNullable<FileSpec["change"]>, file = number): FileSpec => ({
      number,
      path: join(shelf.root, "comics", `${file}.cbz`),
      change,
    });
    const broken = { valid: false, error: "It is damaged.", pages: 3, seconds: 7 };
    await shelf.place(placed("8", { pages: 80 }, "moves"), placed("9", { pages: 9 }));
    await shelf.place(
      placed("1", { pages: 11, tagged: true }),
      placed("2", broken),
      placed("3", { pages: 31 }, "3 a"),
      placed("3", { pages: 33, tagged: true, seconds: 300 }, "3 b"),
      placed("4", { seconds: 400 }),
      // A known file that makes an issue: it was there before.
      placed("10", { pages: 80 }, "moves"),
    );
    const shown = async () => (await admin.get("/api/collection/1")).body;
    const before = await shown();
    expect(before.issues.map((issue: IssueSeen) => [issue.number, issue.owned, issue.corrupt, issue.tagged])).toEqual([
      ["1", true, false, true],
      ["2", true, true, false],
      ["3", true, false, true],
      ["4", true, false, false],
      ["8", false, false, false],
      ["9", true, false, false],
      ["10", true, false, false],
    ]);
    expect((await admin.post("/api/tools/reindex-series", {})).status).toBeLessThan(300);
    await expect.poll(async () => (await admin.get("/api/jobs")).body[0]?.state, { timeout: 60_000 }).toBe("done");
    expect(await shown()).toEqual(before);
  });
});
