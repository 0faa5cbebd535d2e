import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Browser } from "../../sign-in-oidc/test/support/browser.js";

let host: KernelTestHost;
beforeAll(async () => {
  host = await startKernelTestHost({ plugins: ["sign-in-proxy"] });
});
afterAll(() => host[Symbol.asyncDispose]());
beforeEach(() => configure({}));

/** Tests reach the server from this address, as the proxy would. */
const proxies = "10.9.0.0/16, 127.0.0.1, ::1";
const defaults = { proxies, newAccounts: true, matchNames: false, roles: "", userHeader: "Remote-User" };
const login = "/api/auth/providers/proxy/login?next=/here";

async function configure(change: object): Promise<void> {
  const settings = { "sign-in-proxy": { ...defaults, ...change } };
  const answer = await host.as("admin").post("/api/settings", settings);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
}

/** A browser behind a proxy that adds these headers, after it went through the sign-in. */
async function signIn(headers: Record<string, string>) {
  const browser = new Browser(host, headers);
  const { status, body, trail } = await browser.follow(login, (url) => url.endsWith("/here"));
  return { browser, status, code: body.code, isIn: trail.at(-1)!.endsWith("/here"), user: await browser.me() };
}
const refused = { status: 401, code: "kernel/outside-sign-in-failed", isIn: false, user: null };

describe("a user whom the proxy names", () => {
  it("gets an account, and has it at the next sign-in", async () => {
    const first = await signIn({ "remote-user": "ann", "remote-email": "ann@club.example" });
    expect(first).toMatchObject({ isIn: true, user: { username: "ann", role: "viewer" } });
    const second = await signIn({ "remote-user": "Ann" });
    expect(second.user).toMatchObject({ id: first.user.id });
    const users = (await host.as("admin").get("/api/users")).body as Array<{ username: string; email: string }>;
    expect(users.find(({ username }) => username === "ann")?.email).toBe("ann@club.example");
  });

  it("is refused without an account where none are created", async () => {
    await configure({ newAccounts: false });
    expect(await signIn({ "remote-user": "newcomer" })).toMatchObject({
      status: 403,
      code: "kernel/no-external-accounts",
      user: null,
    });
  });

  it("is not the owner of the account of that name, unless the proxy decides about names", async () => {
    const stranger = await signIn({ "remote-user": "trusted" });
    expect(stranger.user).toMatchObject({ username: "trusted-2", role: "viewer" });
    await configure({ matchNames: true, newAccounts: false });
    const { user } = (await host.as("viewer").get("/api/auth/me")).body;
    expect((await signIn({ "remote-user": "viewer" })).user).toMatchObject({ id: user.id, username: "viewer" });
  });

  it("has the role of the groups at each sign-in", async () => {
    await configure({ roles: "editors = trusted, owners = admin" });
    const roleIn = async (groups: string) =>
      (await signIn({ "remote-user": "bob", "remote-groups": groups })).user.role as string;
    expect([await roleIn("readers"), await roleIn("readers, editors"), await roleIn("")]).toEqual([
      "viewer",
      "trusted",
      "viewer",
    ]);
  });

  it("stays an administrator as the last one", async () => {
    await using alone = await startKernelTestHost({ plugins: ["sign-in-proxy"] });
    const settings = { ...defaults, matchNames: true, roles: "editors = trusted" };
    await alone.as("admin").post("/api/settings", { "sign-in-proxy": settings });
    const browser = new Browser(alone, { "remote-user": "admin", "remote-groups": "editors" });
    await browser.follow(login, (url) => url.endsWith("/here"));
    expect(await browser.me()).toMatchObject({ username: "admin", role: "admin" });
  });
});

describe("headers that the proxy did not write", () => {
  it("are not believed from another address, whatever they say about addresses", async () => {
    await configure({ proxies: "10.9.0.0/16, 2001:db8::/32" });
    for (const forwarded of [{}, { "x-forwarded-for": "10.9.0.7" }, { "x-real-ip": "10.9.0.7", via: "1.1 proxy" }])
      expect(await signIn({ "remote-user": "ann", ...forwarded })).toMatchObject(refused);
  });

  it("are refused when they are missing, doubled or odd", async () => {
    const names = ["", "ann, admin", "x".repeat(300), "   "];
    for (const name of names) expect(await signIn({ "remote-user": name })).toMatchObject(refused);
    expect(await signIn({ "x-remote-user": "ann", remote_user: "ann" })).toMatchObject(refused);
  });

  it("count at no other request: neither alone nor beside a key", async () => {
    const headers = { "remote-user": "admin" };
    expect((await host.as("anonymous").get("/api/auth/me", headers)).body.user).toBeNull();
    expect((await host.as("anonymous").get("/api/users", headers)).status).toBe(401);
    expect((await host.as("viewer").get("/api/auth/me", headers)).body.user).toMatchObject({ username: "viewer" });
  });

  it("do not end an attempt that was not begun in this browser", async () => {
    const headers = { "remote-user": "ann" };
    const answer = await host.as("anonymous").get("/api/auth/providers/proxy/callback", headers);
    expect(answer).toMatchObject({ status: 400, body: { code: "kernel/no-attempt" } });
  });
});

describe("without an address of a proxy", () => {
  it("nothing is offered", async () => {
    await configure({ proxies: "" });
    expect((await host.as("anonymous").get("/api/auth/providers")).body.providers).toEqual([]);
    expect(await signIn({ "remote-user": "ann" })).toMatchObject({ status: 404, user: null });
  });

  it("settings that are no addresses are refused", async () => {
    for (const wrong of ["proxy.lan", "10.0.0.0/33", "10.0.0.1/x", "::1/129"])
      await expect(configure({ proxies: wrong })).rejects.toThrow("addresses or networks");
  });
});

it("ends with the sign-out, and the proxy's own session at its address", async () => {
  await configure({ logoutAddress: "https://auth.club.example/logout" });
  const { browser } = await signIn({ "remote-user": "ann", origin: host.url });
  const out = await browser.visit("/api/auth/logout", { method: "POST", body: {} });
  expect([out.status, await browser.me()]).toEqual([200, null]);
  expect((await browser.visit("/api/sign-in-proxy/logout")).location).toBe("https://auth.club.example/logout");
});
