import { AuthProviders, CredentialProviders, definePlugin, defineRoute, StatusParts } from "@longbox/sdk";
import { startTestHost } from "@longbox/sdk/testing";
import { describe, expect, it } from "vitest";

const dropped: number[] = [];

/** A plugin that has to do with accounts in every way that a plugin can. */
const club = definePlugin({
  activate(_, context) {
    context.contribute(AuthProviders, {
      id: "club",
      label: "The club",
      begin: async ({ callbackUrl }) => ({
        redirectTo: `https://club.example/?back=${encodeURIComponent(callbackUrl)}`,
        state: {},
      }),
      complete: async () => ({ subject: "s-1", username: "ann" }),
    });
    context.contribute(CredentialProviders, {
      id: "directory",
      verify: async ({ username, password }) =>
        username === "dora" && password === "directory word" ? { subject: "uid=dora", username } : undefined,
    });
    context.contribute(StatusParts, { read: async (viewer) => ({ club: { greets: viewer.user.username } }) });
    context.onUserDeleted(async (userId) => void dropped.push(userId));
    context.routes([
      defineRoute({
        method: "POST",
        path: "/api/club/enter",
        access: "club.enter",
        summary: "Enters",
        handle: ({ viewer }) => ({ welcome: viewer.user.username }),
      }),
    ]);
  },
});

const manifest = {
  id: "club",
  title: "The club",
  description: "Knows people from elsewhere",
  sdk: "^1.0.0",
  contributes: { authProviders: "^1.0.0", credentialProviders: "^1.0.0", statusParts: "^1.0.0" },
  permissions: [{ key: "club.enter", label: "Enter", description: "Enter the club.", tier: "viewer" as const }],
};

describe("a plugin", () => {
  it("adds ways to sign in, parts of the status and permissions, and takes them along when it goes", async () => {
    await using host = await startTestHost({ plugins: [{ manifest, plugin: club }] });
    const anonymous = host.as("anonymous");
    expect((await anonymous.get("/api/auth/providers")).body.providers).toEqual([
      { id: "club", label: "The club", loginPath: "/api/auth/providers/club/login" },
    ]);
    const begun = await anonymous.get("/api/auth/providers/club/login?next=/");
    expect([begun.status, begun.headers.get("location")]).toEqual([
      302,
      `https://club.example/?back=${encodeURIComponent(`${host.url}/api/auth/providers/club/callback`)}`,
    ]);
    const back = await anonymous.get("/api/auth/providers/club/callback", {
      cookie: begun.headers.get("set-cookie")!.split(";")[0]!,
    });
    expect([back.status, back.headers.get("location")]).toEqual([302, "/"]);
    expect(
      (await anonymous.post("/api/auth/login", { username: "dora", password: "directory word" })).body.user,
    ).toMatchObject({ username: "dora", role: "viewer" });
    expect((await host.as("viewer").get("/api/status")).body.club).toEqual({ greets: "viewer" });
    expect((await host.as("viewer").post("/api/club/enter")).body).toEqual({ welcome: "viewer" });
    expect((await host.as("admin").get("/api/permissions")).body).toContainEqual({
      key: "club.enter",
      label: "Enter",
      description: "Enter the club.",
      tier: "viewer",
      plugin: "club",
    });

    await host.disable("club");
    expect((await anonymous.get("/api/auth/providers")).body.providers).toEqual([]);
    expect((await anonymous.get("/api/auth/providers/club/login")).status).toBe(404);
    expect((await anonymous.post("/api/auth/login", { username: "dora", password: "directory word" })).status).toBe(
      401,
    );
    expect((await host.as("viewer").get("/api/status")).body).not.toHaveProperty("club");
    expect((await host.as("viewer").post("/api/club/enter")).status).toBe(404);
    expect(JSON.stringify((await host.as("admin").get("/api/permissions")).body)).not.toContain("club.enter");
  });

  it("is told of a deleted account, also when it was switched off at the time", async () => {
    await using host = await startTestHost({ plugins: [{ manifest, plugin: club }] });
    const admin = host.as("admin");
    const make = async (username: string) =>
      (await admin.post("/api/users", { username, password: "correct horse" })).body.id as number;
    const [ann, bob] = [await make("ann"), await make("bob")];
    dropped.length = 0;
    await admin.delete(`/api/users/${ann}`);
    expect(dropped).toEqual([ann]);
    await host.disable("club");
    await admin.delete(`/api/users/${bob}`);
    expect(dropped).toEqual([ann]);
    await host.enable("club");
    const last = await make("cat");
    await admin.delete(`/api/users/${last}`);
    expect(dropped).toEqual([ann, bob, last]);
  });
});

describe("the settings of the server", () => {
  it("open and close registration at once", async () => {
    await using host = await startTestHost();
    const register = () =>
      host.as("anonymous").post("/api/auth/register", { username: "ann", password: "correct horse" });
    expect((await register()).status).toBe(403);
    await host.as("admin").post("/api/settings", { server: { registration: true } });
    expect((await host.as("anonymous").get("/api/auth/me")).body).toMatchObject({ registration: true, user: null });
    expect((await register()).body.user).toMatchObject({ username: "ann", role: "viewer" });
  });
});

describe("a server that starts again", () => {
  it("still knows accounts, roles, keys and sessions, and is not open", async () => {
    await using host = await startTestHost({ storage: "sqlite" });
    await host.as("admin").post("/api/roles", { name: "page", permissions: ["library.view", "system.logs"] });
    await host.as("admin").post("/api/users", { username: "ann", password: "correct horse", role: "page" });
    const signedIn = await host.as("anonymous").post("/api/auth/login", { username: "ann", password: "correct horse" });
    const cookie = signedIn.headers.get("set-cookie")!.split(";")[0]!;
    const { key } = (await host.as("anonymous").post("/api/auth/apikey", undefined, { cookie, origin: host.url })).body;
    await host.restart();
    const anonymous = host.as("anonymous");
    expect((await anonymous.get("/api/auth/me")).body).toMatchObject({ openMode: false, user: null });
    for (const headers of [{ cookie }, { "x-api-key": key }]) {
      expect((await anonymous.get("/api/auth/me", headers)).body.user).toEqual({
        id: expect.any(Number),
        username: "ann",
        role: "page",
        permissions: ["library.view", "system.logs"],
      });
    }
  });
});
