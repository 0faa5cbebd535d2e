import { describe, expect, it } from "vitest";
import { ask, openDoor } from "../http/open-door.js";

const ann = { username: "ann", password: "correct horse" };
const remote = { "x-forwarded-for": "203.0.113.9" };

describe("a server without accounts", () => {
  it("shows a local admin to this machine", async () => {
    await using door = await openDoor();
    const { body } = await door.ask("/api/auth/me");
    expect(body).toEqual({
      openMode: true,
      registration: false,
      user: { id: 0, username: "local", role: "admin", permissions: ["*"] },
      hideMature: false,
      setupTokenNeeded: false,
    });
    expect((await door.ask("/api/users")).status).toBe(200);
  });

  it("shows no account to others, and refuses them the first account with a code of its own", async () => {
    await using door = await openDoor({ trustProxy: "loopback" });
    expect((await door.ask("/api/auth/me", { headers: remote })).body).toMatchObject({
      openMode: true,
      user: null,
      setupTokenNeeded: true,
    });
    expect((await door.ask("/api/users", { headers: remote })).status).toBe(401);
    expect(await door.ask("/api/auth/register", { method: "POST", headers: remote, body: ann })).toMatchObject({
      status: 403,
      body: { code: "kernel/setup-token-needed" },
    });
    expect((await door.ask("/api/auth/me", { headers: remote })).body.openMode).toBe(true);
  });

  it("lets others in with the setup token, and with nothing like it", async () => {
    await using door = await openDoor({ trustProxy: "loopback", setupToken: "open sesame" });
    const wrong = { ...remote, "x-setup-token": "open sesam" };
    expect((await door.ask("/api/auth/register", { method: "POST", headers: wrong, body: ann })).status).toBe(403);
    const right = { ...remote, "x-setup-token": "open sesame" };
    expect(
      (await door.ask("/api/auth/register", { method: "POST", headers: right, body: ann })).body.user,
    ).toMatchObject({ username: "ann", role: "admin" });
    expect((await door.ask("/api/users", { headers: right })).status).toBe(401);
  });

  it("does not take a proxy's request for one from this machine", async () => {
    await using door = await openDoor();
    for (const header of ["x-forwarded-for", "forwarded", "x-real-ip", "via"]) {
      expect((await door.ask("/api/users", { headers: { [header]: "127.0.0.1" } })).status).toBe(401);
    }
  });

  it("does not take a page that a rebound name served for this machine", async () => {
    await using door = await openDoor();
    expect((await door.ask("/api/users", { headers: { host: "evil.example:8787" } })).status).toBe(401);
    const fromPage = { origin: "http://evil.example" };
    expect(await door.ask("/api/auth/register", { method: "POST", headers: fromPage, body: ann })).toMatchObject({
      status: 403,
      body: { code: "kernel/cross-site" },
    });
  });

  it("makes exactly one of many who ask at once the admin", async () => {
    await using door = await openDoor();
    const names = ["ann", "bob", "cat", "dan", "eve", "fay"];
    const answers = await Promise.all(
      names.map((username) =>
        ask(door.url, "/api/auth/register", { method: "POST", body: { username, password: "correct horse" } }),
      ),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect((await door.access.accounts.list()).map((account) => account.role)).toEqual(["admin"]);
    expect(answers.map((answer) => answer.status).every((status) => [200, 403, 409].includes(status))).toBe(true);
  });

  it("makes the first account an admin, also when it is made for another user", async () => {
    await using door = await openDoor();
    expect((await door.ask("/api/users", { method: "POST", body: { ...ann, role: "viewer" } })).body).toMatchObject({
      username: "ann",
      role: "admin",
    });
    expect((await door.ask("/api/auth/me")).body).toMatchObject({ openMode: false, user: null });
  });

  it("cannot keep the hide-mature preference, nor a key", async () => {
    await using door = await openDoor();
    expect(await door.ask("/api/auth/hide-mature", { method: "POST", body: { hide: true } })).toMatchObject({
      status: 403,
      body: { code: "kernel/needs-account" },
    });
    expect((await door.ask("/api/auth/apikey", { method: "POST" })).status).toBe(403);
    expect((await door.ask("/api/auth/profile")).status).toBe(403);
  });

  it("passes what the local admin owned to the first account, also to plugins that listen later", async () => {
    await using door = await openDoor();
    const told: unknown[] = [];
    door.access.notices.watching("early").onUserAdopted(async (change) => void told.push(["early", change]));
    await door.setUp();
    expect(told).toEqual([["early", { from: 0, to: 1 }]]);
    door.access.notices.watching("late").onUserAdopted(async (change) => void told.push(["late", change]));
    await door.access.notices.deliver();
    expect(told).toEqual([
      ["early", { from: 0, to: 1 }],
      ["late", { from: 0, to: 1 }],
    ]);
  });
});
