import { describe, expect, it } from "vitest";
import { openDoor } from "../http/open-door.js";

const login = (username: string, password: string) => ({ method: "POST", body: { username, password } });

describe("signing in", () => {
  it("starts a session whose cookie pages cannot read", async () => {
    await using door = await openDoor();
    await door.setUp();
    const answer = await door.ask("/api/auth/login", login("ADMIN", "longbox123"));
    expect(answer.body).toEqual({ user: { id: 1, username: "admin", role: "admin", permissions: ["*"] } });
    expect(answer.cookie).toMatch(/^longbox_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it("marks the cookie as secure when a trusted proxy says that the client spoke https", async () => {
    await using door = await openDoor({ trustProxy: "loopback" });
    await door.setUp();
    const answer = await door.ask("/api/auth/login", {
      ...login("admin", "longbox123"),
      headers: { "x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.9" },
    });
    expect(answer.cookie).toContain("; Secure");
  });

  it("does not believe a proxy that is not trusted", async () => {
    await using door = await openDoor();
    await door.setUp();
    const answer = await door.ask("/api/auth/login", {
      ...login("admin", "longbox123"),
      headers: { "x-forwarded-proto": "https" },
    });
    expect(answer.cookie).not.toContain("Secure");
  });

  it("refuses wrong names and wrong passwords alike", async () => {
    await using door = await openDoor();
    await door.setUp();
    const wrongPassword = await door.ask("/api/auth/login", login("admin", "longbox124"));
    const wrongName = await door.ask("/api/auth/login", login("nimda", "longbox123"));
    expect(wrongPassword).toMatchObject({ status: 401, body: { code: "kernel/bad-credentials" } });
    expect(wrongName.body).toEqual(wrongPassword.body);
    expect(wrongName.cookie).toBeUndefined();
  });

  it("takes the same time for an unknown name", async () => {
    await using door = await openDoor({ limits: { perPair: 1000, perAddress: 1000, seconds: 60 } });
    await door.setUp();
    await door.member("ann");
    const timeOf = async (username: string) => {
      const started = performance.now();
      const { status } = await door.ask("/api/auth/login", login(username, "not the one"));
      const milliseconds = performance.now() - started;
      expect(status).toBe(401);
      return milliseconds;
    };
    await timeOf("ann");
    // In turns, and the shortest of each: what else the machine does only ever makes one longer.
    let [known, unknown] = [Infinity, Infinity];
    for (let round = 0; round < 9; round++) {
      known = Math.min(known, await timeOf("ann"));
      unknown = Math.min(unknown, await timeOf("nobody-at-all"));
    }
    // Without the same hashing, one of them would be ten times as fast.
    expect(Math.max(known, unknown) / Math.min(known, unknown)).toBeLessThan(3);
  });

  it("slows guessing down by name and address, says for how long, and lets other names in", async () => {
    await using door = await openDoor({ limits: { perPair: 3, perAddress: 100, seconds: 60 } });
    await door.setUp();
    await door.member("ann");
    await door.member("bob");
    const guesses = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((guess) => door.ask("/api/auth/login", login("ann", `guess number ${guess}`))),
    );
    expect(guesses.filter((answer) => answer.status === 401)).toHaveLength(3);
    const refused = await door.ask("/api/auth/login", login("ann", "longbox123"));
    expect(refused).toMatchObject({ status: 429, body: { code: "kernel/too-many-attempts" } });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect((await door.ask("/api/auth/login", login("bob", "longbox123"))).status).toBe(200);
  });

  it("slows guessing down by address, however many names are tried", async () => {
    await using door = await openDoor({ limits: { perPair: 3, perAddress: 4, seconds: 60 }, trustProxy: "loopback" });
    await door.setUp();
    const from = (address: string, username: string) =>
      door.ask("/api/auth/login", { ...login(username, "longbox123"), headers: { "x-forwarded-for": address } });
    const statuses = [];
    for (const name of ["a1", "a2", "a3", "a4", "a5"]) statuses.push((await from("203.0.113.9", name)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 429]);
    expect((await from("203.0.113.10", "admin")).status).toBe(200);
  });

  it("lets an address in again after many at once were refused, whose passwords were right", async () => {
    await using door = await openDoor({ limits: { perPair: 3, perAddress: 20, seconds: 60 } });
    await door.setUp();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => door.ask("/api/auth/login", login("admin", "longbox123"))),
    );
    expect([...new Set(answers.map((answer) => answer.status))].sort()).toEqual([200, 429]);
    expect((await door.ask("/api/auth/login", login("admin", "longbox123"))).status).toBe(200);
    expect((await door.ask("/api/auth/login", login("admin", "a guess"))).status).toBe(401);
  });

  it("forgets failures once the password was right", async () => {
    await using door = await openDoor({ limits: { perPair: 3, perAddress: 100, seconds: 60 } });
    await door.setUp();
    for (let round = 0; round < 4; round++) {
      expect((await door.ask("/api/auth/login", login("admin", "wrong"))).status).toBe(401);
      expect((await door.ask("/api/auth/login", login("admin", "longbox123"))).status).toBe(200);
    }
  });

  it("ends the session that the browser had before", async () => {
    await using door = await openDoor();
    await door.setUp();
    const before = await door.browser("admin");
    await door.ask("/api/auth/login", { ...login("admin", "longbox123"), headers: before });
    expect((await door.ask("/api/auth/profile", { headers: before })).status).toBe(401);
  });

  it("is refused while passwords are switched off, unless there is no other way in", async () => {
    await using alone = await openDoor({ settings: { passwordLogin: false } });
    await alone.setUp();
    expect((await alone.ask("/api/auth/login", login("admin", "longbox123"))).status).toBe(200);
    const provider = {
      id: "club",
      label: "The club",
      begin: async () => ({ redirectTo: "https://club.example", state: {} }),
      complete: async () => ({ subject: "1", username: "ann" }),
    };
    await using other = await openDoor({ settings: { passwordLogin: false }, authProviders: [provider] });
    await other.setUp();
    expect(await other.ask("/api/auth/login", login("admin", "longbox123"))).toMatchObject({
      status: 403,
      body: { code: "kernel/password-login-off" },
    });
    expect((await other.ask("/api/auth/providers")).body).toEqual({
      passwordLogin: false,
      providers: [{ id: "club", label: "The club", loginPath: "/api/auth/providers/club/login" }],
    });
  });
});

describe("a session", () => {
  it("ends at sign-out, and its cookie is taken back", async () => {
    await using door = await openDoor();
    await door.setUp();
    const browser = await door.browser("admin");
    const answer = await door.ask("/api/auth/logout", { method: "POST", headers: browser });
    expect(answer.cookie).toMatch(/^longbox_session=; Max-Age=0; Path=\//);
    expect((await door.ask("/api/auth/profile", { headers: browser })).status).toBe(401);
    expect((await door.ask("/api/auth/me", { headers: browser })).body.user).toBeNull();
  });

  it("can end all others", async () => {
    await using door = await openDoor();
    await door.setUp();
    const [here, there, elsewhere] = [
      await door.browser("admin"),
      await door.browser("admin"),
      await door.browser("admin"),
    ];
    // The fourth is that of the registration.
    expect((await door.ask("/api/auth/logout-others", { method: "POST", headers: here })).body).toEqual({ cleared: 3 });
    expect((await door.ask("/api/auth/profile", { headers: here })).status).toBe(200);
    for (const other of [there, elsewhere])
      expect((await door.ask("/api/auth/profile", { headers: other })).status).toBe(401);
  });

  it("outlives a change of the password, and the others do not", async () => {
    await using door = await openDoor();
    await door.setUp();
    const [here, there] = [await door.browser("admin"), await door.browser("admin")];
    const change = (current: string) =>
      door.ask("/api/auth/password", { method: "POST", headers: here, body: { current, next: "another phrase" } });
    expect(await change("wrong")).toMatchObject({ status: 403, body: { code: "kernel/wrong-password" } });
    expect((await change("longbox123")).body).toEqual({ ok: true });
    expect((await door.ask("/api/auth/profile", { headers: here })).status).toBe(200);
    expect((await door.ask("/api/auth/profile", { headers: there })).status).toBe(401);
    expect((await door.ask("/api/auth/login", login("admin", "longbox123"))).status).toBe(401);
  });

  it("does not help an attacker who finds it to guess the password", async () => {
    await using door = await openDoor({ limits: { perPair: 3, perAddress: 100, seconds: 60 } });
    await door.setUp();
    const headers = await door.browser("admin");
    const statuses = [];
    for (const current of ["a", "b", "c", "longbox123"])
      statuses.push(
        (await door.ask("/api/auth/password", { method: "POST", headers, body: { current, next: "another phrase" } }))
          .status,
      );
    expect(statuses).toEqual([403, 403, 403, 429]);
  });

  it("is not good for a change that another site asks for", async () => {
    await using door = await openDoor();
    await door.setUp();
    const { cookie } = await door.browser("admin");
    const change = (headers: Record<string, string>) =>
      door.ask("/api/auth/email", {
        method: "POST",
        headers: { cookie: cookie!, ...headers },
        body: { email: "a@example.org" },
      });
    const signs: Array<[Record<string, string>, number]> = [
      [{ origin: door.url }, 200],
      [{ "sec-fetch-site": "same-origin" }, 200],
      [{ origin: "http://evil.example" }, 403],
      [{ origin: "http://127.0.0.1:1" }, 403],
      [{ origin: "null" }, 403],
      [{ "sec-fetch-site": "cross-site", origin: door.url }, 403],
      [{ "sec-fetch-site": "same-site" }, 403],
      [{}, 403],
    ];
    for (const [headers, status] of signs) expect([headers, (await change(headers)).status]).toEqual([headers, status]);
  });

  it("does not let another site sign the browser in", async () => {
    await using door = await openDoor();
    await door.setUp();
    expect(
      (
        await door.ask("/api/auth/login", {
          ...login("admin", "longbox123"),
          headers: { origin: "http://evil.example" },
        })
      ).status,
    ).toBe(403);
  });

  it("moves on while it is used, and is over when it was not", async () => {
    await using door = await openDoor();
    await door.setUp();
    const browser = await door.browser("admin");
    const session = () =>
      door.database.selectFrom("session").selectAll().orderBy("id", "desc").executeTakeFirstOrThrow();
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    await door.database
      .updateTable("session")
      .set({ seen_at: hoursAgo(48), expires_at: hoursAgo(-24) })
      .execute();
    door.access.authentication.forget();
    const answer = await door.ask("/api/auth/profile", { headers: browser });
    expect(answer.status).toBe(200);
    expect(answer.cookie).toMatch(/^longbox_session=.*Max-Age=2592000/);
    expect((await session()).expires_at > hoursAgo(-29 * 24)).toBe(true);
    await door.database
      .updateTable("session")
      .set({ expires_at: hoursAgo(1) })
      .execute();
    door.access.authentication.forget();
    expect((await door.ask("/api/auth/profile", { headers: browser })).status).toBe(401);
  });
});
