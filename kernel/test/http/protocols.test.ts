import {
  BadInput,
  Conflict,
  definePlugin,
  defineRoute,
  inProtocol,
  KernelLogs,
  LongboxError,
  NotFound,
  reply,
  type CredentialScheme,
  type PluginDefinition,
  type Protocol,
  type Route,
  type RouteFailure,
} from "@longbox/sdk";
import type { ManifestInput } from "@longbox/sdk/manifest";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ask, type Asked } from "./open-door.js";

const manifest = (id: string, more: Partial<ManifestInput> = {}): ManifestInput => ({
  id,
  title: id,
  description: "",
  sdk: "^1.0.0",
  ...more,
});

/** A device protocol: a name and a key in headers, a token in the path, or Basic; whom each means is up to the test. */
class Devices {
  readonly owners = new Map<string, number>();
  asked = 0;
  readonly byHeaders: CredentialScheme = {
    id: "device",
    secretHeaders: ["x-auth-key"],
    claimedName: (presented) => presented.header("x-auth-user"),
    identify: async ({ header }) => this.#find(`${header("x-auth-user")}:${header("x-auth-key")}`),
  };
  readonly byToken: CredentialScheme = {
    id: "token",
    secretParameters: ["token"],
    identify: async ({ params }) => this.#find(params["token"] ?? ""),
  };
  readonly byQuery: CredentialScheme = {
    id: "query",
    secretQuery: ["key"],
    identify: async ({ query }) => this.#find(query["key"] ?? ""),
  };
  readonly byBasic: CredentialScheme = {
    id: "own-basic",
    basicRealm: "Devices",
    claimedName: ({ basic }) => basic?.username,
    identify: async ({ basic }) => this.#find(`${basic?.username}:${basic?.password}`),
  };

  async #find(secret: string): Promise<number | undefined> {
    this.asked += 1;
    if (secret.includes("explode")) throw new Error(`No idea what ${secret} is.`);
    return this.owners.get(secret);
  }
}

const onError = ({ kind, code, message, retryAfterSeconds }: RouteFailure) => ({
  ...(kind === "conflict" && { protocolStatus: 402 }),
  headers: { "X-Device-Error": code },
  body: { wrong: code, why: message, ...(retryAfterSeconds !== undefined && { later: retryAfterSeconds }) },
});

function deviceRoutes(devices: Devices): Route[] {
  const whoami = (path: `/${string}`, access: string) =>
    defineRoute({
      method: "GET",
      path,
      access,
      summary: "Says who asks",
      handle: ({ viewer }) => viewer.user.username,
    });
  const fail = (name: string, error: () => Error): Route =>
    defineRoute({
      method: "GET",
      path: `/device/fails/${name}`,
      access: "public",
      summary: "Fails",
      handle: () => {
        throw error();
      },
    });
  const bodies = [
    defineRoute({
      method: "PUT",
      path: "/device/progress",
      access: "library.view",
      summary: "Takes progress",
      body: z.object({ page: z.number() }),
      bodyLimitBytes: 1000,
      handle: ({ body, viewer }) => reply.json({ page: body.page, by: viewer.user.id }, {}, { protocolStatus: 202 }),
    }),
    defineRoute({
      method: "POST",
      path: "/device/progress",
      access: "library.view",
      summary: "Answers with nothing",
      handle: () => reply.empty({}, { protocolStatus: 200 }),
    }),
  ];
  const headers: Protocol = { credentials: devices.byHeaders, onError };
  return [
    ...inProtocol(headers, [
      whoami("/device/me", "library.view"),
      whoami("/device/manage", "library.manage"),
      whoami("/device/admin", "admin"),
      ...bodies,
      fail("not-found", () => new NotFound("device/nothing", "There is no such thing.")),
      fail("conflict", () => new Conflict("device/taken", "The name is taken.")),
      fail("bad-input", () => new BadInput("device/bad", "That is bad.")),
      fail("broken", () => new Error("inner workings")),
      fail("busy", () => new LongboxError("unavailable", "device/busy", "Busy.", undefined, { retryAfterSeconds: 7 })),
    ]),
    ...inProtocol({ credentials: devices.byToken }, [
      whoami("/token/{token}/me", "library.view"),
      defineRoute({
        method: "GET",
        path: "/token/{token}/{rest...}",
        access: "library.view",
        summary: "Takes the rest",
        params: z.object({ token: z.string(), rest: z.string() }),
        handle: ({ params }) => ({ rest: params.rest }),
      }),
    ]),
    ...inProtocol({ credentials: devices.byQuery }, [
      whoami("/device/calendar", "library.view"),
      whoami("/device/calendar/admin", "admin"),
      fail("calendar", () => new Error("inner workings")),
    ]),
    ...inProtocol({ credentials: devices.byBasic }, [
      whoami("/device/basic", "library.view"),
      defineRoute({
        method: "POST",
        path: "/device/basic",
        access: "library.view",
        summary: "Changes",
        handle: () => ({}),
      }),
    ]),
  ];
}

async function openDevices(
  more: { plugins?: Array<{ manifest: ManifestInput; plugin: PluginDefinition }>; trustProxy?: string } = {},
) {
  const devices = new Devices();
  const plugin = definePlugin({
    activate(_, context) {
      context.routes([
        ...deviceRoutes(devices),
        ...inProtocol({ credentials: devices.byToken }, [
          defineRoute({
            method: "GET",
            path: "/token/{token}/logs",
            access: "library.view",
            summary: "Logs what it should not",
            handle({ url, params }) {
              context.log.warn(`asked at ${url.href}`, { params });
              throw new Error(`Failed at ${url.pathname}`, { cause: new Error(url.href) });
            },
          }),
        ]),
      ]);
    },
  });
  const host = await startKernelTestHost({
    plugins: [
      { manifest: manifest("devices", { basePaths: ["/device", "/token/{token}"] }), plugin },
      ...(more.plugins ?? []),
    ],
    ...(more.trustProxy !== undefined && { kernel: { trustProxy: more.trustProxy } }),
  });
  const admin = host.as("admin");
  const add = async (username: string, role = "viewer"): Promise<number> =>
    (await admin.post("/api/users", { username, password: "correct horse", role })).body.id;
  return {
    host,
    admin,
    devices,
    add,
    ask: (path: string, asked?: Asked) => ask(host.url, path, asked),
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}

const keys = (user: string, key: string) => ({ "x-auth-user": user, "x-auth-key": key });
const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
});

describe("credentials of a protocol", () => {
  it("stand for an account, whose role decides as everywhere", async () => {
    await using server = await openDevices();
    const { add, ask: call, devices } = server;
    const roles = { viewer: await add("vic"), trusted: await add("tom", "trusted"), admin: await add("ada", "admin") };
    const statuses: Record<string, number[]> = {};
    for (const [role, id] of Object.entries(roles)) {
      devices.owners.set(`${role}:k`, id).set(`token-of-${role}`, id);
      statuses[role] = [];
      for (const path of ["/device/me", "/device/manage", "/device/admin"])
        statuses[role].push((await call(path, { headers: keys(role, "k") })).status);
      statuses[role].push((await call(`/token/token-of-${role}/me`)).status);
      statuses[role].push((await call("/device/basic", { headers: basic(role, "k") })).status);
    }
    expect(statuses).toEqual({
      viewer: [200, 403, 403, 200, 200],
      trusted: [200, 200, 403, 200, 200],
      admin: [200, 200, 200, 200, 200],
    });
    expect((await call("/device/me", { headers: keys("trusted", "k") })).body).toBe("tom");
  });

  it("are the only ones: keys, cookies and passwords of the server do not count, nor do those of another scheme", async () => {
    await using server = await openDevices();
    const { host, ask: call, devices, add } = server;
    devices.owners.set("ann:k", await add("ann"));
    const signedIn = await host.as("anonymous").post("/api/auth/login", { username: "ann", password: "correct horse" });
    const cookie = signedIn.headers.getSetCookie()[0]!.split(";")[0]!;
    for (const headers of [
      {},
      { cookie, origin: host.url },
      { "x-api-key": host.as("admin").key! },
      { authorization: `Bearer ${host.as("admin").key}` },
      basic("ann", "k"),
    ])
      expect((await call("/device/me", { headers })).status).toBe(401);
    const refused = await call("/device/basic", { headers: keys("ann", "k") });
    expect([refused.status, refused.headers["www-authenticate"]]).toEqual([
      401,
      'Basic realm="Devices", charset="UTF-8"',
    ]);
    // And the protocol's are good for nothing else.
    expect((await call("/api/status", { headers: { ...keys("ann", "k"), ...basic("ann", "k") } })).status).toBe(401);
    expect(devices.asked).toBe(0);
  });

  it("of a disabled or deleted account, of one that never was, or revoked by the plugin are refused at once", async () => {
    await using server = await openDevices();
    const { admin, add, ask: call, devices } = server;
    const [ann, bob, eve] = [await add("ann"), await add("bob"), await add("eve")];
    devices.owners.set("ann", ann).set("bob", bob).set("eve", eve).set("ghost", 999).set("local", 0).set("system", -1);
    const statusOf = async (token: string) => (await call(`/token/${token}/me`)).status;
    expect([await statusOf("ann"), await statusOf("bob"), await statusOf("eve")]).toEqual([200, 200, 200]);
    await admin.patch(`/api/users/${ann}`, { active: false });
    await admin.delete(`/api/users/${bob}`);
    devices.owners.delete("eve");
    for (const token of ["ann", "bob", "eve", "ghost", "local", "system"])
      expect([token, await statusOf(token)]).toEqual([token, 401]);
    await admin.patch(`/api/users/${ann}`, { active: true });
    expect(await statusOf("ann")).toBe(200);
    await admin.patch(`/api/users/${ann}`, { role: "admin" });
    expect(await statusOf("ann")).toBe(200);
  });

  it("are asked before the body is read, and wrong ones are slowed down, name by name", async () => {
    await using server = await openDevices();
    const { add, ask: call, devices } = server;
    devices.owners.set("ann:right", await add("ann")).set("bob:right", await add("bob"));
    const progress = (user: string, key: string, raw: string) =>
      call("/device/progress", {
        method: "PUT",
        headers: { ...keys(user, key), "content-type": "application/json" },
        raw,
      });
    expect((await progress("ann", "wrong", "{".repeat(2000))).status).toBe(401);
    for (let guess = 0; guess < 9; guess++) await progress("ann", `guess ${guess}`, "{}");
    const asked = devices.asked;
    const refused = await progress("ann", "right", '{"page":1}');
    expect([refused.status, refused.body]).toEqual([
      429,
      { wrong: "kernel/too-many-attempts", why: expect.any(String), later: expect.any(Number) },
    ]);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect(devices.asked).toBe(asked);
    expect((await progress("bob", "right", '{"page":1}')).status).toBe(202);
  });

  it("without a name lock out no other client, wherever the guesses come from", async () => {
    await using server = await openDevices({ trustProxy: "loopback" });
    const { add, ask: call, devices } = server;
    const ann = await add("ann");
    for (const token of ["one", "two", "three"]) devices.owners.set(token, ann);
    const statusOf = async (address: string, token: string) =>
      (await call(`/token/${token}/me`, { headers: { "x-forwarded-for": address } })).status;
    const guess = (address: string, times: number) =>
      Promise.all(Array.from({ length: times }, (_, at) => statusOf(address, `${address}-${at}`)));
    for (let network = 1; network <= 12; network++) await guess(`198.51.100.${network}`, 10);
    // More than a hundred would be too many for a name.
    expect(await statusOf("203.0.113.1", "one")).toBe(200);
    // A device whose token was revoked goes on asking: it alone is refused.
    for (let asked = 0; asked < 15; asked++)
      expect(await statusOf("203.0.113.1", "revoked")).toBe(asked < 10 ? 401 : 429);
    expect(await statusOf("203.0.113.1", "two")).toBe(200);
    // Guesses from one address end.
    expect((await guess("203.0.113.1", 40)).filter((status) => status === 429)).toHaveLength(10);
    expect(await statusOf("203.0.113.1", "three")).toBe(429);
    expect(await statusOf("203.0.113.2", "three")).toBe(200);
  });

  it("that are right may come with many requests at once", async () => {
    await using server = await openDevices();
    const { add, ask: call, devices } = server;
    devices.owners.set("ann:right", await add("ann"));
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => call("/device/me", { headers: keys("ann", "right") })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(60).fill(200));
  });

  it("stay out of the log, the request observer and the reasons of faults", async () => {
    await using server = await openDevices();
    const { host, add, ask: call, devices } = server;
    devices.owners.set("s3cret-t0ken/+", await add("ann"));
    const token = encodeURIComponent("s3cret-t0ken/+");
    expect((await call(`/token/${token}/me`)).status).toBe(200);
    expect((await call(`/token/${token}/logs`)).status).toBe(500);
    expect((await call("/token/explode-s3cret-t0ken/me")).status).toBe(500);
    expect((await call("/device/me", { headers: keys("ann", "explode-s3cret-t0ken") })).status).toBe(500);
    expect((await call("/device/basic", { headers: basic("ann", "explode-s3cret-t0ken") })).status).toBe(500);
    const { lines } = await host.use(KernelLogs).list({ limit: 1000 });
    const text = JSON.stringify(lines);
    expect(text).toContain("/token/[redacted]/logs");
    expect(text).toContain("asked at");
    expect(text).not.toMatch(/s3cret/);
    expect(JSON.stringify((await host.as("admin").get("/api/plugins/devices")).body)).not.toMatch(/s3cret/);
  });

  it("that a browser sends by itself are no good for a change that another site asks for", async () => {
    await using server = await openDevices();
    const { add, ask: call, devices } = server;
    devices.owners.set("ann:k", await add("ann"));
    const post = (headers: Record<string, string>) =>
      call("/device/basic", { method: "POST", headers: { ...basic("ann", "k"), ...headers } });
    expect((await post({ "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await post({})).status).toBe(200);
  });
});

describe("a secret in the query", () => {
  it("stands for an account like one in the path, decoded, and never for another scheme's", async () => {
    await using server = await openDevices();
    const { host, admin, add, ask: call, devices } = server;
    const ann = await add("ann");
    devices.owners.set("a key/+&", ann);
    const key = encodeURIComponent("a key/+&");
    const statusOf = async (path: string, headers = {}) => (await call(path, { headers })).status;
    expect((await call(`/device/calendar?key=${key}&other=1`)).body).toBe("ann");
    expect(await statusOf("/device/calendar?key=a+key%2F%2B%26")).toBe(200);
    expect(await statusOf(`/device/calendar/admin?key=${key}`)).toBe(403);
    for (const path of ["/device/calendar", "/device/calendar?key=", "/device/calendar?key=wrong"])
      expect([path, await statusOf(path)]).toEqual([path, 401]);
    expect(await statusOf("/device/calendar", { "x-api-key": host.as("admin").key! })).toBe(401);
    expect(await statusOf(`/device/me?key=${key}`, { "x-auth-user": "ann" })).toBe(401);
    await admin.delete(`/api/users/${ann}`);
    expect(await statusOf(`/device/calendar?key=${key}`)).toBe(401);
  });

  it("stays out of the log", async () => {
    await using server = await openDevices();
    const { host, add, ask: call, devices } = server;
    devices.owners.set("s3cret/+", await add("ann"));
    expect((await call(`/device/calendar?key=${encodeURIComponent("s3cret/+")}`)).status).toBe(200);
    expect((await call("/device/calendar?key=explode-s3cret")).status).toBe(500);
    expect(JSON.stringify((await host.use(KernelLogs).list({ limit: 1000 })).lines)).not.toMatch(/s3cret/);
  });
});

describe("the errors of a protocol", () => {
  it("have its own status, headers and body, from every part that raises them", async () => {
    await using server = await openDevices();
    const { add, ask: call, devices } = server;
    devices.owners.set("ann:k", await add("ann"));
    const headers = { ...keys("ann", "k"), "content-type": "application/json" };
    const put = (raw: string) => call("/device/progress", { method: "PUT", headers, raw });
    const answers = {
      wrong: await call("/device/me", { headers: keys("ann", "wrong") }),
      anonymous: await call("/device/me"),
      forbidden: await call("/device/admin", { headers }),
      malformed: await put("{"),
      invalid: await put('{"page":"one"}'),
      large: await put(JSON.stringify({ page: 1, more: "x".repeat(2000) })),
      method: await call("/device/me", { method: "DELETE", headers }),
      missing: await call("/device/fails/not-found"),
      conflict: await call("/device/fails/conflict"),
      bad: await call("/device/fails/bad-input"),
      broken: await call("/device/fails/broken"),
      busy: await call("/device/fails/busy"),
    };
    const told = Object.entries(answers).map(([name, { status, body, headers: got }]) => [
      name,
      status,
      body.wrong,
      got["x-device-error"],
    ]);
    expect(told).toEqual(
      [
        ["wrong", 401, "kernel/bad-credentials"],
        ["anonymous", 401, "kernel/not-signed-in"],
        ["forbidden", 403, "kernel/forbidden"],
        ["malformed", 400, "kernel/body-malformed"],
        ["invalid", 400, "kernel/invalid-input"],
        ["large", 413, "kernel/body-too-large"],
        ["method", 405, "kernel/wrong-method"],
        ["missing", 404, "device/nothing"],
        ["conflict", 402, "device/taken"],
        ["bad", 400, "device/bad"],
        ["broken", 500, "kernel/internal"],
        ["busy", 503, "device/busy"],
      ].map(([name, status, code]) => [name, status, code, code]),
    );
    expect(answers.busy.headers["retry-after"]).toBe("7");
    expect(answers.method.headers["allow"]).toBe("GET, HEAD");
    expect(answers.broken.text).not.toContain("inner workings");
    expect(await put('{"page":3}')).toMatchObject({ status: 202, body: { page: 3 } });
    expect((await call("/device/progress", { method: "POST", headers })).status).toBe(200);
  });

  it("are the server's own where the protocol fails to say them", async () => {
    const plugin = definePlugin({
      activate: (_, context) =>
        context.routes([
          defineRoute({
            method: "GET",
            path: "/api/broken-errors",
            summary: "Fails",
            handle() {
              throw new NotFound("broken/gone", "It is gone.");
            },
            onError: () => ({ protocolStatus: 42 }),
          }),
        ]),
    });
    await using host = await startKernelTestHost({ plugins: [{ manifest: manifest("broken"), plugin }] });
    expect(await host.as("viewer").get("/api/broken-errors")).toMatchObject({
      status: 404,
      body: { code: "broken/gone" },
    });
    expect((await host.as("admin").get("/api/plugins/broken")).body.faults).toBe(1);
  });
});

describe("base paths", () => {
  const claiming = (id: string, basePaths: string[], paths: string[] = [], more: Partial<ManifestInput> = {}) => ({
    manifest: manifest(id, { basePaths, ...more }),
    plugin: definePlugin({
      activate: (_, context) =>
        context.routes(
          paths.map((path) =>
            defineRoute({ method: "GET", path: path as `/${string}`, access: "public", summary: id, handle: () => id }),
          ),
        ),
    }),
  });
  const start = (...plugins: Array<ReturnType<typeof claiming>>): Promise<KernelTestHost> =>
    startKernelTestHost({ plugins });

  it("hold routes of their plugin, also those that take all that is left", async () => {
    await using server = await openDevices();
    const { add, ask: call, devices } = server;
    devices.owners.set("t", await add("ann"));
    const rest = async (path: string) => (await call(`/token/t/${path}`)).body?.rest;
    expect(await rest("v1/library/sync")).toBe("v1/library/sync");
    expect(await rest("v1/a%20b/")).toBe("v1/a b/");
    expect(await rest("one")).toBe("one");
    expect((await call("/token/t/me")).body).toBe("ann");
    for (const path of ["/token/t/a/../b", "/token/t/.."])
      expect([path, (await call(path)).status]).toEqual([path, 404]);
    for (const path of ["/token/t/a%2Fb/c", "/token/t/a/%2e%2e/b", "/token/t/a/%zz"])
      expect([path, (await call(path)).status]).toEqual([path, 400]);
  });

  it("are needed for a route outside of /api, which lies inside one of the plugin's own", async () => {
    for (const path of ["/elsewhere", "/own", "/ownish/a", "/own2/a", "/{any}/a", "/{rest...}", "/api/own/{rest...}"]) {
      const basePaths = path === "/own" ? ["/owned"] : ["/own"];
      await expect(start(claiming("own", basePaths, [path]))).rejects.toThrow(/kernel|neither under|base path/);
    }
    await using host = await start(claiming("own", ["/own", "/two/{key}"], ["/own", "/own/a/b", "/two/{other}/x"]));
    const statuses = await Promise.all(
      ["/own", "/own/a/b", "/two/1/x"].map(async (path) => (await host.as("anonymous").get(path)).status),
    );
    expect(statuses).toEqual([200, 200, 200]);
  });

  it("belong to one plugin, with no other's inside; the second is refused with both names", async () => {
    for (const [first, second] of [
      ["/sync", "/sync"],
      ["/sync", "/sync/deep"],
      ["/sync/deep", "/sync"],
      ["/kobo/{token}", "/kobo/{key}"],
      ["/kobo/{token}", "/kobo/health"],
      ["/kobo", "/kobo/{token}/v1"],
    ] as const) {
      const failure = await start(claiming("first", [first]), claiming("second", [second])).then(
        async (host) => void (await host[Symbol.asyncDispose]()),
        (error: Error) => error.message,
      );
      expect([first, second, failure]).toEqual([first, second, expect.stringMatching(/"second".*"first"/)]);
    }
    await using host = await start(claiming("first", ["/sync/a", "/kobo"]), claiming("second", ["/sync/b", "/kobold"]));
    expect(host.kernel.host.rows().map(({ state }) => state)).toEqual(["active", "active"]);
  });

  it("cover nothing of the server, and no page of the web interface", async () => {
    for (const path of [
      "/api",
      "/api/x",
      "/healthz",
      "/plugins/x",
      "/assets",
      "/API",
      "/",
      "/{any}",
      "/index.html",
      "/a/../b",
      "x",
    ])
      await expect(start(claiming("own", [path]))).rejects.toThrow();
    const client = { js: "client/a.js", pages: [{ path: "/shelves/:id", element: "shelves-page", title: "Shelves" }] };
    const pages = claiming("pages", [], [], { client });
    await expect(start(pages, claiming("own", ["/shelves"]))).rejects.toThrow(/"own".*"pages"/);
    await expect(start(claiming("own", ["/shelves"]), pages)).rejects.toThrow(/"own".*"pages"/);
  });

  it("answer 'not there' while their plugin is off and 'not now' while it should run, never with a page", async () => {
    const broken = {
      manifest: manifest("waiting", { basePaths: ["/waiting"], requires: { nothing: "^1.0.0" } }),
      plugin: definePlugin({ activate() {} }),
    };
    await using host = await startKernelTestHost({
      plugins: ["web", claiming("sync", ["/sync"], ["/sync/a"]), broken],
    });
    const get = (path: string) => host.as("anonymous").get(path, { accept: "text/html" });
    expect((await get("/sync/a")).body).toBe("sync");
    expect(await get("/sync/b")).toMatchObject({ status: 404, body: { code: "kernel/no-such-path" } });
    const waiting = await get("/waiting/a");
    expect(waiting).toMatchObject({
      status: 503,
      body: { code: "kernel/plugin-not-running", details: { plugin: "waiting" } },
    });
    expect(waiting.headers.get("retry-after")).toBe("30");
    await host.disable("sync");
    expect(await get("/sync/a")).toMatchObject({ status: 404, body: { code: "kernel/no-such-path" } });
    await host.enable("sync");
    expect((await get("/sync/a")).status).toBe(200);
    expect((await get("/library")).headers.get("content-type")).toMatch(/text\/html/);
    expect((await get("/")).status).toBe(200);
  });

  it("and their credentials stand in the API document", async () => {
    await using server = await openDevices();
    const { paths, components } = (await server.host.as("viewer").get("/api/openapi.json")).body;
    expect(paths["/device/me"].get.security).toEqual([{ "scheme-device": [] }]);
    expect(components.securitySchemes["scheme-device"]).toEqual({ type: "apiKey", in: "header", name: "x-auth-key" });
    expect(components.securitySchemes["scheme-own-basic"]).toMatchObject({ type: "http", scheme: "basic" });
    expect(paths["/token/{token}/{rest}"].get).toMatchObject({ "x-takes-all-paths": true });
    expect(paths["/token/{token}/{rest}"].get.parameters.map(({ name }: { name: string }) => name)).toEqual([
      "token",
      "rest",
    ]);
  });
});
