import { describe, expect, it } from "vitest";
import { openRequestsDesk, until, type RequestsDesk } from "./support/requests-desk.js";

const rowOf = async (desk: RequestsDesk, role: string, id: number) =>
  (await desk.host.as(role).get("/api/requests")).body.requests.find((row: { id: number }) => row.id === id);

describe("asking", () => {
  it("makes a pending request that all who may ask see, and tells those who decide", async () => {
    await using desk = await openRequestsDesk();
    await desk.host.as("admin").get("/api/auth/me");
    const viewer = desk.host.as("viewer");
    expect((await viewer.get("/api/requests")).body).toEqual({
      requests: [],
      pending: 0,
      may: { create: true, manage: false, autoApprove: false },
    });
    const found = (await viewer.get("/api/requests/search?q=moth&kind=comic")).body;
    expect(found).toContainEqual({
      kind: "comic",
      providerId: 101,
      title: "Moth Patrol",
      publisher: "Lamplight",
      year: 2019,
      image: "/api/cv/volume/101/cover",
      inLibrary: false,
    });
    const asked = await desk.ask("viewer", 101, "  Please! ");
    expect(asked).toMatchObject({ status: 200, body: { state: "pending" } });
    const { id } = asked.body;
    expect(await rowOf(desk, "member", id)).toMatchObject({
      kind: "comic",
      state: "pending",
      title: "Moth Patrol",
      year: 2019,
      publisher: "Lamplight",
      providerId: 101,
      note: "Please!",
      votes: 0,
      voted: false,
      mine: false,
      requestedBy: (await viewer.get("/api/auth/me")).body.user.username,
    });
    expect((await viewer.get("/api/requests/count")).body).toEqual({ pending: 1 });
    await until(async () => (await desk.told("admin")).includes("Moth Patrol was requested"));
    expect(await desk.told("member")).toEqual([]);
    expect((await viewer.get("/api/requests/search?q=moth")).body).toContainEqual(
      expect.objectContaining({ providerId: 101, requestId: id, mine: true, voted: false }),
    );
  });

  it("for what was asked for already is a vote, which can be taken back", async () => {
    await using desk = await openRequestsDesk();
    const { id } = (await desk.ask("viewer", 101)).body;
    expect((await desk.ask("viewer", 101)).body).toEqual({ id, state: "pending", voted: false });
    expect((await desk.ask("member", 101)).body).toEqual({ id, state: "pending", voted: true });
    expect(await rowOf(desk, "member", id)).toMatchObject({ votes: 1, voted: true, mine: false });
    expect((await desk.host.as("member").get("/api/requests/search?q=moth")).body).toContainEqual(
      expect.objectContaining({ providerId: 101, requestId: id, mine: false, voted: true }),
    );
    const vote = (role: string, on: unknown) => desk.host.as(role).post(`/api/requests/${id}/vote`, { on });
    expect((await vote("member", true)).body).toEqual({ votes: 1, voted: true });
    expect((await vote("member", false)).body).toEqual({ votes: 0, voted: false });
    expect((await vote("viewer", true)).body).toEqual({ votes: 0, voted: false });
    expect((await vote("member", "yes")).status).toBe(400);
  });

  it("at the same time as another makes one request and one vote", async () => {
    await using desk = await openRequestsDesk();
    const [one, other] = await Promise.all([desk.ask("viewer", 101), desk.ask("member", 101)]);
    expect(one.body.id).toBe(other.body.id);
    expect([one.body.voted, other.body.voted].filter((voted) => voted === true)).toHaveLength(1);
    expect((await desk.host.as("admin").get("/api/requests")).body.requests).toHaveLength(1);
  });

  it("for what the library has is refused with the series' id", async () => {
    await using desk = await openRequestsDesk();
    const seriesId = await desk.place("Moth Patrol", 101, { "1": 1011 });
    expect(await desk.ask("viewer", 101)).toMatchObject({
      status: 409,
      body: { code: "requests/already-owned", seriesId },
    });
    expect((await desk.host.as("viewer").get("/api/requests/search?q=moth")).body).toContainEqual(
      expect.objectContaining({ providerId: 101, inLibrary: true, seriesId }),
    );
  });

  it("does not say that a series is there of which the user may not know", async () => {
    await using desk = await openRequestsDesk();
    const seriesId = await desk.place("Moth Patrol", 101, { "1": 1011 });
    await desk.host.as("admin").post(`/api/collection/${seriesId}/restricted`, { restricted: true });
    const asked = await desk.ask("viewer", 101);
    expect(asked).toMatchObject({ status: 200, body: { state: "pending" } });
    const path = `/api/requests/${asked.body.id}`;
    expect((await desk.host.as("admin").post(`${path}/approve`, {})).body).toMatchObject({ seriesId });
    expect(await rowOf(desk, "viewer", asked.body.id)).not.toHaveProperty("seriesId");
    expect(await desk.told("viewer")).toEqual([]);
    // Another user who may not know of it sees nothing at all.
    await desk.host.as("admin").post("/api/roles", {
      name: "guest",
      label: "Guest",
      permissions: ["library.view", "requests.create"],
    });
    expect(await rowOf(desk, "guest", asked.body.id)).toBeUndefined();
    expect((await desk.host.as("guest").post(`${path}/vote`, { on: true })).status).toBe(404);
  });

  it("is refused by policy with the reason", async () => {
    await using desk = await openRequestsDesk({
      settings: {
        requests: { collectedEditions: false, nonWestern: false, refusedPublishers: "Nobody, grím PRESS", perWeek: 1 },
      },
    });
    for (const [providerId, reason] of [
      [102, /Collected editions/],
      [103, /country/],
      [104, /Grim Press/],
    ] as const)
      expect(await desk.ask("viewer", providerId)).toMatchObject({
        status: 403,
        body: { code: "requests/against-policy", error: expect.stringMatching(reason) },
      });
    expect((await desk.ask("viewer", 101)).status).toBe(200);
    await desk.host.as("admin").post("/api/settings", { requests: { collectedEditions: true } });
    expect(await desk.ask("viewer", 102)).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining("week") },
    });
    await desk.host.as("admin").post("/api/settings", { requests: { comics: false } });
    expect(await desk.ask("member", 102)).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining("Comics") },
    });
  });

  it.each([
    [{}, 400],
    [{ providerId: -1 }, 400],
    [{ providerId: "101" }, 400],
    [{ kind: "comic", externalId: "101" }, 400],
    [{ kind: "ebook", externalId: "" }, 400],
    [{ kind: "ebook", externalId: "OL1W" }, 503],
    [{ providerId: 999 }, 404],
    [{ providerId: 101, note: "x".repeat(1001) }, 400],
  ])("with %j answers %i", async (body, status) => {
    await using desk = await openRequestsDesk();
    expect((await desk.host.as("viewer").post("/api/requests", body)).status).toBe(status);
  });

  it("while the provider is down answers 502 and makes nothing", async () => {
    await using desk = await openRequestsDesk();
    await desk.provider[Symbol.asyncDispose]();
    expect((await desk.ask("viewer", 101)).status).toBe(502);
    expect((await desk.host.as("viewer").get("/api/requests/count")).body).toEqual({ pending: 0 });
  });
});

describe("deciding", () => {
  it("approves: the series is added by the approver's rights, and the user is told, and again once it is there", async () => {
    await using desk = await openRequestsDesk();
    const { id } = (await desk.ask("viewer", 101)).body;
    await desk.ask("member", 101);
    const path = `/api/requests/${id}`;
    for (const role of ["viewer", "member"])
      expect((await desk.host.as(role).post(`${path}/approve`, {})).status).toBe(403);
    const approved = await desk.host.as("admin").post(`${path}/approve`, { download: true });
    expect(approved).toMatchObject({ status: 200, body: { id, state: "approved", queued: 0 } });
    const { seriesId } = approved.body;
    expect((await desk.host.as("viewer").get(`/api/collection/${seriesId}`)).body).toMatchObject({
      title: "Moth Patrol",
    });
    expect(await rowOf(desk, "viewer", id)).toMatchObject({
      state: "approved",
      seriesId,
      decidedBy: expect.any(String),
    });
    expect(await desk.told("viewer")).toEqual(["Moth Patrol was approved"]);
    await desk.place("Moth Patrol", 101, { "1": 1011 });
    await until(async () => (await rowOf(desk, "viewer", id)).state === "fulfilled");
    await until(async () => (await desk.told("viewer"))[0] === "Moth Patrol is in the library");
    expect(await desk.told("member")).toEqual(["Moth Patrol is in the library"]);
    // What is fulfilled can be asked for again only in so far as it is not there.
    expect((await desk.ask("viewer", 101)).status).toBe(409);
  });

  it("declines with a reason, and what was declined can be asked for again", async () => {
    await using desk = await openRequestsDesk();
    const { id } = (await desk.ask("viewer", 101)).body;
    const declined = await desk.host.as("admin").post(`/api/requests/${id}/decline`, { reason: "Out of print." });
    expect(declined.body).toEqual({ id, state: "declined" });
    expect(await rowOf(desk, "viewer", id)).toMatchObject({ state: "declined", reason: "Out of print." });
    expect((await desk.host.as("viewer").get("/api/notifications")).body[0]).toMatchObject({
      title: "Moth Patrol was declined",
      body: "Out of print.",
    });
    const again = await desk.ask("viewer", 101);
    expect(again.body).toMatchObject({ state: "pending" });
    expect(again.body.id).not.toBe(id);
  });

  it("withdraws one's own pending request; those of others only for those who decide", async () => {
    await using desk = await openRequestsDesk();
    const { id } = (await desk.ask("viewer", 101)).body;
    expect(await desk.host.as("member").delete(`/api/requests/${id}`)).toMatchObject({
      status: 403,
      body: { code: "requests/not-your-request" },
    });
    expect((await desk.host.as("viewer").delete(`/api/requests/${id}`)).body).toEqual({ withdrawn: true });
    expect(await rowOf(desk, "viewer", id)).toBeUndefined();
    const second = (await desk.ask("viewer", 104)).body.id;
    expect((await desk.host.as("admin").delete(`/api/requests/${second}`)).body).toEqual({ withdrawn: true });
  });

  it.each(["approve", "decline", "withdraw"])("happens once: %s and then everything else is refused", async (first) => {
    await using desk = await openRequestsDesk();
    const { id } = (await desk.ask("viewer", 101)).body;
    const admin = desk.host.as("admin");
    const moves = {
      approve: () => admin.post(`/api/requests/${id}/approve`, {}),
      decline: () => admin.post(`/api/requests/${id}/decline`, {}),
      withdraw: () => admin.delete(`/api/requests/${id}`),
    };
    expect((await moves[first as keyof typeof moves]()).status).toBe(200);
    for (const move of Object.values(moves))
      expect(await move()).toMatchObject({ status: 409, body: { code: "requests/already-decided" } });
  });

  it("by two people at once counts for one of them", async () => {
    await using desk = await openRequestsDesk();
    const { id } = (await desk.ask("viewer", 101)).body;
    await desk.host.as("admin").post("/api/roles", {
      name: "second",
      label: "Second",
      permissions: ["library.view", "library.manage", "requests.create", "requests.manage"],
    });
    const answers = await Promise.all([
      desk.host.as("admin").post(`/api/requests/${id}/approve`, {}),
      desk.host.as("second").post(`/api/requests/${id}/decline`, {}),
      desk.host.as("viewer").delete(`/api/requests/${id}`),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  });

  it("is pending again when it cannot be added, and nothing is lost", async () => {
    await using desk = await openRequestsDesk();
    const { id } = (await desk.ask("viewer", 101)).body;
    await desk.host.disable("metadata");
    expect((await desk.host.as("admin").post(`/api/requests/${id}/approve`, {})).status).toBe(503);
    expect(await rowOf(desk, "viewer", id)).toMatchObject({ state: "pending" });
    await desk.host.enable("metadata");
    expect((await desk.host.as("admin").post(`/api/requests/${id}/approve`, {})).status).toBe(200);
  });

  it("is done at once for roles that the settings name, and for those who decide", async () => {
    await using desk = await openRequestsDesk({ settings: { requests: { autoApproveRoles: "curator, member" } } });
    await desk.host.as("admin").post("/api/roles", {
      name: "curator",
      label: "Curator",
      permissions: ["library.view", "library.manage", "requests.create"],
    });
    expect((await desk.ask("curator", 101)).body).toMatchObject({ state: "approved", queued: 0 });
    expect((await desk.ask("admin", 102)).body).toMatchObject({ state: "approved" });
    // Without the right to add to the library a person decides, whatever the setting says.
    expect((await desk.ask("member", 104)).body).toMatchObject({ state: "pending" });
    expect((await desk.ask("viewer", 103)).body).toMatchObject({ state: "pending" });
    expect((await desk.host.as("curator").get("/api/requests")).body.may).toEqual({
      create: true,
      manage: false,
      autoApprove: true,
    });
  });
});

describe("requests", () => {
  it("are for those with the permission, and outlast a restart", async () => {
    await using desk = await openRequestsDesk({ storage: "sqlite" });
    const { id } = (await desk.ask("viewer", 101)).body;
    await desk.host.as("admin").post("/api/roles", { name: "looker", label: "Looker", permissions: ["library.view"] });
    expect((await desk.host.as("looker").get("/api/requests")).status).toBe(403);
    expect((await desk.host.as("anonymous").get("/api/requests")).status).toBe(401);
    await desk.host.restart();
    expect(await rowOf(desk, "viewer", id)).toMatchObject({ state: "pending", title: "Moth Patrol" });
  });

  it("go with the account of who asked", async () => {
    await using desk = await openRequestsDesk();
    const { id } = (await desk.ask("viewer", 101)).body;
    const own = (await desk.host.as("viewer").get("/api/auth/me")).body.user.id;
    await desk.ask("member", 104);
    const other = (await desk.host.as("member").get("/api/requests")).body.requests[0].id;
    await desk.host.as("viewer").post(`/api/requests/${other}/vote`, { on: true });
    expect((await desk.host.as("admin").delete(`/api/users/${own}`)).status).toBe(200);
    expect(await rowOf(desk, "admin", id)).toBeUndefined();
    expect(await rowOf(desk, "admin", other)).toMatchObject({ votes: 0 });
  });
});
