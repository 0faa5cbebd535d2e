import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { describe, expect, it, vi } from "vitest";
import { needsSqliteFiles } from "@longbox/test/needs";
import { openShelf, type Shelf } from "../support/shelf.js";

const seriesOrders = ["title", "-title", "added", "missing", "year", "-year", "latest"];
const filters = ["incomplete", "complete", "ongoing", "manga", "problems"];
const wantedOrders = ["series", "newest", "oldest", "most", "fewest"];
const lists = [
  ...seriesOrders.flatMap((sort) => [
    `/api/collection?limit=60&sort=${sort}`,
    ...filters.map((filter) => `/api/collection?limit=60&sort=${sort}&filter=${filter}`),
  ]),
  ...["wanted", "gaps"].flatMap((scope) =>
    wantedOrders.flatMap((sort) =>
      ["", "&hideUnreleased=1"].map((more) => `/api/wanted?limit=60&scope=${scope}&sort=${sort}${more}`),
    ),
  ),
];

interface Question {
  readonly path: string;
  readonly sql: string;
  readonly parameters: SQLInputValue[];
}

/** The plans of the statements with an order that a request puts to the reading threads. */
async function plansOf(shelf: Shelf, path: string): Promise<string[]> {
  const posted = vi.spyOn(Worker.prototype, "postMessage");
  try {
    expect(await shelf.host.as("admin").get(path)).toMatchObject({ status: 200 });
    const questions = posted.mock.calls.map(([message]) => message as Question);
    return questions.filter(({ sql }) => sql?.includes("order by")).map(planOf);
  } finally {
    posted.mockRestore();
  }
}

function planOf({ path, sql, parameters }: Question): string {
  using database = new DatabaseSync(path, { readOnly: true });
  const steps = database.prepare(`explain query plan ${sql}`).all(...parameters);
  return steps.map(({ detail }) => detail).join("; ");
}

describe("the orders of lists", needsSqliteFiles, () => {
  it("are read from an index, also those of a filter", async () => {
    await using shelf = await openShelf({ storage: "sqlite" });
    const places = Array.from({ length: 40 }, (_, index) => ({ series: `Moth ${index % 8}`, number: `${index}` }));
    await shelf.place(...places);
    const sorted: string[] = [];
    for (const path of lists) {
      const plans = await plansOf(shelf, path);
      expect(plans.length, path).toBeGreaterThan(0);
      // The last terms may be sorted, among those that are alike by the first.
      if (path.endsWith("sort=title&filter=complete"))
        expect(plans).toEqual([expect.stringContaining("series_by_missing (state=? AND <expr>=?)")]);
      for (const plan of plans) if (plan.includes("USE TEMP B-TREE FOR ORDER BY")) sorted.push(`${path}: ${plan}`);
    }
    expect(sorted).toEqual([]);
  });
});
