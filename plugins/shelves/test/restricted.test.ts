import { describe, expect, it } from "vitest";
import { openBrowsingDesk, standardFiles, until } from "./support/browsing-desk.js";

describe("restricted series", () => {
  it("are not listed, counted or named for those who may not know of them", async () => {
    await using desk = await openBrowsingDesk();
    const placed = await desk.place(...standardFiles);
    await desk.built();
    const admin = desk.host.as("admin");
    const shared = await admin.post("/api/shelves/saved", {
      name: "Waves",
      selection: { values: { author: ["Éva Wave"] } },
    });
    expect(shared.status).toBe(200);
    await desk.restrict(placed.at(-2)!.seriesId);
    await until(async () => (await desk.titles("viewer")).length === 5);
    const viewer = desk.host.as("viewer");
    expect((await viewer.get("/api/shelves/status")).body.size).toBe(5);
    expect(await desk.titles("viewer", "?author=%C3%89va%20Wave")).toEqual([]);
    expect((await viewer.get("/api/shelves/authors")).body).toEqual([{ name: "Ada Quill", count: 4 }]);
    expect((await viewer.get("/api/shelves/authors?letter=E")).body).toEqual([]);
    const facets = (await viewer.get("/api/shelves/facets?find=wave")).body;
    expect(facets.author).toEqual([]);
    // The spelling of a name that is hidden is not confirmed.
    const chosen = (await viewer.get("/api/shelves/facets?author=eva%20wave")).body;
    expect(chosen.author.filter((value: { selected: boolean }) => value.selected)).toEqual([
      { value: "eva wave", label: "eva wave", count: 0, selected: true, excluded: false },
    ]);
    expect((await viewer.get("/api/shelves/surprise?author=%C3%89va%20Wave")).body).toEqual({ item: null });
    expect(await desk.titles("admin", "?author=%C3%89va%20Wave")).toEqual(["Low Tides #1"]);
    expect((await admin.get("/api/shelves/status")).body.size).toBe(6);
    await desk.restrict(placed.at(-2)!.seriesId, false);
    await until(async () => (await desk.titles("viewer")).length === 6);
  });

  it("are left out of shared shelves, and cannot be rated", async () => {
    await using desk = await openBrowsingDesk({ plugins: ["lists"] });
    const placed = await desk.place(...standardFiles);
    await desk.built();
    const { body } = await desk.host.as("admin").post("/api/shelves/saved", {
      name: "Everything",
      selection: { values: {} },
      shared: true,
    });
    const { issueId, seriesId } = placed.at(-2)!;
    await desk.restrict(seriesId);
    await until(async () => {
      const { total } = (await desk.host.as("viewer").get(`/api/shelves/saved/${body.id}/items`)).body;
      return total === 5;
    });
    const rated = await desk.host.as("viewer").post(`/api/shelves/ratings/-${issueId}`, { rating: 3 });
    expect([rated.status, rated.body.code]).toEqual([404, "shelves/issue-not-found"]);
  });
});
