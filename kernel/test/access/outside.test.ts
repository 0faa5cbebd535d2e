import { createHash } from "node:crypto";
import type { AuthProvider, CredentialProvider } from "@longbox/sdk";
import { describe, expect, it } from "vitest";
import { openDoor, type OpenDoor } from "../http/open-door.js";

/** A provider that sends people on with a code of its own, and knows them again by it. */
function club(
  people: Record<string, { subject: string; username: string; role?: string; email?: string }>,
): AuthProvider {
  return {
    id: "club",
    label: "The club",
    begin: async ({ callbackUrl }) => ({
      redirectTo: `https://club.example/?back=${encodeURIComponent(callbackUrl)}`,
      state: { nonce: "n-1", callbackUrl },
    }),
    complete: async ({ answerUrl, state, callbackUrl }) => {
      const person = people[new URL(answerUrl).searchParams.get("code") ?? ""];
      if (person === undefined || state["nonce"] !== "n-1" || state["callbackUrl"] !== callbackUrl)
        throw new Error("the club does not know this code");
      return person;
    },
  };
}

const ann = { subject: "s-1", username: "ann", email: "ann@club.example" };

async function visit(door: OpenDoor, code: string, next = "/") {
  const begun = await door.ask(`/api/auth/providers/club/login?next=${encodeURIComponent(next)}`);
  const attempt = begun.cookie?.split(";")[0] ?? "";
  return {
    begun,
    attempt,
    back: (cookie = attempt) =>
      door.ask(`/api/auth/providers/club/callback?code=${code}`, {
        headers: { cookie, "sec-fetch-site": "cross-site" },
      }),
  };
}

describe("signing in through a provider", () => {
  it("goes there, comes back, and makes an account for a viewer at the first visit only", async () => {
    await using door = await openDoor({ authProviders: [club({ a: ann })] });
    await door.setUp();
    const { begun, back } = await visit(door, "a", "/series/7");
    expect(begun).toMatchObject({
      status: 302,
      headers: { location: expect.stringContaining("https://club.example/?back=") },
    });
    expect(begun.cookie).toMatch(/^longbox_attempt=.*Path=\/api\/auth\/providers; HttpOnly; SameSite=Lax/);
    const answer = await back();
    expect(answer).toMatchObject({ status: 302, headers: { location: "/series/7" } });
    const me = await door.ask("/api/auth/profile", { headers: { cookie: answer.cookie!.split(";")[0]! } });
    expect(me.body).toMatchObject({ username: "ann", email: "ann@club.example", role: "viewer", providers: ["club"] });
    await (await visit(door, "a")).back();
    expect((await door.access.accounts.list()).map((account) => account.username)).toEqual(["admin", "ann"]);
  });

  it("gives the role that the provider names, if there is one of that name", async () => {
    await using door = await openDoor({
      authProviders: [club({ a: { ...ann, role: "trusted" }, b: { subject: "s-2", username: "bob", role: "king" } })],
    });
    await door.setUp();
    for (const code of ["a", "b"]) await (await visit(door, code)).back();
    expect((await door.access.accounts.list()).map((account) => account.role)).toEqual(["admin", "trusted", "viewer"]);
  });

  it("never takes an account for its name", async () => {
    await using door = await openDoor({ authProviders: [club({ a: { subject: "s-9", username: "Admin" } })] });
    await door.setUp();
    const answer = await (await visit(door, "a")).back();
    const me = await door.ask("/api/auth/me", { headers: { cookie: answer.cookie!.split(";")[0]! } });
    expect(me.body.user).toMatchObject({ username: "Admin-2", role: "viewer" });
  });

  it("ends in the browser that began it, once, and only with an answer that the provider knows", async () => {
    await using door = await openDoor({ authProviders: [club({ a: ann })] });
    await door.setUp();
    const { attempt, back } = await visit(door, "a");
    expect(await back("longbox_attempt=another")).toMatchObject({ status: 400, body: { code: "kernel/no-attempt" } });
    expect((await back("")).status).toBe(400);
    expect((await back(attempt)).status).toBe(302);
    expect((await back(attempt)).status).toBe(400);
    expect(await (await visit(door, "forged")).back()).toMatchObject({
      status: 401,
      body: { code: "kernel/outside-sign-in-failed" },
    });
  });

  it("shows people a page when it fails, and programs an error", async () => {
    const failing: AuthProvider = {
      ...club({}),
      id: "down",
      begin: () => Promise.reject(new Error("<b>secret reason</b>")),
    };
    await using door = await openDoor({ authProviders: [failing] });
    await door.setUp();
    const page = await door.ask("/api/auth/providers/down/login", {
      headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" },
    });
    expect(page).toMatchObject({
      status: 401,
      headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
    });
    expect(page.text).toContain("The sign-in failed");
    expect(page.text).toContain('href="/"');
    expect(page.text).not.toContain("secret reason");
    const style = /<style>([^]*)<\/style>/.exec(page.text)![1]!;
    expect(page.headers["content-security-policy"]).toContain(
      `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
    );
    const lost = await door.ask("/api/auth/providers/%3Cscript%3E/callback", { headers: { accept: "text/html" } });
    expect(lost.status).toBe(400);
    expect(lost.text).not.toContain("<script>");
    expect(
      (await door.ask("/api/auth/providers/down/callback?code=x", { headers: { accept: "text/html" } })).text,
    ).toContain("Start again");
    expect(await door.ask("/api/auth/providers/down/login", { headers: { accept: "application/json" } })).toMatchObject(
      { status: 401, body: { code: "kernel/outside-sign-in-failed" } },
    );
    expect(
      (await door.ask("/api/auth/login", { method: "POST", raw: "{", headers: { accept: "text/html" } })).body,
    ).toHaveProperty("code");
  });

  it("can be begun only so often from one address, so that neither the server nor the provider is worn out", async () => {
    let asked = 0;
    const counted: AuthProvider = { ...club({ a: ann }), begin: async (request) => (asked++, club({}).begin(request)) };
    await using door = await openDoor({
      authProviders: [counted],
      limits: { outsideSignIns: 3 },
      trustProxy: "loopback",
    });
    await door.setUp();
    const begin = (address: string, accept = "application/json") =>
      door.ask("/api/auth/providers/club/login", { headers: { "x-forwarded-for": address, accept } });
    for (let i = 0; i < 3; i++) expect((await begin("192.0.2.1")).status).toBe(302);
    const refused = await begin("192.0.2.1");
    expect(refused).toMatchObject({ status: 429, body: { code: "kernel/too-many-attempts" } });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    const page = await begin("192.0.2.1", "text/html");
    expect([page.status, page.headers["content-type"], page.headers["retry-after"]]).toEqual([
      429,
      "text/html; charset=utf-8",
      expect.stringMatching(/^[1-9]/),
    ]);
    expect(asked).toBe(3);
    expect((await begin("192.0.2.2")).status).toBe(302);
  });

  it("ends the session that the browser had before", async () => {
    await using door = await openDoor({ authProviders: [club({ a: ann })] });
    await door.setUp();
    const before = await door.browser("admin");
    const { attempt } = await visit(door, "a");
    const answer = await door.ask("/api/auth/providers/club/callback?code=a", {
      headers: { cookie: `${attempt}; ${before["cookie"]}` },
    });
    expect(answer.status).toBe(302);
    expect((await door.ask("/api/auth/me", { headers: before })).body.user).toBeNull();
    expect(
      (await door.ask("/api/auth/me", { headers: { cookie: answer.cookie!.split(";")[0]! } })).body.user.username,
    ).toBe("ann");
  });

  it("never redirects to another site afterwards", async () => {
    await using door = await openDoor({ authProviders: [club({ a: ann })] });
    await door.setUp();
    for (const next of [
      "//evil.example",
      "/\\evil.example",
      "https://evil.example",
      "javascript:alert(1)",
      "/a\r\nb",
    ]) {
      expect([next, (await (await visit(door, "a", next)).back()).headers["location"]]).toEqual([next, "/"]);
    }
    const elsewhere = await (await visit(door, "a", "/search?q=漫画 & co")).back();
    expect([elsewhere.status, elsewhere.headers["location"]]).toEqual([302, "/search?q=%E6%BC%AB%E7%94%BB%20&%20co"]);
  });

  it("cannot make the first account, nor any when the settings forbid it", async () => {
    await using door = await openDoor({ authProviders: [club({ a: ann })] });
    expect(await door.ask("/api/auth/providers/club/login")).toMatchObject({
      status: 403,
      body: { code: "kernel/setup-first" },
    });
    await door.setUp();
    door.settings.current.externalAccounts = false;
    expect(await (await visit(door, "a")).back()).toMatchObject({
      status: 403,
      body: { code: "kernel/no-external-accounts" },
    });
    expect(await door.ask("/api/auth/providers/pub/login")).toMatchObject({
      status: 404,
      body: { code: "kernel/no-such-provider" },
    });
  });

  it("does not let an account in that is switched off", async () => {
    await using door = await openDoor({ authProviders: [club({ a: ann })] });
    await door.setUp();
    await (await visit(door, "a")).back();
    const account = await door.access.accounts.findByName("ann");
    await door.access.accounts.change(account!.id, { active: false });
    expect((await (await visit(door, "a")).back()).status).toBe(401);
  });
});

describe("linking an account to a provider", () => {
  async function link(door: OpenDoor, headers: Record<string, string>, code = "a") {
    const begun = await door.ask("/api/auth/providers/club/link", { method: "POST", headers, body: {} });
    const attempt = begun.cookie?.split(";")[0] ?? "";
    return {
      begun,
      back: (cookie = headers["cookie"]) =>
        door.ask(`/api/auth/providers/club/callback?code=${code}`, { headers: { cookie: `${attempt}; ${cookie}` } }),
    };
  }

  it("is done by its owner alone, who then signs in to it from there", async () => {
    await using door = await openDoor({ authProviders: [club({ a: ann })] });
    await door.setUp();
    const admin = await door.browser("admin");
    const { begun, back } = await link(door, admin);
    expect(begun).toMatchObject({
      status: 200,
      body: { redirectTo: expect.stringContaining("https://club.example/") },
    });
    expect(await back()).toMatchObject({ status: 302, headers: { location: "/account" } });
    const again = await (await visit(door, "a")).back();
    const me = await door.ask("/api/auth/me", { headers: { cookie: again.cookie!.split(";")[0]! } });
    expect(me.body.user.username).toBe("admin");
    expect(await door.access.accounts.list()).toHaveLength(1);
  });

  it("needs the session that began it, and a sign-in", async () => {
    await using door = await openDoor({ authProviders: [club({ a: ann })] });
    await door.setUp();
    expect((await link(door, {})).begun.status).toBe(401);
    const { back } = await link(door, await door.browser("admin"));
    expect(await back("longbox_session=another")).toMatchObject({ status: 400, body: { code: "kernel/no-attempt" } });
    await (await visit(door, "a")).back();
    expect((await door.access.accounts.list()).map(({ username }) => username)).toEqual(["admin", "ann"]);
  });

  it("is refused to an API key, which could be revoked and leave a way in behind", async () => {
    await using door = await openDoor({ authProviders: [club({ a: ann })] });
    await door.setUp();
    const made = await door.ask("/api/auth/apikey", { method: "POST", headers: await door.browser("admin") });
    const headers = { "x-api-key": made.body.key };
    for (const method of ["POST", "DELETE"])
      expect(
        await door.ask("/api/auth/providers/club/link", { method, headers, ...(method === "POST" && { body: {} }) }),
      ).toMatchObject({ status: 403, body: { code: "kernel/needs-session" } });
  });

  it("takes no identity from another account, and no account its only way to sign in", async () => {
    await using door = await openDoor({ authProviders: [club({ a: ann })] });
    await door.setUp();
    const first = await (await visit(door, "a")).back();
    const admin = await door.browser("admin");
    const { back } = await link(door, admin);
    expect(await back()).toMatchObject({ status: 409, body: { code: "kernel/identity-taken" } });
    const unlink = (headers: Record<string, string>) =>
      door.ask("/api/auth/providers/club/link", { method: "DELETE", headers });
    const annHeaders = { ...admin, cookie: first.cookie!.split(";")[0]! };
    expect(await unlink(annHeaders)).toMatchObject({ status: 409, body: { code: "kernel/only-sign-in" } });
  });

  it("is undone by its owner", async () => {
    await using door = await openDoor({ authProviders: [club({ a: ann })] });
    await door.setUp();
    const admin = await door.browser("admin");
    const { back } = await link(door, admin);
    const headers = { ...admin, cookie: (await back()).cookie!.split(";")[0]! };
    expect((await door.ask("/api/auth/profile", { headers })).body.providers).toEqual(["club"]);
    const undone = await door.ask("/api/auth/providers/club/link", { method: "DELETE", headers });
    expect(undone).toMatchObject({ status: 200, body: { providers: [] } });
  });
});

describe("a credential back end", () => {
  const directory: CredentialProvider = {
    id: "directory",
    verify: async ({ username, password }) =>
      username === "dora" && password === "directory word" ? { subject: "uid=dora", username: "dora" } : undefined,
  };
  const broken: CredentialProvider = { id: "broken", verify: () => Promise.reject(new Error("connection refused")) };
  const login = (door: OpenDoor, username: string, password: string) =>
    door.ask("/api/auth/login", { method: "POST", body: { username, password } });

  it("is asked when the kernel does not know the pair, and one that fails does not stand in the way", async () => {
    await using door = await openDoor({ credentialProviders: [broken, directory] });
    await door.setUp();
    expect((await login(door, "dora", "directory word")).body.user).toMatchObject({ username: "dora", role: "viewer" });
    expect((await login(door, "dora", "another word")).status).toBe(401);
    expect((await login(door, "admin", "longbox123")).status).toBe(200);
    expect(door.lines.some((line) => line.level === "warn" && line.message.includes("broken"))).toBe(true);
  });

  it("is not asked before there is an account", async () => {
    await using door = await openDoor({ credentialProviders: [directory] });
    expect((await login(door, "dora", "directory word")).status).toBe(401);
    expect((await door.ask("/api/auth/me")).body.openMode).toBe(true);
  });
});
