import { describe, expect, it } from "vitest";
import { openBrowsingDesk, standardFiles, until } from "./support/browsing-desk.js";

const mysteries = { name: "Mysteries", selection: { values: { genre: ["Mystery"], author: ["-Nobody Else"] }, q: "" } };

describe("kept shelves", () => {
  it("hold what fits now, are on the owner's home page, and can be changed and removed", async () => {
    await using desk = await openBrowsingDesk();
    await desk.place(...standardFiles);
    await desk.built();
    const viewer = desk.host.as("viewer");
    const { body: kept } = await viewer.post("/api/shelves/saved", { ...mysteries, sort: "-title", onHome: true });
    expect(kept).toMatchObject({ ...mysteries, sort: "-title", shared: false, onHome: true, mine: true });
    const items = async () =>
      (await viewer.get(`/api/shelves/saved/${kept.id}/items`)).body.items.map(
        ({ label }: { label: { full: string } }) => label.full,
      );
    expect(await items()).toEqual(["Salt Road #1", "Moth Patrol #10", "Moth Patrol #2", "Moth Patrol #1"]);
    await desk.place({ series: "Zinc Lane", issue: { subjects: ["mystery"] } });
    await until(async () => (await items())[0] === "Zinc Lane #1");
    const [strip] = (await viewer.get("/api/shelves/strips")).body;
    expect([strip.shelf.name, strip.total]).toEqual(["Mysteries", 5]);
    const changed = await viewer.patch(`/api/shelves/saved/${kept.id}`, { name: "Riddles", onHome: false });
    expect(changed.body).toMatchObject({ name: "Riddles", onHome: false, sort: "-title" });
    expect((await viewer.get("/api/shelves/strips")).body).toEqual([]);
    expect((await viewer.delete(`/api/shelves/saved/${kept.id}`)).body).toEqual({ removed: true });
    expect((await viewer.get(`/api/shelves/saved/${kept.id}`)).status).toBe(404);
  });

  it("are shared by those who may, read by all, and changed by their owners alone", async () => {
    await using desk = await openBrowsingDesk({ plugins: ["lists"] });
    const [viewer, trusted] = [desk.host.as("viewer"), desk.host.as("trusted")];
    const refused = await viewer.post("/api/shelves/saved", { ...mysteries, shared: true });
    expect([refused.status, refused.body.code]).toEqual([403, "shelves/may-not-share"]);
    const { body: own } = await trusted.post("/api/shelves/saved", mysteries);
    expect((await viewer.get(`/api/shelves/saved/${own.id}`)).status).toBe(404);
    expect((await viewer.delete(`/api/shelves/saved/${own.id}`)).status).toBe(404);
    await trusted.patch(`/api/shelves/saved/${own.id}`, { shared: true });
    expect((await viewer.get("/api/shelves/saved")).body).toMatchObject([{ name: "Mysteries", mine: false }]);
    const touched = await viewer.patch(`/api/shelves/saved/${own.id}`, { name: "Mine" });
    expect([touched.status, touched.body.code]).toEqual([403, "shelves/not-your-shelf"]);
    expect((await viewer.delete(`/api/shelves/saved/${own.id}`)).status).toBe(403);
  });

  it("refuse what cannot be asked", async () => {
    await using desk = await openBrowsingDesk();
    for (const [body, code] of [
      [{ name: "A", selection: { values: { nope: ["1"] } } }, "shelves/unknown-facet"],
      [{ name: "A\nB", selection: { values: {} } }, "kernel/invalid-input"],
      [{ name: "A", selection: { values: { author: ["a\u0000"] } } }, "shelves/bad-selection"],
      [{ name: "A", selection: { values: { author: Array(201).fill("a") } } }, "kernel/invalid-input"],
      [{ name: "A" }, "kernel/invalid-input"],
    ] as const) {
      const answer = await desk.host.as("viewer").post("/api/shelves/saved", body);
      expect([answer.status, answer.body.code]).toEqual([400, code]);
    }
    expect((await desk.host.as("viewer").get("/api/shelves/saved")).body).toEqual([]);
  });

  it("are shelves of reading apps, with what is owned and seen", async () => {
    await using desk = await openBrowsingDesk({ plugins: ["opds", "comics", "files"] });
    const placed = await desk.place(...standardFiles);
    await desk.built();
    const { body } = await desk.host.as("admin").post("/api/shelves/saved", mysteries);
    const admin = desk.host.as("admin");
    const feed = (await admin.get("/api/opds/v2/shelves/smart-shelves")).body;
    expect(feed.navigation.map(({ title }: { title: string }) => title)).toEqual(["Mysteries"]);
    const shelf = (await admin.get(`/api/opds/v2/shelves/smart-shelves/${body.id}`)).body;
    expect(shelf.metadata.numberOfItems ?? shelf.publications.length).toBe(4);
    expect((await desk.host.as("viewer").get(`/api/opds/v2/shelves/smart-shelves/${body.id}`)).status).toBe(404);
    expect(placed).toHaveLength(standardFiles.length);
  });
});
