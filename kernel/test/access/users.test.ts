import { describe, expect, it } from "vitest";
import { openDoor } from "../http/open-door.js";

describe("managing accounts", () => {
  it("makes, lists, changes and deletes them", async () => {
    await using door = await openDoor();
    const headers = { "x-api-key": await door.setUp() };
    const made = await door.ask("/api/users", {
      method: "POST",
      headers,
      body: { username: "ann", password: "correct horse", role: "trusted", email: "ann@example.org" },
    });
    expect(made).toMatchObject({
      status: 201,
      body: { id: 2, username: "ann", email: "ann@example.org", role: "trusted", active: true, lastSeenAt: null },
    });
    const changed = await door.ask("/api/users/2", { method: "PATCH", headers, body: { role: "viewer", email: null } });
    expect(changed.body).toMatchObject({ role: "viewer", email: null });
    expect((await door.ask("/api/users", { headers })).body.map((user: { username: string }) => user.username)).toEqual(
      ["admin", "ann"],
    );
    expect((await door.ask("/api/users/2", { method: "DELETE", headers })).body).toEqual({ ok: true });
    expect((await door.ask("/api/users/2", { method: "DELETE", headers })).body).toMatchObject({
      code: "kernel/user-not-found",
    });
  });

  it("names every field that is wrong", async () => {
    await using door = await openDoor();
    const headers = { "x-api-key": await door.setUp() };
    const answer = await door.ask("/api/users", {
      method: "POST",
      headers,
      body: { username: "a b", password: "short", role: 7, email: "nowhere" },
    });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.details).sort()).toEqual(["email", "password", "role", "username"]);
    expect(
      (
        await door.ask("/api/users", {
          method: "POST",
          headers,
          body: { username: "ann", password: "correct horse", role: "king" },
        })
      ).body,
    ).toMatchObject({ code: "kernel/unknown-role", details: { role: expect.any(String) } });
    expect((await door.ask("/api/users/zero", { method: "PATCH", headers, body: {} })).body.details).toEqual({
      id: "must be a whole number",
    });
  });

  it("keeps names unique without regard to case", async () => {
    await using door = await openDoor();
    const headers = { "x-api-key": await door.setUp() };
    const make = (username: string) =>
      door.ask("/api/users", { method: "POST", headers, body: { username, password: "correct horse" } });
    expect((await make("Ann")).status).toBe(201);
    expect(await make("aNN")).toMatchObject({ status: 409, body: { code: "kernel/username-taken" } });
    const racing = await Promise.all([make("bob"), make("BOB"), make("Bob")]);
    expect(racing.map((answer) => answer.status).sort()).toEqual([201, 409, 409]);
  });

  it("does not let users take away their own rights", async () => {
    await using door = await openDoor();
    const headers = { "x-api-key": await door.setUp() };
    await door.member("second", "admin");
    for (const asked of [
      { method: "DELETE" },
      { method: "PATCH", body: { active: false } },
      { method: "PATCH", body: { role: "viewer" } },
    ]) {
      expect(await door.ask("/api/users/1", { ...asked, headers })).toMatchObject({
        status: 409,
        body: { code: "kernel/own-account" },
      });
    }
  });

  it("always leaves a user who can manage accounts, also when two take each other's rights at once", async () => {
    await using door = await openDoor();
    await door.setUp();
    for (let round = 0; round < 5; round++) {
      const [one, other] = [await door.member(`one-${round}`, "admin"), await door.member(`other-${round}`, "admin")];
      if (round === 0)
        await door.ask("/api/users/1", {
          method: "PATCH",
          headers: { "x-api-key": one.key },
          body: { role: "viewer" },
        });
      const demote = (by: { key: string }, whom: { id: number }) =>
        door.ask(`/api/users/${whom.id}`, {
          method: "PATCH",
          headers: { "x-api-key": by.key },
          body: { active: false },
        });
      const statuses = (await Promise.all([demote(one, other), demote(other, one)])).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      const left = (await door.access.accounts.list()).filter((account) => account.active && account.role === "admin");
      expect(left.length).toBeGreaterThan(0);
      for (const account of left) await door.access.accounts.change(account.id, { role: "viewer" });
      door.access.authentication.forget();
    }
  });

  it("lets users give or change only rights that they have", async () => {
    await using door = await openDoor();
    const admin = { "x-api-key": await door.setUp() };
    await door.ask("/api/roles", {
      method: "POST",
      headers: admin,
      body: { name: "desk", permissions: ["users.manage", "library.view"] },
    });
    const desk = { "x-api-key": (await door.member("desk", "desk")).key };
    const beyond = { status: 403, body: { code: "kernel/beyond-own-rights" } };
    expect(
      await door.ask("/api/users", {
        method: "POST",
        headers: desk,
        body: { username: "own", password: "correct horse", role: "admin" },
      }),
    ).toMatchObject(beyond);
    expect(
      await door.ask("/api/users/1", { method: "PATCH", headers: desk, body: { password: "correct horse" } }),
    ).toMatchObject(beyond);
    expect(await door.ask("/api/users/1", { method: "DELETE", headers: desk })).toMatchObject(beyond);
    expect(
      await door.ask("/api/roles", {
        method: "POST",
        headers: desk,
        body: { name: "more", permissions: ["plugins.manage"] },
      }),
    ).toMatchObject(beyond);
    expect(
      await door.ask("/api/roles/desk", {
        method: "PATCH",
        headers: desk,
        body: { permissions: ["users.manage", "plugins.manage"] },
      }),
    ).toMatchObject(beyond);
    expect(
      (
        await door.ask("/api/users", {
          method: "POST",
          headers: desk,
          body: { username: "fine", password: "correct horse", role: "viewer" },
        })
      ).status,
    ).toBe(201);
  });

  it("ends the sessions of an account that is switched off or gets another password", async () => {
    await using door = await openDoor();
    const admin = { "x-api-key": await door.setUp() };
    for (const body of [{ active: false }, { password: "something else" }]) {
      const { id } = await door.member(`ann-${Object.keys(body)[0]}`);
      const browser = await door.browser(`ann-${Object.keys(body)[0]}`);
      await door.ask(`/api/users/${id}`, { method: "PATCH", headers: admin, body });
      expect((await door.ask("/api/auth/profile", { headers: browser })).status).toBe(401);
    }
  });

  it("waits until plugins have dropped what they kept for a deleted account, and tells those that were away", async () => {
    await using door = await openDoor();
    const admin = { "x-api-key": await door.setUp() };
    const [ann, bob] = [await door.member("ann"), await door.member("bob")];
    const dropped: number[] = [];
    const reading = door.access.notices.watching("reading").onUserDeleted(async (id) => void dropped.push(id));
    await door.ask(`/api/users/${ann.id}`, { method: "DELETE", headers: admin });
    expect(dropped).toEqual([ann.id]);
    await reading.release();
    await door.ask(`/api/users/${bob.id}`, { method: "DELETE", headers: admin });
    door.access.notices.watching("reading").onUserDeleted(async (id) => void dropped.push(id));
    await door.access.notices.deliver();
    expect(dropped).toEqual([ann.id, bob.id]);
  });

  it("tells a plugin that failed to drop a user's data again", async () => {
    await using door = await openDoor();
    const admin = { "x-api-key": await door.setUp() };
    const { id } = await door.member("ann");
    let attempts = 0;
    door.access.notices.watching("careless").onUserDeleted(async () => {
      attempts += 1;
      if (attempts === 1) throw new Error("the disk is away");
    });
    expect((await door.ask(`/api/users/${id}`, { method: "DELETE", headers: admin })).status).toBe(200);
    expect(door.lines.some((line) => line.level === "error" && line.fields["plugin"] === "careless")).toBe(true);
    await door.access.notices.deliver();
    await door.access.notices.deliver();
    expect(attempts).toBe(2);
  });

  it("never gives a deleted account's number away again", async () => {
    await using door = await openDoor();
    const admin = { "x-api-key": await door.setUp() };
    const { id } = await door.member("ann");
    await door.ask(`/api/users/${id}`, { method: "DELETE", headers: admin });
    expect((await door.member("bob")).id).toBeGreaterThan(id);
  });
});

describe("registration", () => {
  it("is closed unless the settings open it, and then makes viewers", async () => {
    await using door = await openDoor();
    await door.setUp();
    const register = () =>
      door.ask("/api/auth/register", {
        method: "POST",
        body: { username: "ann", password: "correct horse", role: "admin" },
      });
    expect(await register()).toMatchObject({ status: 403, body: { code: "kernel/registration-closed" } });
    door.settings.current.registration = true;
    expect((await register()).body.user).toMatchObject({
      username: "ann",
      role: "viewer",
      permissions: ["library.view"],
    });
  });

  it("takes names of 2 to 32 letters, digits, _ . and -, and passwords of 8 to 256 characters", async () => {
    await using door = await openDoor({ settings: { registration: true } });
    await door.setUp();
    const register = async (username: string, password: string) =>
      (await door.ask("/api/auth/register", { method: "POST", body: { username, password } })).status;
    for (const name of ["a", "x".repeat(33), "a b", "a/b", "a\nb", "<b>", ""])
      expect([name, await register(name, "correct horse")]).toEqual([name, 400]);
    for (const password of ["1234567", "x".repeat(257)]) expect(await register("fine", password)).toBe(400);
    for (const name of ["ok", "Zoë.K_1-2", "x".repeat(32)])
      expect([name, await register(name, "x".repeat(256))]).toEqual([name, 200]);
  });

  it("is slowed down by address, also for names that are taken, and only there", async () => {
    await using door = await openDoor({
      settings: { registration: true },
      limits: { registrations: 3, registrationSeconds: 60 },
      trustProxy: "loopback",
    });
    const key = await door.setUp();
    const register = (username: string, address: string) =>
      door.ask("/api/auth/register", {
        method: "POST",
        body: { username, password: "correct horse" },
        headers: { "x-forwarded-for": address },
      });
    const statuses = [];
    for (const name of ["ann", "admin", "bob", "cleo", "dora"])
      statuses.push((await register(name, "203.0.113.9")).status);
    expect(statuses).toEqual([200, 409, 200, 429, 429]);
    const refused = await register("cleo", "203.0.113.9");
    expect(refused.body.code).toBe("kernel/too-many-attempts");
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect((await register("cleo", "203.0.113.10")).status).toBe(200);
    expect((await door.ask("/api/users", { headers: { "x-api-key": key } })).body).toHaveLength(4);
  });
});
