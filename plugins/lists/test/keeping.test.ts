import { Lists } from "@longbox/lists/contract";
import { systemViewer } from "@longbox/sdk";
import { describe, expect, it } from "vitest";
import { clientIds, openShelf, until } from "./support/shelf.js";

const numbers = (...ids: number[]) => Object.fromEntries(ids.map((id, index) => [String(index + 1), id]));

describe("keeping lists", () => {
  it("makes, reads, renames, orders and deletes a list of issues, owned or not", async () => {
    await using shelf = await openShelf();
    const seriesId = await shelf.place({ name: "Moth Patrol", cvId: 5001, issues: numbers(901, 902) });
    shelf.source.add({ id: 6001, name: "Lamp Street", year: 2020, issues: { "7": 777 } });
    const viewer = shelf.host.as("viewer");
    const made = await viewer.post("/api/lists", { name: "  Night shift " });
    expect(made).toMatchObject({
      status: 200,
      body: { name: "Night shift", public: false, items: 0, owned: 0, mine: true, covers: [] },
    });
    const path = `/api/lists/${made.body.id}`;
    expect((await viewer.post(`${path}/items`, { cvIssueIds: [902, 777, 901] })).body).toEqual({ added: 3 });
    expect((await viewer.post(`${path}/items`, { cvIssueId: 777 })).body).toEqual({ added: 0 });
    await until(async () => (await viewer.get(path)).body.items[1].series !== null);
    const { body } = await viewer.get(path);
    expect(body).toMatchObject({ id: made.body.id, total: 3, owned: 2, mine: true, unmatched: [] });
    expect(body.items).toEqual([
      {
        id: expect.any(Number),
        cvIssueId: 902,
        position: 1,
        series: "Moth Patrol",
        number: "2",
        title: null,
        label: { full: "Moth Patrol #2", short: "#2", within: null },
        coverDate: null,
        seriesId,
        owned: true,
        inLibrary: true,
        pages: 20,
        format: null,
        cover: "/api/issue/902/cover",
      },
      {
        cvIssueId: 777,
        position: 2,
        series: "Lamp Street",
        number: "7",
        title: "Lamp Street 7",
        label: null,
        coverDate: "2020-01-01",
        owned: false,
        inLibrary: false,
        cover: null,
      },
      {
        id: expect.any(Number),
        cvIssueId: 901,
        position: 3,
        series: "Moth Patrol",
        number: "1",
        title: null,
        label: { full: "Moth Patrol #1", short: "#1", within: null },
        coverDate: null,
        seriesId,
        owned: true,
        inLibrary: true,
        pages: 20,
        format: null,
        cover: "/api/issue/901/cover",
      },
    ]);
    expect((await viewer.patch(path, { order: [901, 902, 777], name: "Day shift" })).body).toMatchObject({
      name: "Day shift",
      items: 3,
    });
    expect(
      (await viewer.get(path)).body.items.map((item: { cvIssueId: number; position: number }) => [
        item.position,
        item.cvIssueId,
      ]),
    ).toEqual([
      [1, 901],
      [2, 902],
      [3, 777],
    ]);
    expect((await viewer.delete(`${path}/items/902`)).body).toEqual({ removed: 1 });
    expect((await viewer.delete(`${path}/items/902`)).status).toBe(404);
    expect((await viewer.get("/api/lists")).body).toMatchObject([
      { name: "Day shift", items: 2, owned: 1, covers: ["/api/issue/901/cover"] },
    ]);
    expect((await viewer.delete(path)).body).toEqual({ removed: true });
    expect((await viewer.get(path)).status).toBe(404);
  });

  it("names the field that cannot be used", async () => {
    await using shelf = await openShelf({ alone: true });
    const id = await shelf.list("viewer", "One", [1, 2]);
    const viewer = shelf.host.as("viewer");
    for (const [body, field] of [
      [{}, "name"],
      [{ name: " " }, "name"],
      [{ name: "a\nb" }, "name"],
      [{ name: "x".repeat(201) }, "name"],
      [{ name: "x", cvIssueIds: [0] }, "cvIssueIds.0"],
      [{ name: 5 }, "name"],
    ] as const) {
      expect(await viewer.post("/api/lists", body), JSON.stringify(body)).toMatchObject({
        status: 400,
        body: { details: { [field]: expect.any(String) } },
      });
    }
    for (const [body, field] of [
      [{ order: [1] }, "order"],
      [{ order: [1, 1] }, "order"],
      [{ order: [1, 2, 3] }, "order"],
      [{ order: ["1"] }, "order.0"],
      [{}, "name"],
    ] as const) {
      expect(await viewer.patch(`/api/lists/${id}`, body), JSON.stringify(body)).toMatchObject({
        status: 400,
        body: { details: { [field]: expect.any(String) } },
      });
    }
    expect(await viewer.post(`/api/lists/${id}/items`, {})).toMatchObject({
      status: 400,
      body: { details: { cvIssueIds: expect.any(String) } },
    });
    expect(await viewer.post(`/api/lists/${id}/items`, { cvIssueId: 0 })).toMatchObject({
      status: 400,
      body: { details: { cvIssueId: expect.any(String) } },
    });
    expect(await viewer.post(`/api/lists/${id}/items`, { cvIssueIds: [-99] })).toMatchObject({
      status: 404,
      body: { code: "lists/issue-not-found" },
    });
    expect((await viewer.get("/api/lists/0")).status).toBe(400);
    expect((await viewer.get("/api/lists/nonsense")).status).toBe(400);
    expect(
      (await viewer.get(`/api/lists/${id}`)).body.items.map((item: { cvIssueId: number }) => item.cvIssueId),
    ).toEqual([1, 2]);
  });

  it("follows an issue that the provider did not know when it is matched later", async () => {
    await using shelf = await openShelf();
    const seriesId = await shelf.place({ name: "Moth Patrol", issues: { "1": undefined, "2": undefined } });
    const before = await clientIds(shelf.host, seriesId);
    const id = await shelf.list("viewer", "Early", [before["1"] as number]);
    shelf.source.add({ id: 5001, name: "Moth Patrol", year: 2019, issues: { "1": 901, "2": 902 } });
    expect((await shelf.host.as("trusted").post("/api/cv/match", { seriesId, providerId: 5001 })).status).toBe(200);
    const viewer = shelf.host.as("viewer");
    expect((await viewer.get(`/api/lists/${id}`)).body.items).toMatchObject([
      { cvIssueId: 901, number: "1", owned: true },
    ]);
    expect((await viewer.post(`/api/lists/${id}/items`, { cvIssueIds: [901, before["1"], before["2"]] })).body).toEqual(
      { added: 1 },
    );
    expect((await viewer.delete(`/api/lists/${id}/items/901`)).body).toEqual({ removed: 1 });
    expect((await viewer.get(`/api/lists/${id}`)).body.items).toMatchObject([{ cvIssueId: 902 }]);
  });

  it("stands in the API's document with every route", async () => {
    await using shelf = await openShelf({ alone: true });
    const { status, body } = await shelf.host.as("viewer").get("/api/openapi.json");
    expect(status).toBe(200);
    const routes = Object.entries(body.paths as Record<string, object>)
      .filter(([path]) => path.startsWith("/api/lists"))
      .flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.slice("/api/lists".length)}`),
      );
    expect(routes.toSorted()).toEqual([
      "DELETE /{id}",
      "DELETE /{id}/items/{cvIssueId}",
      "DELETE /{id}/unmatched",
      "GET ",
      "GET /cbl-catalog",
      "GET /{id}",
      "GET /{id}/cbl",
      "PATCH /{id}",
      "POST ",
      "POST /cbl-preview",
      "POST /import-arc",
      "POST /import-cbl",
      "POST /import-cbl-catalog",
      "POST /{id}/items",
      "POST /{id}/match",
      "POST /{id}/public",
      "POST /{id}/want",
    ]);
    expect(body.paths["/api/lists/import-cbl"].post.requestBody.content).toEqual({
      "application/octet-stream": { schema: { type: "string", format: "binary" } },
    });
  });

  it("tells clients that lists changed", async () => {
    await using shelf = await openShelf({ alone: true });
    const domains = await shelf.host.domains("viewer");
    await shelf.list("viewer", "One");
    await domains.until("lists");
    await domains.release();
  });

  it("tells other users only of lists that they can see", async () => {
    await using shelf = await openShelf({ alone: true });
    const [owner, other] = [await shelf.host.domains("trusted"), await shelf.host.domains("viewer")];
    const client = shelf.host.as("trusted");
    const id = await shelf.list("trusted", "Private", [1]);
    const changes = [
      () => client.patch(`/api/lists/${id}`, { name: "Still private" }),
      () => client.post(`/api/lists/${id}/items`, { cvIssueIds: [2] }),
      () => client.delete(`/api/lists/${id}/items/1`),
      () => client.delete(`/api/lists/${id}`),
    ];
    await owner.until("lists");
    for (const change of changes) {
      const before = owner.heard.length;
      expect((await change()).status).toBe(200);
      await expect.poll(() => owner.heard.length).toBeGreaterThan(before);
    }
    const shown = await shelf.list("trusted", "Public");
    expect((await client.post(`/api/lists/${shown}/public`, { public: true })).status).toBe(200);
    await other.until("lists");
    expect(other.heard.filter((domain) => domain === "lists")).toHaveLength(1);
    await owner.release();
    await other.release();
  });

  it("keeps lists over a restart", async () => {
    await using shelf = await openShelf({ alone: true, storage: "sqlite" });
    const id = await shelf.list("viewer", "Lasting", [3, 1, 2]);
    await shelf.host.restart();
    expect(
      (await shelf.host.as("viewer").get(`/api/lists/${id}`)).body.items.map(
        (item: { cvIssueId: number }) => item.cvIssueId,
      ),
    ).toEqual([3, 1, 2]);
  });
});

describe("what others see", () => {
  it("hides a list until its owner, who may share, makes it public, and lets only the owner change it", async () => {
    await using shelf = await openShelf({ alone: true });
    const id = await shelf.list("trusted", "Crossover", [1, 2]);
    const [trusted, viewer] = [shelf.host.as("trusted"), shelf.host.as("viewer")];
    expect((await viewer.get(`/api/lists/${id}`)).status).toBe(404);
    expect((await viewer.get("/api/lists")).body).toEqual([]);
    const own = await shelf.list("viewer", "Mine");
    expect((await viewer.post(`/api/lists/${own}/public`, { public: true })).status).toBe(403);
    expect((await trusted.post(`/api/lists/${id}/public`, { public: "yes" })).body.details).toHaveProperty("public");
    expect((await trusted.post(`/api/lists/${id}/public`, { public: true })).body).toEqual({ public: true });
    expect((await viewer.get("/api/lists")).body).toMatchObject([
      { id: own, mine: true },
      { id, mine: false, public: true, items: 2 },
    ]);
    expect((await viewer.get(`/api/lists/${id}`)).body).toMatchObject({ mine: false, total: 2 });
    for (const refused of [
      viewer.patch(`/api/lists/${id}`, { name: "Stolen" }),
      viewer.delete(`/api/lists/${id}`),
      viewer.post(`/api/lists/${id}/items`, { cvIssueIds: [3] }),
      viewer.delete(`/api/lists/${id}/items/1`),
      viewer.delete(`/api/lists/${id}/unmatched`),
      viewer.post(`/api/lists/${id}/match`),
      shelf.host.as("admin").post(`/api/lists/${id}/public`, { public: false }),
    ])
      expect(await refused).toMatchObject({ status: 403, body: { code: "lists/not-your-list" } });
    expect((await trusted.post(`/api/lists/${own}/public`, { public: true })).status).toBe(404);
    await trusted.post(`/api/lists/${id}/public`, { public: false });
    expect((await viewer.get(`/api/lists/${id}`)).status).toBe(404);
  });

  it("leaves out restricted issues before it counts, in rows, items, orders and files", async () => {
    await using shelf = await openShelf();
    await shelf.place({ name: "Moth Patrol", cvId: 5001, issues: numbers(901, 902) });
    await shelf.place({ name: "After Dark", cvId: 5002, issues: numbers(801), restricted: true });
    shelf.source.add({ id: 5002, name: "After Dark", year: 2019, issues: { "2": 802 } });
    const [trusted, viewer] = [shelf.host.as("trusted"), shelf.host.as("viewer")];
    const id = await shelf.list("trusted", "Both", [901, 801, 802, 902]);
    await until(async () => (await trusted.get(`/api/lists/${id}`)).body.items[2].series !== null);
    await trusted.post(`/api/lists/${id}/public`, { public: true });
    expect((await trusted.get("/api/lists")).body).toMatchObject([{ items: 4, owned: 3 }]);
    expect((await viewer.get("/api/lists")).body).toMatchObject([
      { items: 2, owned: 2, covers: ["/api/issue/901/cover", "/api/issue/902/cover"] },
    ]);
    const { body } = await viewer.get(`/api/lists/${id}`);
    expect(body).toMatchObject({
      total: 2,
      owned: 2,
      items: [
        { cvIssueId: 901, position: 1 },
        { cvIssueId: 902, position: 2 },
      ],
    });
    const file = (await viewer.get(`/api/lists/${id}/cbl`)).body;
    expect(file).toContain("Moth Patrol");
    expect(file).not.toContain("After Dark");
    const own = await shelf.list("viewer", "Mine");
    expect((await viewer.post(`/api/lists/${own}/items`, { cvIssueIds: [901, 801] })).status).toBe(404);
    expect((await viewer.get(`/api/lists/${own}`)).body.items).toEqual([]);
    expect((await viewer.post("/api/lists", { name: "x", cvIssueIds: [801] })).status).toBe(404);
  });

  it("keeps what an owner may not see at its place when that owner reorders", async () => {
    await using shelf = await openShelf({ alone: true });
    await shelf.place({ name: "Moth Patrol", cvId: 5001, issues: numbers(901, 902) });
    const hidden = await shelf.place({ name: "After Dark", cvId: 5002, issues: numbers(801) });
    const id = await shelf.list("viewer", "Mine", [901, 801, 902]);
    await shelf.host.as("admin").post(`/api/collection/${hidden}/restricted`, { restricted: true });
    const viewer = shelf.host.as("viewer");
    await viewer.patch(`/api/lists/${id}`, { order: [902, 901] });
    await shelf.host.as("admin").post(`/api/collection/${hidden}/restricted`, { restricted: false });
    expect(
      (await viewer.get(`/api/lists/${id}`)).body.items.map((item: { cvIssueId: number }) => item.cvIssueId),
    ).toEqual([902, 801, 901]);
  });

  it("is what other plugins are told, and when it changes", async () => {
    await using shelf = await openShelf({ alone: true });
    await shelf.place({ name: "Moth Patrol", cvId: 5001, issues: numbers(901, 902) });
    const lists = shelf.host.use(Lists);
    const told: number[] = [];
    const hearing = lists.onListsChanged((ids) => void told.push(...ids));
    const id = await shelf.list("trusted", "Shared", [902, 777, 901]);
    const stranger = { ...systemViewer, user: { id: 4711, username: "stranger", role: "viewer" } };
    expect([
      await lists.listLists(stranger),
      await lists.findList(id, stranger),
      await lists.findList(999, stranger),
    ]).toEqual([[], undefined, undefined]);
    await shelf.host.as("trusted").post(`/api/lists/${id}/public`, { public: true });
    const shown = { id, name: "Shared", public: true, mine: false, createdAt: expect.any(String), items: 3, owned: 2 };
    expect([await lists.listLists(stranger), await lists.findList(id, stranger)]).toEqual([[shown], shown]);
    expect(
      (await lists.listItems(id, stranger)).map((item) => [
        item.position,
        item.cvIssueId,
        item.series,
        item.number,
        item.owned,
      ]),
    ).toEqual([
      [1, 902, "Moth Patrol", "2", true],
      [2, 777, undefined, undefined, false],
      [3, 901, "Moth Patrol", "1", true],
    ]);
    await hearing.release();
    await shelf.host.as("trusted").delete(`/api/lists/${id}`);
    expect(told).toEqual([id, id]);
  });

  it("forgets the lists of an account that is deleted", async () => {
    await using shelf = await openShelf({ alone: true });
    const id = await shelf.list("trusted", "Going");
    await shelf.host.as("trusted").post(`/api/lists/${id}/public`, { public: true });
    const admin = shelf.host.as("admin");
    const users: Array<{ id: number; role: string }> = (await admin.get("/api/users")).body;
    expect((await admin.get(`/api/lists/${id}`)).status).toBe(200);
    expect((await admin.delete(`/api/users/${users.find((user) => user.role === "trusted")?.id}`)).status).toBe(200);
    expect((await admin.get(`/api/lists/${id}`)).status).toBe(404);
  });
});
