import { defineRoute } from "@longbox/sdk";
import { describe, expect, it } from "vitest";
import { openDoor } from "../http/open-door.js";

const tidying = { key: "shelves.tidy", label: "Tidy", description: "Tidy the shelves.", tier: "trusted" as const };
const tidy = defineRoute({
  method: "POST",
  path: "/api/shelves/tidy",
  access: "shelves.tidy",
  summary: "Tidy",
  handle: () => ({ ok: true }),
});

describe("roles", () => {
  it("follow the catalog by tier when they are built in", async () => {
    await using door = await openDoor();
    const headers = { "x-api-key": await door.setUp() };
    const roles = (await door.ask("/api/roles", { headers })).body as Array<{
      name: string;
      permissions: string[];
      users: number;
      builtin: boolean;
    }>;
    expect(roles.map((role) => [role.name, role.permissions, role.users])).toEqual([
      ["viewer", ["library.view"], 0],
      ["trusted", ["library.manage", "library.restricted", "library.view"], 0],
      ["admin", ["*"], 1],
    ]);
  });

  it("gain a plugin's permissions when it starts and lose them when it stops", async () => {
    await using door = await openDoor();
    await door.setUp();
    const { key } = await door.member("ann", "trusted");
    const permissions = async () =>
      (await door.ask("/api/auth/me", { headers: { "x-api-key": key } })).body.user.permissions;
    const before = await permissions();
    const declared = door.catalog.declare("shelves", [tidying]);
    expect(await permissions()).toEqual([...before, "shelves.tidy"]);
    const mounted = door.mount([tidy], "shelves");
    expect((await door.ask("/api/shelves/tidy", { method: "POST", headers: { "x-api-key": key } })).status).toBe(200);
    await mounted.release();
    await declared.release();
    expect(await permissions()).toEqual(before);
  });

  it("can be made, changed and deleted, with effect from the next request", async () => {
    await using door = await openDoor();
    const headers = { "x-api-key": await door.setUp() };
    expect(
      (
        await door.ask("/api/roles", {
          method: "POST",
          headers,
          body: { name: "page", label: "Page", permissions: ["library.view"] },
        })
      ).status,
    ).toBe(201);
    const { id, key } = await door.member("ann", "page");
    const logs = () => door.ask("/api/metrics", { headers: { "x-api-key": key } });
    expect((await logs()).status).toBe(403);
    const changed = await door.ask("/api/roles/page", {
      method: "PATCH",
      headers,
      body: { permissions: ["library.view", "system.logs"] },
    });
    expect(changed.body).toEqual({
      name: "page",
      label: "Page",
      builtin: false,
      permissions: ["library.view", "system.logs"],
      users: 1,
    });
    expect((await logs()).status).toBe(200);
    expect(await door.ask("/api/roles/page", { method: "DELETE", headers })).toMatchObject({
      status: 409,
      body: { code: "kernel/role-in-use" },
    });
    await door.ask(`/api/users/${id}`, { method: "PATCH", headers, body: { role: "viewer" } });
    expect((await door.ask("/api/roles/page", { method: "DELETE", headers })).body).toEqual({ ok: true });
    expect(await door.ask("/api/roles/page", { method: "PATCH", headers, body: {} })).toMatchObject({
      status: 404,
      body: { code: "kernel/role-not-found" },
    });
  });

  it("cannot be changed when they are built in, nor take a name twice, nor grant undeclared permissions", async () => {
    await using door = await openDoor();
    const headers = { "x-api-key": await door.setUp() };
    for (const name of ["viewer", "trusted", "admin"]) {
      expect(
        await door.ask(`/api/roles/${name}`, { method: "PATCH", headers, body: { permissions: [] } }),
      ).toMatchObject({ status: 409, body: { code: "kernel/role-builtin" } });
      expect((await door.ask(`/api/roles/${name}`, { method: "DELETE", headers })).status).toBe(409);
      expect(await door.ask("/api/roles", { method: "POST", headers, body: { name } })).toMatchObject({
        status: 409,
        body: { code: "kernel/role-taken" },
      });
    }
    expect(
      await door.ask("/api/roles", { method: "POST", headers, body: { name: "odd", permissions: ["no.such"] } }),
    ).toMatchObject({ status: 400, body: { code: "kernel/unknown-permission" } });
  });

  it("are not deleted by a user who lacks their rights", async () => {
    await using door = await openDoor();
    const headers = { "x-api-key": await door.setUp() };
    for (const [name, permissions] of [
      ["desk", ["users.manage"]],
      ["strong", ["plugins.manage"]],
      ["weak", ["users.manage"]],
    ] as const)
      await door.ask("/api/roles", { method: "POST", headers, body: { name, permissions } });
    const desk = { "x-api-key": (await door.member("desk", "desk")).key };
    const remove = async (name: string, as: Record<string, string>) =>
      (await door.ask(`/api/roles/${name}`, { method: "DELETE", headers: as })).status;
    expect([
      await remove("strong", desk),
      await remove("weak", desk),
      await remove("strong", headers),
      await remove("nowhere", desk),
    ]).toEqual([403, 200, 200, 404]);
  });

  it("keep the last holder of users.manage in power", async () => {
    await using door = await openDoor();
    const headers = { "x-api-key": await door.setUp() };
    await door.ask("/api/roles", { method: "POST", headers, body: { name: "desk", permissions: ["users.manage"] } });
    const desk = await door.member("desk", "desk");
    await door.access.accounts.change(1, { active: false });
    door.access.authentication.forget();
    const answer = await door.ask("/api/roles/desk", {
      method: "PATCH",
      headers: { "x-api-key": desk.key },
      body: { permissions: [] },
    });
    expect(answer).toMatchObject({ status: 409, body: { code: "kernel/last-admin" } });
    expect((await door.ask("/api/roles", { headers: { "x-api-key": desk.key } })).status).toBe(200);
  });

  it("refuse a permission that another plugin declares, with both names", async () => {
    await using door = await openDoor();
    door.catalog.declare("shelves", [tidying]);
    expect(() => door.catalog.declare("closets", [tidying])).toThrow(/"closets".*"shelves"/);
    expect(() => door.catalog.declare("closets", [{ ...tidying, key: "library.view" }])).toThrow(/"closets".*"kernel"/);
  });
});

describe("what a viewer sees", () => {
  const peek = (path: string, ignoresHideMature: boolean) =>
    defineRoute({
      method: "GET",
      path: path as "/",
      summary: "Peek",
      ignoresHideMature,
      handle: ({ viewer }) => ({ sees: viewer.seesRestricted }),
    });

  it("is decided by the role, and narrowed by the hide-mature preference, but not in the catalog feeds", async () => {
    await using door = await openDoor();
    door.mount([peek("/api/peek", false), peek("/api/opds-peek", true)]);
    await door.setUp();
    const sees = async (key: string) => [
      (await door.ask("/api/peek", { headers: { "x-api-key": key } })).body.sees,
      (await door.ask("/api/opds-peek", { headers: { "x-api-key": key } })).body.sees,
    ];
    const [viewer, trusted] = [await door.member("ann"), await door.member("bob", "trusted")];
    expect(await sees(viewer.key)).toEqual([false, false]);
    expect(await sees(trusted.key)).toEqual([true, true]);
    const hide = (key: string, hide: boolean) =>
      door.ask("/api/auth/hide-mature", { method: "POST", headers: { "x-api-key": key }, body: { hide } });
    expect((await hide(trusted.key, true)).body).toEqual({ hideMature: true });
    await hide(viewer.key, false);
    expect(await sees(trusted.key)).toEqual([false, true]);
    expect(await sees(viewer.key)).toEqual([false, false]);
    expect((await door.ask("/api/auth/me", { headers: { "x-api-key": trusted.key } })).body.hideMature).toBe(true);
  });
});
