import { Collection } from "@longbox/collection/contract";
import { describe, expect, it } from "vitest";
import { afterQuietHours } from "../src/preferences.js";
import { openTellingDesk, until } from "./support/telling-desk.js";

// Most of the time is waited until what comes together is told, so that the tests wait together.
describe.concurrent("notifications", () => {
  it("reach the users who are named, each once, newest first, and are theirs alone to read", async () => {
    await using desk = await openTellingDesk();
    const viewer = desk.host.as("viewer");
    const [viewerId, trustedId] = [await desk.idOf("viewer"), await desk.idOf("trusted")];
    const heard = await desk.host.domains("viewer");
    const told = await desk.notify(
      { category: "request", level: "success", title: "It was approved", body: "Enjoy.", url: "/library" },
      { userIds: [viewerId], permission: "library.manage" },
    );
    expect(told).toContain(viewerId);
    expect(told).toContain(trustedId);
    expect(new Set(told).size).toBe(told.length);
    await heard.until("notifications");
    await heard.release();
    await desk.notify({ category: "system", title: "Second" }, { userIds: [viewerId] });
    const answer = await viewer.get("/api/notifications");
    expect(answer.headers.get("x-total-count")).toBe("2");
    expect(answer.headers.get("x-unread-count")).toBe("2");
    expect(answer.body).toEqual([
      {
        id: expect.any(Number),
        at: expect.stringMatching(/Z$/),
        category: "system",
        level: "info",
        title: "Second",
        body: "",
        url: null,
        read: false,
      },
      expect.objectContaining({ category: "request", level: "success", title: "It was approved", url: "/library" }),
    ]);
    const [second, first] = answer.body.map(({ id }: { id: number }) => id);
    // Another user's id marks nothing of this user, and does not say whether there is such a notification.
    expect((await desk.host.as("trusted").post("/api/notifications/read", { ids: [second] })).body).toEqual({
      unread: 1,
    });
    expect((await viewer.post("/api/notifications/read", { ids: [first] })).body).toEqual({ unread: 1 });
    expect((await viewer.get("/api/notifications?unread=1")).body).toMatchObject([{ id: second }]);
    expect((await viewer.post("/api/notifications/read", { all: true })).body).toEqual({ unread: 0 });
    expect((await viewer.get("/api/notifications/unread")).body).toEqual({ unread: 0 });
  });

  it("refuse who is not signed in, and bodies that say nothing or both", async () => {
    await using desk = await openTellingDesk();
    await desk.idOf("admin");
    const anonymous = desk.host.as("anonymous");
    for (const path of ["", "/unread", "/choices"])
      expect((await anonymous.get(`/api/notifications${path}`)).status).toBe(401);
    expect((await anonymous.post("/api/notifications/read", { all: true })).status).toBe(401);
    const viewer = desk.host.as("viewer");
    expect((await viewer.post("/api/notifications/read", {})).status).toBe(400);
    expect((await viewer.post("/api/notifications/read", { ids: [1], all: true })).status).toBe(400);
    expect((await viewer.post("/api/notifications/read", { ids: ["x"] })).body).toMatchObject({
      details: { "ids.0": expect.any(String) },
    });
  });

  it("with the same key take the place of the unread one, and stand beside one that was read", async () => {
    await using desk = await openTellingDesk();
    const viewerId = await desk.idOf("viewer");
    const tell = (title: string) => desk.notify({ category: "system", title, key: "backup" }, { userIds: [viewerId] });
    await tell("Failed once");
    await tell("Failed twice");
    expect(await desk.titles("viewer")).toEqual(["Failed twice"]);
    await desk.host.as("viewer").post("/api/notifications/read", { all: true });
    await tell("Failed again");
    expect(await desk.titles("viewer")).toEqual(["Failed again", "Failed twice"]);
  });

  it("are cut to their length, and survive text that is no Unicode", async () => {
    await using desk = await openTellingDesk();
    const viewerId = await desk.idOf("viewer");
    await desk.notify(
      { category: "system", title: `${"x".repeat(300)}`, body: `\u0000\ud800${"y".repeat(5_000_000)}` },
      { userIds: [viewerId] },
    );
    const [row] = (await desk.host.as("viewer").get("/api/notifications")).body;
    expect(row.title).toHaveLength(200);
    expect(row.title.endsWith("…")).toBe(true);
    expect(row.body.length).toBeLessThanOrEqual(2000);
    expect(row.body).toMatch(/y{1000}/);
    expect([row.body.isWellFormed(), row.body.includes("\u0000")]).toEqual([true, false]);
  });

  it("outlast a restart, and go with the account", async () => {
    await using desk = await openTellingDesk({ storage: "sqlite" });
    const viewerId = await desk.idOf("viewer");
    await desk.notify({ category: "system", title: "Kept" }, { userIds: [viewerId] });
    await desk.host.restart();
    expect(await desk.titles("viewer")).toEqual(["Kept"]);
    const gone = await desk.host.as("admin").delete(`/api/users/${viewerId}`);
    expect(gone.status).toBe(200);
    expect(await desk.notify({ category: "system", title: "Late" }, { userIds: [viewerId] })).toEqual([]);
    await desk.host.stop();
    const rows = await desk.host.tables("notifications", (database) =>
      database.selectFrom("notice").where("user_id", "=", viewerId).selectAll().execute(),
    );
    expect(rows).toEqual([]);
  });
});

describe.concurrent("a restricted series", () => {
  it("is hidden from users who may not see it, when it is stored and later", async () => {
    await using desk = await openTellingDesk();
    const [viewerId, trustedId] = [await desk.idOf("viewer"), await desk.idOf("trusted")];
    const open = await desk.place("Open Street", ["1"]);
    const hidden = await desk.place("Hidden House", ["1"], { restricted: true });
    await until(async () => (await desk.titles("trusted")).length > 0);
    for (const role of ["viewer", "trusted"]) await desk.host.as(role).post("/api/notifications/read", { all: true });
    const users = { userIds: [viewerId, trustedId] };
    expect(await desk.notify({ category: "release", title: "Hidden", seriesIds: [hidden] }, users)).toEqual([
      trustedId,
    ]);
    expect(await desk.notify({ category: "release", title: "Both", seriesIds: [open, hidden] }, users)).toEqual([
      trustedId,
    ]);
    expect(await desk.notify({ category: "release", title: "Open", seriesIds: [open] }, users)).toEqual([
      viewerId,
      trustedId,
    ]);
    const seen = await desk.titles("viewer");
    expect(seen).toContain("Open");
    expect(seen.filter((title) => title === "Hidden" || title === "Both")).toEqual([]);
    const admin = desk.host.as("admin");
    await admin.post(`/api/collection/${open}/restricted`, { restricted: true });
    await until(async () => !(await desk.titles("viewer")).includes("Open"));
    expect((await desk.host.as("viewer").get("/api/notifications/unread")).body).toEqual({ unread: 0 });
    expect(await desk.titles("trusted")).toContain("Open");
    await admin.post(`/api/collection/${open}/restricted`, { restricted: false });
    await until(async () => (await desk.titles("viewer")).includes("Open"));
  });

  it("is left out of what came into the library", async () => {
    await using desk = await openTellingDesk();
    const hidden = await desk.place("Hidden House", ["1"], { restricted: true });
    await until(async () => (await desk.titles("trusted")).length === 1);
    await desk.place("Open Street", ["1", "2"]);
    await desk.place("Hidden House", ["2", "3"]);
    await until(async () => (await desk.titles("trusted")).length === 2);
    await until(async () => (await desk.titles("viewer")).length >= 1);
    const all = JSON.stringify((await desk.host.as("viewer").get("/api/notifications")).body);
    expect(all).not.toContain("Hidden House");
    expect(all).not.toContain(`/series/${hidden}`);
    expect((await desk.titles("trusted"))[0]).toBe("4 new in 2 series");
  });
});

describe.concurrent("what comes into the library", () => {
  it("is told together, by name where it is little", async () => {
    await using desk = await openTellingDesk();
    await desk.idOf("viewer");
    const moth = await desk.place("Moth Patrol", ["1", "2", "3"]);
    await until(async () => (await desk.titles("viewer")).length === 1);
    const [row] = (await desk.host.as("viewer").get("/api/notifications")).body;
    expect(row).toMatchObject({
      category: "import",
      level: "success",
      title: "3 new in Moth Patrol",
      body: "#1, #2, #3",
      url: `/series/${moth}`,
    });
    await desk.place("Night Bell", ["7"]);
    await until(async () => (await desk.titles("viewer")).length === 2);
    expect((await desk.titles("viewer"))[0]).toBe("Night Bell #7 is in the library");
  });

  it("is told of followed series alone where a user wants that", async () => {
    await using desk = await openTellingDesk();
    const viewer = desk.host.as("viewer");
    const { preferences } = (await viewer.get("/api/notifications/choices")).body;
    await viewer.post("/api/notifications/choices", { ...preferences, imports: "followed" });
    const moth = await desk.place("Moth Patrol", ["1"]);
    await until(async () => (await desk.titles("trusted")).length === 1);
    expect(await desk.titles("viewer")).toEqual([]);
    await viewer.post(`/api/collection/${moth}/follow`, { follow: true });
    await desk.place("Night Bell", ["1"]);
    await desk.place("Moth Patrol", ["2"]);
    await until(async () => (await desk.titles("viewer")).length === 1);
    expect(await desk.titles("viewer")).toEqual(["Moth Patrol #2 is in the library"]);
  });

  it("is told after a restart, when the server stopped before", async () => {
    await using desk = await openTellingDesk({ storage: "sqlite", settings: { notifications: { joinSeconds: 5 } } });
    await desk.idOf("viewer");
    await desk.place("Moth Patrol", ["1", "2"]);
    // A second arrival is stored after the first.
    expect((await desk.host.use(Collection).listSeries({}, (await import("@longbox/sdk")).systemViewer)).total).toBe(1);
    await desk.host.restart();
    await until(async () => (await desk.titles("viewer")).length === 1);
    expect(await desk.titles("viewer")).toEqual(["2 new in Moth Patrol"]);
  });
});

describe("quiet hours", () => {
  const berlin = { from: "22:00", to: "07:00", timeZone: "Europe/Berlin" };
  const at = (text: string) => Date.parse(text);
  const after = (text: string, quiet = berlin) => new Date(afterQuietHours(at(text), quiet)).toISOString();

  it("hold messages until they end, by the user's clock", () => {
    expect(after("2026-01-10T12:00:00Z")).toBe("2026-01-10T12:00:00.000Z");
    expect(after("2026-01-10T21:30:10Z")).toBe("2026-01-11T06:00:00.000Z");
    expect(after("2026-01-11T05:59:59Z")).toBe("2026-01-11T06:00:00.000Z");
    expect(after("2026-01-11T06:00:00Z")).toBe("2026-01-11T06:00:00.000Z");
    expect(after("2026-01-10T12:30:00Z", { from: "13:00", to: "14:00", timeZone: "Europe/Berlin" })).toBe(
      "2026-01-10T13:00:00.000Z",
    );
  });

  it("end when the clock says so in the nights in which clocks change", () => {
    expect(after("2026-03-28T23:00:00Z")).toBe("2026-03-29T05:00:00.000Z");
    expect(after("2026-10-24T22:00:00Z")).toBe("2026-10-25T06:00:00.000Z");
  });
});
