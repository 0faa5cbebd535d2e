import {
  definePlugin,
  defineRoute,
  KernelUsers,
  type KernelUsers as KernelUsersContract,
  type Viewer,
} from "@longbox/sdk";
import { startKernelTestHost } from "@longbox/kernel/testing";
import { describe, expect, it } from "vitest";

/** A server with a plugin that keeps viewers, as background work does. */
async function openServer(kernel?: { setupToken: string }) {
  const heard: Array<readonly number[]> = [];
  const reached: { users?: KernelUsersContract } = {};
  const plugin = definePlugin({
    requires: { users: KernelUsers },
    activate({ users }, context) {
      reached.users = users;
      context.own(users.onChanged((userIds) => void heard.push(userIds)));
      context.routes([
        defineRoute({
          method: "GET",
          path: "/api/keeper",
          summary: "Says who asks",
          handle: ({ viewer }) => viewer.user,
        }),
      ]);
    },
  });
  const manifest = {
    id: "keeper",
    title: "Keeper",
    description: "Keeps viewers",
    sdk: "^1.0.0",
    requires: { "kernel.users": "^1.0.0" },
    permissions: [{ key: "keeper.keep", label: "Keep", description: "Keep", tier: "trusted" as const }],
  };
  const host = await startKernelTestHost({ plugins: [{ manifest, plugin }], ...(kernel && { kernel }) });
  const admin = host.as("admin");
  const add = async (username: string, role = "viewer"): Promise<number> =>
    (await admin.post("/api/users", { username, password: "correct horse", role })).body.id;
  return { host, admin, heard, add, users: reached.users!, [Symbol.asyncDispose]: () => host[Symbol.asyncDispose]() };
}

const rights = (viewer: Viewer | undefined) =>
  viewer && [viewer.user.role, viewer.may("library.manage"), viewer.seesRestricted];

describe("the accounts as plugins see them", () => {
  it("are found by id, and by what their role may do now", async () => {
    await using server = await openServer();
    const { admin, add, users } = server;
    const ann = await add("ann", "trusted");
    const bob = await add("bob");
    expect(await users.find(ann)).toEqual({ id: ann, username: "ann", role: "trusted", active: true });
    expect(await users.find(999)).toBeUndefined();
    expect((await users.findAll([bob, 999, ann, bob])).map(({ username }) => username)).toEqual(["ann", "bob"]);
    expect((await users.listWithPermission("users.manage")).map(({ username }) => username)).toEqual(["admin"]);
    const keepers = async () => (await users.listWithPermission("keeper.keep")).map(({ username }) => username);
    expect(await keepers()).toEqual(["trusted", "admin", "ann"]);
    await admin.patch(`/api/users/${ann}`, { active: false });
    expect(await keepers()).toEqual(["trusted", "admin"]);
    expect(await users.find(ann)).toMatchObject({ active: false });
    await server.host.disable("keeper");
    expect(
      (await server.host.use(KernelUsers).listWithPermission("keeper.keep")).map(({ username }) => username),
    ).toEqual(["admin"]);
  });

  it("keep the language that a person reads, and take none that is not the tag of one", async () => {
    await using server = await openServer();
    const { add, heard, users } = server;
    const ann = await add("ann");
    await users.setLanguage(ann, "de-AT");
    expect(await users.find(ann)).toMatchObject({ username: "ann", language: "de-AT" });
    expect(heard.at(-1)).toEqual([ann]);
    const told = heard.length;
    await users.setLanguage(ann, "de-AT");
    await users.setLanguage(0, "de");
    await users.setLanguage(999, "de");
    expect(heard).toHaveLength(told);
    for (const wrong of ["", "German", "de_DE", "de\r\nBcc: a@b", "x".repeat(99)])
      await expect(users.setLanguage(ann, wrong)).rejects.toMatchObject({ code: "kernel/bad-language" });
    await users.setLanguage(ann, undefined);
    expect(await users.find(ann)).toEqual({ id: ann, username: "ann", role: "viewer", active: true });
  });

  it("give viewers that follow a change of role, of a role's permissions and of what is hidden", async () => {
    await using server = await openServer();
    const { admin, add, users } = server;
    const ann = await add("ann", "trusted");
    const viewer = await users.viewerOf(ann);
    expect(rights(viewer)).toEqual(["trusted", true, true]);
    await admin.patch(`/api/users/${ann}`, { role: "viewer" });
    expect(rights(viewer)).toEqual(["viewer", false, false]);
    await admin.post("/api/roles", { name: "curator", permissions: ["library.view", "library.restricted"] });
    await admin.patch(`/api/users/${ann}`, { role: "curator" });
    expect(rights(viewer)).toEqual(["curator", false, true]);
    await admin.patch("/api/roles/curator", { permissions: ["library.view", "library.manage"] });
    expect(rights(viewer)).toEqual(["curator", true, false]);
    await admin.patch(`/api/users/${ann}`, { role: "trusted" });
    const signedIn = await server.host
      .as("anonymous")
      .post("/api/auth/login", { username: "ann", password: "correct horse" });
    const headers = { cookie: signedIn.headers.getSetCookie()[0]!.split(";")[0]!, origin: server.host.url };
    await server.host.as("anonymous").post("/api/auth/hide-mature", { hide: true }, headers);
    expect(rights(viewer)).toEqual(["trusted", true, false]);
    expect(rights(await users.viewerOf(ann))).toEqual(["trusted", true, false]);
    await server.host.as("anonymous").post("/api/auth/hide-mature", { hide: false }, headers);
    expect(rights(viewer)).toEqual(["trusted", true, true]);
  });

  it("take everything from a viewer that is still held once the account is disabled or deleted", async () => {
    await using server = await openServer();
    const { admin, add, users } = server;
    for (const end of [
      (id: number) => admin.patch(`/api/users/${id}`, { active: false }),
      (id: number) => admin.delete(`/api/users/${id}`),
    ]) {
      const id = await add(`ann${Math.random().toString(36).slice(2, 8)}`, "admin");
      const viewer = await users.viewerOf(id);
      expect(rights(viewer)).toEqual(["admin", true, true]);
      await end(id);
      expect(rights(viewer)).toEqual(["admin", false, false]);
      expect(await users.viewerOf(id)).toBeUndefined();
    }
    const back = await add("back");
    await admin.patch(`/api/users/${back}`, { active: false });
    await admin.patch(`/api/users/${back}`, { active: true });
    expect((await users.viewerOf(back))?.may("library.view")).toBe(true);
  });

  it("follow accounts under racing changes to the last of them", async () => {
    await using server = await openServer();
    const { admin, add, users } = server;
    const ann = await add("ann");
    const viewer = await users.viewerOf(ann);
    for (let round = 0; round < 10; round++) {
      await Promise.all(
        ["viewer", "trusted", "viewer", "trusted"].map((role) => admin.patch(`/api/users/${ann}`, { role })),
      );
      const { role } = (await users.find(ann))!;
      expect([viewer!.user.role, viewer!.may("library.manage")]).toEqual([role, role === "trusted"]);
    }
  });

  it("tell who was added, changed, deleted, or may do something else by the role", async () => {
    await using server = await openServer();
    const { admin, add, heard } = server;
    await admin.post("/api/roles", { name: "curator", permissions: ["library.view"] });
    heard.length = 0;
    const ann = await add("ann", "curator");
    expect(heard.splice(0)).toEqual([[ann]]);
    await admin.patch(`/api/users/${ann}`, { email: "ann@example.org" });
    expect(heard.splice(0)).toEqual([[ann]]);
    await admin.patch("/api/roles/curator", { permissions: ["library.view", "library.manage"] });
    // Whom a role concerns is looked up meanwhile.
    await expect.poll(() => heard.splice(0)).toEqual([[ann]]);
    await admin.delete(`/api/users/${ann}`);
    expect(heard.splice(0)).toEqual([[ann]]);
    expect((await admin.patch("/api/users/999", { role: "viewer" })).status).toBe(404);
    expect(heard).toEqual([]);
  });

  it("are the local admin alone until there is an account, and never after", async () => {
    await using server = await openServer({ setupToken: "let me in" });
    const { heard, users, host } = server;
    const local = await users.viewerOf(0);
    expect(rights(local)).toEqual(["admin", true, true]);
    expect(await users.listWithPermission("users.manage")).toEqual([
      { id: 0, username: "local", role: "admin", active: true },
    ]);
    expect(await users.find(0)).toMatchObject({ username: "local" });
    await host.as("anonymous").post("/api/auth/register", { username: "first", password: "correct horse" });
    expect(rights(local)).toEqual(["admin", false, false]);
    expect(await users.viewerOf(0)).toBeUndefined();
    expect(await users.find(0)).toBeUndefined();
    expect(heard.flat()).toEqual(expect.arrayContaining([0, 1]));
  });
});
