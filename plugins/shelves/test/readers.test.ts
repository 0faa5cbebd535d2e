import { describe, expect, it } from "vitest";
import { Reading } from "@longbox/reading/contract";
import { KernelUsers } from "@longbox/sdk";
import { openBrowsingDesk, standardFiles, until, type BrowsingDesk } from "./support/browsing-desk.js";

async function viewerOf(desk: BrowsingDesk, role: string) {
  const { id } = (await desk.host.as(role).get("/api/auth/me")).body.user;
  return (await desk.host.use(KernelUsers).viewerOf(id))!;
}

const extra = [
  { series: "Twin Lamps", issue: { credits: [{ name: "Ada Quill", role: "writer" }], characters: ["Night Moth"] } },
  { series: "Far Shore", issue: { characters: ["Night Moth"] } },
  { series: "Elsewhere", issue: { credits: [{ name: "Some One", role: "writer" }] } },
];

describe("what a viewer read and rated", () => {
  it("is that viewer's own, and counts at once", async () => {
    await using desk = await openBrowsingDesk();
    const placed = await desk.place(...standardFiles);
    await desk.built();
    expect(await desk.counts("viewer", "read")).toEqual({ Unread: 6 });
    const reader = await viewerOf(desk, "viewer");
    const reading = desk.host.use(Reading);
    await reading.mark(reader, [placed[0]!.issueId], true);
    const position = { kind: "page", page: 3, pages: 22 } as const;
    await reading.report(reader, placed[1]!.issueId, { position, device: "test" });
    await desk.host.as("viewer").post(`/api/shelves/ratings/-${placed[2]!.issueId}`, { rating: 4 });
    const counts = { Unread: 4, Reading: 1, Read: 1 };
    // Each of these changes is an event of its own.
    await expect.poll(() => desk.counts("viewer", "read")).toEqual(counts);
    expect(await desk.titles("viewer", "?read=read&read=reading")).toEqual(["Moth Patrol #1", "Moth Patrol #2"]);
    expect((await desk.titles("viewer", "?sort=rating"))[0]).toBe("Moth Patrol #10");
    expect(await desk.counts("viewer", "rating", "?read=unread")).toEqual({ "Not rated": 3, "4 stars": 1 });
    expect(await desk.counts("admin", "read")).toEqual({ Unread: 6 });
    expect(await desk.counts("admin", "rating")).toEqual({ "Not rated": 6 });
    expect((await desk.host.as("viewer").get(`/api/shelves/ratings/-${placed[2]!.issueId}`)).body.rating).toBe(4);
    await desk.host.as("viewer").post(`/api/shelves/ratings/-${placed[2]!.issueId}`, { rating: 0 });
    expect(await desk.counts("viewer", "rating")).toEqual({ "Not rated": 6 });
    await reading.mark(reader, [placed[0]!.issueId], false);
    await until(async () => (await desk.counts("viewer", "read"))["Read"] === undefined);
  });

  it("leads to unread series that share people, characters and arcs, and says what they share", async () => {
    await using desk = await openBrowsingDesk();
    const placed = await desk.place(...standardFiles, ...extra);
    await desk.built();
    await desk.host.use(Reading).mark(await viewerOf(desk, "viewer"), [placed[0]!.issueId], true);
    const because = async () => (await desk.host.as("viewer").get("/api/shelves/because")).body;
    await until(async () => (await because()).length === 1);
    const [{ because: read, items }] = await because();
    expect(read.series).toBe("Moth Patrol");
    const reasons = items.map((item: { series: string; reason: string }) => [item.series, item.reason]);
    expect(Object.fromEntries(reasons)).toEqual({
      "Twin Lamps": "Ada Quill, Night Moth",
      "Salt Road": "Ada Quill, Night Moth",
      "Far Shore": "Night Moth",
    });
    expect((await desk.host.as("admin").get("/api/shelves/because")).body).toEqual([]);
    const { item } = (await desk.host.as("viewer").get("/api/shelves/surprise?character=Night%20Moth&owned=yes")).body;
    expect(["Moth Patrol", "Salt Road", "Twin Lamps", "Far Shore"]).toContain(item.series);
  });
});
