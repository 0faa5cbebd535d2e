import { describe, expect, it } from "vitest";
import { systemViewer } from "@longbox/sdk";
import { Catalog } from "@longbox/collection/contract";
import { openShelf, type Shelf } from "./support/shelf.js";

const volume = (cvId: number) => ({
  cvId,
  title: "Moth Patrol",
  aliases: [],
  status: "ended" as const,
  issues: [1, 2, 3].map((number) => ({ cvIssueId: cvId * 10 + number, number: String(number) })),
});

/** Which numbers hold which files, by their names. */
async function layout(shelf: Shelf, seriesId: number): Promise<Record<string, string[]>> {
  const { body } = await shelf.host.as("admin").get(`/api/collection/${seriesId}`);
  return Object.fromEntries(
    body.issues.map((issue: { number: string; files: Array<{ name: string; assigned: boolean }> }) => [
      issue.number,
      issue.files.map((file) => `${file.name}${file.assigned ? " (hand)" : ""}`),
    ]),
  );
}

describe("assigning a file by hand", () => {
  it("holds over rescans, matches, refreshes and renames, until the series is pointed elsewhere", async () => {
    await using shelf = await openShelf();
    const [one, two] = await shelf.place({ number: "1" }, { number: "2" });
    const [seriesId, path] = [one?.seriesId as number, one?.path as string];
    const trusted = shelf.host.as("trusted");
    const assigned = await trusted.post(`/api/collection/${seriesId}/assign-file`, {
      path,
      cvIssueId: -(two?.issueId as number),
    });
    expect(assigned.body).toEqual({ ok: true, cvIssueId: -(two?.issueId as number) });
    const byHand = { "2": ["Moth Patrol 1.cbz (hand)", "Moth Patrol 2.cbz"] };
    expect(await layout(shelf, seriesId)).toEqual(byHand);
    await shelf.place({ number: "1" }, { number: "2" });
    expect(await layout(shelf, seriesId)).toEqual(byHand);
    const catalog = shelf.host.use(Catalog);
    await catalog.matchSeries(seriesId, volume(5001), systemViewer);
    await catalog.refreshSeries(seriesId, volume(5001));
    expect(await layout(shelf, seriesId)).toEqual({ "1": [], ...byHand, "3": [] });
    const renamed = path.replace("1.cbz", "renamed.cbz");
    await shelf.library.moveFiles([{ from: path, to: renamed }]);
    await shelf.place({ number: "1", path: renamed, change: { name: "Moth Patrol renamed.cbz" } });
    expect(await layout(shelf, seriesId)).toMatchObject({
      "1": [],
      "2": ["Moth Patrol renamed.cbz (hand)", "Moth Patrol 2.cbz"],
    });
    await shelf.library.removeFiles([renamed]);
    await shelf.place({ number: "1", path: renamed });
    expect(await layout(shelf, seriesId)).toMatchObject({
      "1": [],
      "2": ["Moth Patrol 1.cbz (hand)", "Moth Patrol 2.cbz"],
    });
    await catalog.repointSeries(seriesId, volume(6001), systemViewer);
    expect(await layout(shelf, seriesId)).toEqual({ "1": ["Moth Patrol 1.cbz"], "2": ["Moth Patrol 2.cbz"], "3": [] });
  });

  it("is forgotten with a null path: the file goes back to what it says itself", async () => {
    await using shelf = await openShelf();
    const [one, two] = await shelf.place({ number: "1" }, { number: "2" });
    const trusted = shelf.host.as("trusted");
    const assign = (path: string | null) =>
      trusted.post(`/api/collection/${one?.seriesId}/assign-file`, { path, cvIssueId: -(two?.issueId as number) });
    await assign(one?.path as string);
    expect((await assign(null)).status).toBe(200);
    expect(await layout(shelf, one?.seriesId as number)).toEqual({
      "1": ["Moth Patrol 1.cbz"],
      "2": ["Moth Patrol 2.cbz"],
    });
  });

  it("refuses files of other series and issues of other volumes, in words", async () => {
    await using shelf = await openShelf();
    const [one] = await shelf.place({ number: "1" });
    const [other] = await shelf.place({ series: "Candle" });
    const assign = (body: unknown) =>
      shelf.host.as("trusted").post(`/api/collection/${one?.seriesId}/assign-file`, body);
    expect(await assign({ path: other?.path, cvIssueId: -(one?.issueId as number) })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining("that file is not in this series") },
    });
    expect(await assign({ path: one?.path, cvIssueId: -(other?.issueId as number) })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining("that issue is not in this volume") },
    });
    expect((await assign({ path: 7, cvIssueId: 1 })).status).toBe(400);
  });
});
