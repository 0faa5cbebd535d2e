import { startTestHost } from "@longbox/sdk/testing";
import { expect, it } from "vitest";
import { grouped } from "../../client/src/groups.js";
import type { WantedRow } from "@longbox/collection/api";

const row = (seriesId: number, number: string, coverDate: string | null): WantedRow => ({
  seriesId,
  series: `Series ${seriesId}`,
  cvIssueId: seriesId * 100 + Number(number),
  id: seriesId * 100 + Number(number),
  label: { short: `#${number}`, full: `Series ${seriesId} #${number}`, within: null },
  number,
  title: null,
  coverDate,
  storeDate: null,
  followed: false,
  wanted: true,
  why: "monitored",
  pick: false,
  reason: null,
  queueStatus: null,
  cover: "",
});
const shape = (groups: ReturnType<typeof grouped>) =>
  groups.map(({ heading, seriesId, rows }) => [heading, seriesId, rows.map(({ number }) => number)]);

it("brings its page to the web interface, for those who may see the library", async () => {
  await using host = await startTestHost({ plugins: ["collection"] });
  const [part] = (await host.as("admin").get("/api/plugins/client")).body;
  expect(part).toMatchObject({
    name: "collection",
    nav: [{ label: "Wanted", path: "/wanted", permission: "library.view" }],
    pages: [{ path: "/wanted", element: "collection-wanted-page" }],
  });
});

it("puts issues of one series under its heading", () => {
  expect(shape(grouped([row(1, "2", "2019-02-01"), row(1, "3", null), row(2, "1", "2019-03-01")], "most"))).toEqual([
    ["Series 1", 1, ["2", "3"]],
    ["Series 2", 2, ["1"]],
  ]);
});

it("puts issues in order of date under their month, and those without a date under none", () => {
  const rows = [row(1, "2", "2019-03-09"), row(2, "1", "2019-03-01"), row(1, "1", "2019-02-01"), row(2, "7", null)];
  expect(shape(grouped(rows, "newest"))).toEqual([
    ["March 2019", undefined, ["2", "1"]],
    ["February 2019", undefined, ["1"]],
    ["No known date", undefined, ["7"]],
  ]);
});
