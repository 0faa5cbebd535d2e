import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Browser, setUp } from "./support/browser.js";
import { startCertifiedProvider, type CertifiedProvider } from "./support/certified-provider.js";
import { clientSecret, startForgingProvider, type Forgery, type ForgingProvider } from "./support/forging-provider.js";

const people = {
  "s-ann": {
    preferred_username: "ann",
    email: "ann@club.example",
    email_verified: true,
    groups: ["readers", "editors"],
  },
  "s-bob": { preferred_username: "bob", email: "bob@club.example", email_verified: false, groups: ["readers"] },
  "s-eve": { preferred_username: "admin", email: "eve@club.example", email_verified: true, groups: ["strangers"] },
};
const login = "/api/auth/providers/club/login";

describe("with a certified provider", () => {
  let host: KernelTestHost;
  let provider: CertifiedProvider;
  const entry = () => ({
    label: "The club",
    key: "club",
    issuer: provider.issuer,
    clientId: "longbox",
    clientSecret: "a secret of the provider",
    scopes: "openid profile email groups",
    roles: "editors = trusted, owners = admin",
  });

  beforeAll(async () => {
    provider = await startCertifiedProvider(people);
    host = await startKernelTestHost({ plugins: ["sign-in-oidc"] });
    await setUp(host, [entry()]);
  });
  afterAll(async () => {
    await host[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });

  it("is offered on the sign-in page", async () => {
    expect((await new Browser(host).visit("/api/auth/providers")).body).toMatchObject({
      providers: [{ id: "club", label: "The club", loginPath: login }],
    });
  });

  it("signs in with a code and PKCE, and gives roles by groups", async () => {
    const browser = new Browser(host);
    provider.signsIn("s-ann");
    const { trail } = await browser.follow(`${login}?next=/series/7`, (url) => url.endsWith("/series/7"));
    const asked = new URL(trail[1]!).searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: "code",
      client_id: "longbox",
      code_challenge_method: "S256",
      scope: "openid profile email groups",
    });
    expect([asked.get("state")!.length, asked.get("nonce")!.length]).toEqual([43, 43]);
    expect(trail.join(" ")).not.toContain("code_verifier");
    expect(await browser.me()).toMatchObject({ username: "ann", role: "trusted" });
    expect((await browser.visit("/api/auth/profile")).body).toMatchObject({
      email: "ann@club.example",
      providers: ["club"],
    });
  });

  it("knows people again, and takes no address that is not verified", async () => {
    provider.signsIn("s-bob");
    const [first, second] = [new Browser(host), new Browser(host)];
    await first.follow(login, (url) => new URL(url).pathname === "/");
    await second.follow(login, (url) => new URL(url).pathname === "/");
    expect(await second.me()).toEqual(await first.me());
    expect((await second.visit("/api/auth/profile")).body).toMatchObject({
      username: "bob",
      role: "viewer",
      email: null,
    });
  });

  it("never takes an account for its name", async () => {
    const browser = new Browser(host);
    provider.signsIn("s-eve");
    await browser.follow(login, (url) => new URL(url).pathname === "/");
    expect(await browser.me()).toMatchObject({ username: expect.stringMatching(/^admin-\d$/), role: "viewer" });
  });

  it("gives the roles of the groups again at each sign-in, where that is set", async () => {
    const roleAfter = async (roles: string, rolesFollow: boolean) => {
      await setUp(host, [{ ...entry(), roles, rolesFollow }]);
      provider.signsIn("s-ann");
      const browser = new Browser(host);
      await browser.follow(login, (url) => new URL(url).pathname === "/");
      return (await browser.me()).role as string;
    };
    expect([
      await roleAfter("readers = viewer", false),
      await roleAfter("readers = viewer", true),
      await roleAfter("editors = trusted", true),
      await roleAfter("owners = admin", true),
      await roleAfter("editors = trusted", false),
      await roleAfter("editors = trusted", true),
      await roleAfter("", true),
    ]).toEqual(["trusted", "viewer", "trusted", "viewer", "viewer", "trusted", "trusted"]);
    await setUp(host, [entry()]);
  });

  it("refuses people outside of the required group", async () => {
    await setUp(host, [{ ...entry(), requiredGroup: "readers" }]);
    provider.signsIn("s-eve");
    const browser = new Browser(host);
    expect(await browser.follow(login)).toMatchObject({ status: 401, body: { code: "kernel/outside-sign-in-failed" } });
    expect(await browser.me()).toBeNull();
    await setUp(host, [entry()]);
  });

  it("signs in after the provider has changed its keys", async () => {
    await provider.rotate();
    provider.signsIn("s-ann");
    const browser = new Browser(host);
    await browser.follow(login, (url) => new URL(url).pathname === "/");
    expect(await browser.me()).toMatchObject({ username: "ann" });
  });

  it("ends the session at the provider", async () => {
    const { location } = await new Browser(host).visit("/api/sign-in-oidc/club/logout");
    const url = new URL(location!);
    expect([url.origin, url.pathname]).toEqual([provider.issuer, "/session/end"]);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: "longbox",
      post_logout_redirect_uri: `${host.url}/`,
    });
    expect((await new Browser(host).visit("/api/sign-in-oidc/pub/logout")).status).toBe(400);
  });

  it("is no longer offered when it is switched off", async () => {
    await setUp(host, [{ ...entry(), enabled: false }]);
    expect((await new Browser(host).visit("/api/auth/providers")).body.providers).toEqual([]);
    expect((await new Browser(host).visit(login)).status).toBe(404);
    await setUp(host, [entry()]);
  });
});

describe("an answer that is not right", () => {
  let host: KernelTestHost;
  let provider: ForgingProvider;
  const entry = () => ({ key: "club", issuer: provider.issuer, clientId: "longbox", clientSecret });

  beforeAll(async () => {
    provider = await startForgingProvider();
    host = await startKernelTestHost({ plugins: ["sign-in-oidc"] });
  });
  afterAll(async () => {
    await host[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });
  // Saving the settings forgets the discovery document.
  beforeEach(() => setUp(host, [{ ...entry(), label: crypto.randomUUID() }]));

  /** Begins in a browser, and comes back with the nonce as the code. */
  async function signIn(forgery: Forgery, change: (answer: URLSearchParams) => void = () => {}) {
    provider.forge(forgery);
    const browser = new Browser(host);
    const begun = await browser.visit(login);
    if (begun.location === undefined) return { ...begun, user: null };
    const asked = new URL(begun.location).searchParams;
    const answer = new URLSearchParams({ code: asked.get("nonce")!, state: asked.get("state")! });
    change(answer);
    const back = await browser.visit(`/api/auth/providers/club/callback?${answer.toString()}`);
    return { ...back, user: await browser.me() };
  }
  const refused = { status: 401, body: { code: "kernel/outside-sign-in-failed" }, user: null };

  it("is told from one that is right", async () => {
    expect(await signIn({})).toMatchObject({ status: 302, user: { username: "ann" } });
  });

  it.each<[string, Forgery]>([
    ["another nonce", { claims: (right) => ({ ...right, nonce: "another" }) }],
    ["no nonce", { claims: ({ nonce: _, ...right }) => right }],
    ["another audience", { claims: (right) => ({ ...right, aud: "another" }) }],
    ["several audiences, for another one", { claims: (right) => ({ ...right, aud: ["longbox", "b"], azp: "b" }) }],
    ["another issuer", { claims: (right) => ({ ...right, iss: "https://evil.example" }) }],
    ["an end in the past", { claims: (right) => ({ ...right, exp: right.iat! - 3600 }) }],
    ["no end", { claims: ({ exp: _, ...right }) => right }],
    ["no subject", { claims: ({ sub: _, ...right }) => right }],
    ["a key that is not the provider's", { signedBy: "unknown key" }],
    ["a forged signature", { signedBy: "unknown key with the id of the own one" }],
    ["no signature", { signedBy: "nothing" }],
    ["the client secret as its key", { signedBy: "the client secret" }],
  ])("is refused with %s", async (_, forgery) => {
    expect(await signIn(forgery)).toMatchObject(refused);
  });

  it("is refused with another state, without one, and from another issuer", async () => {
    expect(await signIn({}, (answer) => answer.set("state", "another"))).toMatchObject(refused);
    expect(await signIn({}, (answer) => answer.delete("state"))).toMatchObject(refused);
    expect(await signIn({}, (answer) => answer.set("iss", "https://evil.example"))).toMatchObject(refused);
    expect(await signIn({}, (answer) => answer.append("error", "access_denied"))).toMatchObject(refused);
  });

  it("is not accepted a second time", async () => {
    provider.forge({});
    const browser = new Browser(host);
    const asked = new URL((await browser.visit(login)).location!).searchParams;
    const callback = `/api/auth/providers/club/callback?code=${asked.get("nonce")}&state=${asked.get("state")}`;
    expect((await browser.visit(callback)).status).toBe(302);
    expect(await browser.visit(callback)).toMatchObject({ status: 400, body: { code: "kernel/no-attempt" } });
  });

  it("is not asked for when the discovery document is that of another issuer", async () => {
    expect(await signIn({ claimsToBe: "https://evil.example" })).toMatchObject({ status: 401 });
  });
});

describe("the settings", () => {
  it("are tested before they are saved, and only take encrypted issuers", async () => {
    await using provider = await startForgingProvider();
    await using host = await startKernelTestHost({ plugins: ["sign-in-oidc"] });
    const test = async (values: object) => (await host.as("admin").post("/api/sign-in-oidc/test", values)).body;
    const right = { key: "club", issuer: provider.issuer, clientId: "longbox" };
    expect(await test(right)).toEqual({ ok: true, message: `The provider answers as ${provider.issuer}.` });
    expect(await test({ ...right, issuer: "http://club.example" })).toMatchObject({
      ok: false,
      message: "http://club.example is not encrypted: only https is used, except on this machine.",
    });
    expect(await test({ ...right, clientId: "" })).toMatchObject({
      ok: false,
      message: "The provider has no clientId.",
    });
    expect(await test({ ...right, issuer: "club" })).toMatchObject({ ok: false });
  });
});
