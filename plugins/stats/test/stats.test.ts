import { describe, expect, it } from "vitest";
import { definePlugin, systemViewer } from "@longbox/sdk";
import { Catalog, type ProviderVolume } from "@longbox/collection/contract";
import { startTestHost } from "@longbox/sdk/testing";
import { StatsParts, type StatsPart } from "@longbox/stats/contract";

const counting = (id: string, part: StatsPart) => ({
  manifest: { id, title: id, description: "", sdk: "^1.0.0", contributes: { statsParts: "^1.0.0" } },
  plugin: definePlugin({ activate: (_, context) => void context.contribute(StatsParts, part) }),
});
const volume = (cvId: number, title: string, count: number): ProviderVolume => ({
  cvId,
  title,
  publisher: "Lamplight",
  aliases: [],
  status: "ongoing",
  issues: Array.from({ length: count }, (_, index) => ({ cvIssueId: cvId * 100 + index, number: String(index + 1) })),
});

describe("GET /api/stats", () => {
  it("has every key of the specification although there is nothing to count", async () => {
    await using host = await startTestHost({ plugins: ["stats"] });
    const { body } = await host.as("viewer").get("/api/stats");
    expect(Object.keys(body)).toEqual(["files", "collection", "completion", "comicvine", "activity"]);
    expect(body.activity.perDay).toHaveLength(14);
    expect(body.activity.perDay.at(-1)).toEqual({ day: new Date().toISOString().slice(0, 10), grabs: 0 });
    expect((await host.as("anonymous").get("/api/stats")).status).toBe(401);
  });

  it("names series and publishers only to those who may know of them", async () => {
    await using host = await startTestHost({ plugins: ["stats", "collection"] });
    const catalog = host.use(Catalog);
    for (let index = 1; index <= 14; index += 1)
      await catalog.addVolume(volume(index, `Series ${index}`, index), { viewer: systemViewer });
    const admin = host.as("admin");
    const worst = (await admin.get("/api/collection?sort=missing&limit=1")).body[0];
    await admin.post(`/api/collection/${worst.id}/restricted`, { restricted: true });
    const [all, some] = [(await admin.get("/api/stats")).body, (await host.as("viewer").get("/api/stats")).body];
    expect(all.completion.topGaps).toHaveLength(12);
    expect(all.completion.topGaps[0]).toEqual({ id: worst.id, title: "Series 14", owned: 0, total: 14, missing: 14 });
    expect(some.completion.topGaps[0].title).toBe("Series 13");
    expect(all.collection.byPublisher).toMatchObject([{ publisher: "Lamplight", series: 14 }]);
    expect(some.collection.byPublisher).toMatchObject([{ publisher: "Lamplight", series: 13 }]);
    expect(some.completion.missingIssues).toBe(all.completion.missingIssues);
    expect(all.completion).toMatchObject({ complete: 0, incomplete: 14, missingIssues: 105, cvIssuesTotal: 105 });
  });

  it("names no publisher of whom everything is hidden", async () => {
    await using host = await startTestHost({ plugins: ["stats", "collection"] });
    const added = await host.use(Catalog).addVolume(volume(1, "Hidden", 2), { viewer: systemViewer });
    await host.as("admin").post(`/api/collection/${added.seriesId}/restricted`, { restricted: true });
    const publishers = async (who: "admin" | "viewer") =>
      (await host.as(who).get("/api/stats")).body.collection.byPublisher.length;
    expect([await publishers("admin"), await publishers("viewer")]).toEqual([1, 0]);
  });

  it("counts at most once a minute, joins what plugins count, and goes on when one cannot", async () => {
    let counted = 0;
    const one = counting("one", { key: "activity", read: async () => ({ grabs: { done: (counted += 1) } }) });
    const other = counting("other", { key: "weather", read: async () => ({ moths: 3 }) });
    const broken = counting("broken", { key: "files", read: async () => Promise.reject(new Error("cannot count")) });
    await using host = await startTestHost({ plugins: ["stats", one, other, broken] });
    const viewer = host.as("viewer");
    await viewer.get("/api/stats");
    const { body } = await viewer.get("/api/stats");
    expect(body).toMatchObject({ activity: { grabs: { done: 1 } }, weather: { moths: 3 }, files: { total: 0 } });
    expect(body.activity.perDay).toHaveLength(14);
    await host.disable("other");
    expect((await viewer.get("/api/stats")).body).not.toHaveProperty("weather");
  });
});
