import { defineRoute, reply } from "@longbox/sdk";
import { describe, expect, it } from "vitest";
import { openDoor, type OpenDoor } from "../http/open-door.js";

const basic = (username: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`,
});
const feed = defineRoute({
  method: "GET",
  path: "/api/feed",
  access: "viewer",
  summary: "A feed",
  acceptsBasic: true,
  responseType: "application/atom+xml",
  handle: () => reply.text("<feed/>", "application/atom+xml"),
});
const whoAmI = async (door: OpenDoor, headers: Record<string, string>) =>
  (await door.ask("/api/auth/me", { headers })).body.user?.username;

describe("an API key", () => {
  it("is shown once, kept only as a digest, and described by its beginning", async () => {
    await using door = await openDoor();
    await door.setUp();
    const browser = await door.browser("admin");
    await door.ask("/api/auth/apikey", { method: "DELETE", headers: browser });
    expect((await door.ask("/api/auth/apikey", { headers: browser })).body).toEqual({ exists: false });
    const { key } = (await door.ask("/api/auth/apikey", { method: "POST", headers: browser })).body;
    expect(key).toMatch(/^lbx_[A-Za-z0-9]{40}$/);
    expect((await door.ask("/api/auth/apikey", { headers: browser })).body).toEqual({
      exists: true,
      prefix: key.slice(0, 8),
      createdAt: expect.any(String),
    });
    expect(JSON.stringify(await door.database.selectFrom("api_key").selectAll().execute())).not.toContain(key.slice(8));
  });

  it("acts as its user, in either header", async () => {
    await using door = await openDoor();
    await door.setUp();
    const { key } = await door.member("ann");
    expect(await whoAmI(door, { "x-api-key": key })).toBe("ann");
    expect(await whoAmI(door, { authorization: `Bearer ${key}` })).toBe("ann");
    expect((await door.ask("/api/users", { headers: { "x-api-key": key } })).status).toBe(403);
  });

  it("says when it was last used", async () => {
    await using door = await openDoor();
    await door.setUp();
    const { key } = await door.member("ann");
    await door.ask("/api/auth/profile", { headers: { "x-api-key": key } });
    await door.access.authentication.settle();
    expect((await door.ask("/api/auth/apikey", { headers: { "x-api-key": key } })).body.lastUsedAt).toMatch(
      /^\d{4}-.*Z$/,
    );
  });

  it("is dead at once when it is replaced, revoked, or its account is switched off or deleted", async () => {
    await using door = await openDoor();
    const admin = { "x-api-key": await door.setUp() };
    const ends: Array<[string, (member: { id: number; key: string }) => Promise<unknown>]> = [
      ["replaced", ({ key }) => door.ask("/api/auth/apikey", { method: "POST", headers: { "x-api-key": key } })],
      ["revoked", ({ key }) => door.ask("/api/auth/apikey", { method: "DELETE", headers: { "x-api-key": key } })],
      [
        "switched off",
        ({ id }) => door.ask(`/api/users/${id}`, { method: "PATCH", headers: admin, body: { active: false } }),
      ],
      ["deleted", ({ id }) => door.ask(`/api/users/${id}`, { method: "DELETE", headers: admin })],
    ];
    for (const [how, end] of ends) {
      const member = await door.member(how.replace(" ", "-"));
      const asks = () => door.ask("/api/auth/profile", { headers: { "x-api-key": member.key } });
      expect((await asks()).status).toBe(200);
      await end(member);
      expect([how, (await asks()).status]).toEqual([how, 401]);
    }
  });

  it("never stays alive in a lookup that a revocation overtakes", async () => {
    await using door = await openDoor();
    const admin = { "x-api-key": await door.setUp() };
    for (let round = 0; round < 10; round++) {
      const { id, key } = await door.member(`racer-${round}`);
      const asks = () => door.ask("/api/auth/profile", { headers: { "x-api-key": key } });
      const racing = [
        asks(),
        asks(),
        door.ask(`/api/users/${id}`, { method: "PATCH", headers: admin, body: { active: false } }),
        asks(),
      ];
      const answers = await Promise.all(racing);
      expect(answers[2]!.status).toBe(200);
      // What asks may come before the revocation or after it, or be ended by it while it is being answered.
      const outcomes = answers.map(({ status, body }) => [status, (body as { code?: string }).code]);
      const expected = [
        [200, undefined],
        [401, "kernel/bad-credentials"],
        [403, "kernel/rights-ended"],
      ];
      for (const outcome of outcomes) expect(expected).toContainEqual(outcome);
      expect((await asks()).status).toBe(401);
    }
  });

  it("is refused when it is wrong, even beside a valid cookie, and even in open mode", async () => {
    await using door = await openDoor();
    await door.setUp();
    const browser = await door.browser("admin");
    for (const wrong of ["", "lbx_", "lbx_0000000000000000000000000000000000000000", "' OR 1=1"]) {
      expect((await door.ask("/api/users", { headers: { ...browser, "x-api-key": wrong } })).status).toBe(401);
      expect((await door.ask("/api/users", { headers: { ...browser, authorization: `Bearer ${wrong}` } })).status).toBe(
        401,
      );
    }
    expect((await door.ask("/api/auth/me", { headers: { "x-api-key": "lbx_wrong" } })).status).toBe(401);
    const { key } = await door.member("ann");
    const both = async (bearer: string) =>
      (await door.ask("/api/auth/profile", { headers: { "x-api-key": key, authorization: `Bearer ${bearer}` } }))
        .status;
    expect([await both(key), await both("lbx_wrong")]).toEqual([200, 401]);
  });

  it("needs no sign of where a change was asked for", async () => {
    await using door = await openDoor();
    const key = await door.setUp();
    const answer = await door.ask("/api/auth/email", {
      method: "POST",
      headers: { "x-api-key": key, origin: "http://elsewhere.example" },
      body: { email: "a@example.org" },
    });
    expect(answer.body).toEqual({ email: "a@example.org" });
  });
});

describe("HTTP Basic", () => {
  it("opens the routes that declare it, with a password or with the key in its place", async () => {
    await using door = await openDoor();
    door.mount([feed]);
    await door.setUp();
    const { key } = await door.member("ann");
    expect(await door.ask("/api/feed", { headers: basic("ann", "longbox123") })).toMatchObject({
      status: 200,
      text: "<feed/>",
    });
    for (const name of ["Ann", "any name", ""])
      expect((await door.ask("/api/feed", { headers: basic(name, key) })).status, name).toBe(200);
    expect((await door.ask("/api/feed", { headers: basic("ann", `${key}x`) })).status).toBe(401);
  });

  it("asks for itself where it is accepted, and only there", async () => {
    await using door = await openDoor();
    door.mount([feed]);
    await door.setUp();
    for (const headers of [{}, basic("ann", "wrong"), { authorization: "Basic !!" }]) {
      expect(await door.ask("/api/feed", { headers })).toMatchObject({
        status: 401,
        headers: { "www-authenticate": expect.stringContaining("Basic") },
      });
    }
    const elsewhere = await door.ask("/api/users");
    expect([elsewhere.status, elsewhere.headers["www-authenticate"]]).toEqual([401, undefined]);
    expect((await door.ask("/api/users", { headers: basic("admin", "longbox123") })).status).toBe(401);
  });

  it("stops working at once when the password changes", async () => {
    await using door = await openDoor();
    door.mount([feed]);
    const admin = { "x-api-key": await door.setUp() };
    const { id } = await door.member("ann");
    expect((await door.ask("/api/feed", { headers: basic("ann", "longbox123") })).status).toBe(200);
    await door.ask(`/api/users/${id}`, { method: "PATCH", headers: admin, body: { password: "something else" } });
    expect((await door.ask("/api/feed", { headers: basic("ann", "longbox123") })).status).toBe(401);
    expect((await door.ask("/api/feed", { headers: basic("ann", "something else") })).status).toBe(200);
  });

  it("stops working when passwords are switched off, and keys go on", async () => {
    const provider = {
      id: "club",
      label: "The club",
      begin: async () => ({ redirectTo: "https://club.example", state: {} }),
      complete: async () => ({ subject: "1", username: "ann" }),
    };
    await using door = await openDoor({ authProviders: [provider] });
    door.mount([feed]);
    const key = await door.setUp();
    expect((await door.ask("/api/feed", { headers: basic("admin", "longbox123") })).status).toBe(200);
    door.settings.current.passwordLogin = false;
    expect((await door.ask("/api/feed", { headers: basic("admin", "longbox123") })).body.code).toBe(
      "kernel/password-login-off",
    );
    expect((await door.ask("/api/feed", { headers: basic("admin", key) })).status).toBe(200);
  });

  it("hashes a password once, not for every page", async () => {
    await using door = await openDoor();
    door.mount([feed]);
    await door.setUp();
    await door.ask("/api/feed", { headers: basic("admin", "longbox123") });
    const timed = async (work: () => Promise<unknown>) => {
      const started = performance.now();
      for (let round = 0; round < 20; round++) await work();
      return performance.now() - started;
    };
    const hashing = await timed(() => door.access.passwords.hash("longbox123"));
    const reading = await timed(() => door.ask("/api/feed", { headers: basic("admin", "longbox123") }));
    expect(reading).toBeLessThan(hashing);
  });
});
