import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demandedAccess } from "../../../test/spec/demanded-access.ts";
import { askPlainly, builtPlugins, startWholeServer, type Operation, type WholeServer } from "./whole-server.js";

/** Who holds what, by the tiers of the interface: an oracle that does not ask the server. */
const viewer = [
  ...["library.view", "reader.read", "requests.create", "ebooks.use", "audiobooks.use"],
  ...["opds.use", "kosync.use", "kobo.use", "komga-api.use"],
];
const trusted = [...viewer, "downloads.grab", "library.manage", "library.restricted", "lists.share", "requests.manage"];

let server: WholeServer;
let keys: Record<string, string>;

beforeAll(async () => {
  server = await startWholeServer();
  const { host } = server;
  await host.as("admin").post("/api/roles", { name: "guest", permissions: [] });
  keys = {};
  for (const role of ["guest", "viewer", "trusted", "admin"]) {
    const username = `walker-${role}`;
    await host.as("admin").post("/api/users", { username, password: "longbox123", role });
    const signedIn = await host.as("anonymous").post("/api/auth/login", { username, password: "longbox123" });
    const cookie = signedIn.headers.get("set-cookie")!.split(";")[0]!;
    keys[role] = (
      await host.as("anonymous").post("/api/auth/apikey", undefined, { cookie, origin: host.url })
    ).body.key;
  }
});

afterAll(() => server?.[Symbol.asyncDispose]());

/** A path that leads to the route but to nothing behind it. */
const concrete = (path: string) => path.replace(/\{[^}]*\}/g, "987654321");

/** Calls that would end what the others need. */
const disruptive = new Set([
  "POST /api/restart",
  "POST /api/auth/apikey",
  "DELETE /api/auth/apikey",
  "POST /api/auth/logout",
  "POST /api/auth/login",
]);

/** Not signed in; for a wrong secret in a path, which counts as an attempt to sign in, at some time too many. */
const refusals = [401, 429];

const name = ({ method, path }: Operation) => `${method} ${path}`;

async function verdict(
  operation: Operation,
  headers: Record<string, string>,
): Promise<"refused" | "forbidden" | "let in"> {
  const answer = await askPlainly(server.host.url, operation.method, concrete(operation.path), headers);
  if (refusals.includes(answer.status)) return "refused";
  const body = answer.text.startsWith("{") ? JSON.parse(answer.text) : {};
  return answer.status === 403 && body.code === "kernel/forbidden" ? "forbidden" : "let in";
}

/** Whether keys and sessions of the server count on the route, and not credentials of a scheme of its own. */
function takesKeys({ description }: Operation): boolean {
  return (description.security as object[]).some((way) => "key" in way);
}

function expected(operation: Operation, role: string): "refused" | "forbidden" | "let in" {
  if (operation.access === "public") return "let in";
  if (role === "anonymous" || !takesKeys(operation)) return "refused";
  if (operation.access === "authed" || role === "admin") return "let in";
  const held = role === "viewer" ? viewer : role === "trusted" ? trusted : [];
  return held.includes(operation.access) ? "let in" : "forbidden";
}

describe("criterion 24: every route of every plugin", () => {
  it.each(["guest", "viewer", "trusted", "admin"])("opens to the role %s exactly as declared", async (role) => {
    const wrong: string[] = [];
    for (const operation of server.operations.filter((operation) => !disruptive.has(name(operation)))) {
      const is = await verdict(operation, { "x-api-key": keys[role]! });
      if (is !== expected(operation, role)) wrong.push(`${name(operation)} (${operation.access}): ${is}`);
    }
    expect(wrong).toEqual([]);
  });

  it("opens to a session as it does to a key, and to HTTP Basic only where it is declared", async () => {
    const { host } = server;
    const credentials = { username: "walker-viewer", password: "longbox123" };
    const signedIn = await host.as("anonymous").post("/api/auth/login", credentials);
    const cookie = { cookie: signedIn.headers.get("set-cookie")!.split(";")[0]!, origin: host.url };
    const basic = { authorization: `Basic ${Buffer.from("walker-viewer:longbox123").toString("base64")}` };
    const wrong: string[] = [];
    for (const operation of server.operations.filter((operation) => !disruptive.has(name(operation)))) {
      const bySession = await verdict(operation, cookie);
      if (bySession !== expected(operation, "viewer")) wrong.push(`${name(operation)} by session: ${bySession}`);
      const declared = (operation.description.security as object[]).some((way) => "basic" in way);
      const byBasic = await verdict(operation, basic);
      if (byBasic !== expected(operation, declared ? "viewer" : "anonymous"))
        wrong.push(`${name(operation)} by Basic: ${byBasic}`);
    }
    expect(wrong).toEqual([]);
    expect(
      server.operations.filter(({ description }) => description.security.some((way: object) => "basic" in way)).length,
    ).toBeGreaterThan(0);
  });

  it("is closed to anonymous clients, to a wrong key beside any other credential, and to a key that was revoked", async () => {
    const { host } = server;
    const [revoked] = [keys["trusted"]!];
    await askPlainly(host.url, "DELETE", "/api/auth/apikey", { "x-api-key": revoked });
    const wrong: string[] = [];
    for (const operation of server.operations) {
      if (operation.access === "public") continue;
      for (const headers of [
        {},
        { "x-api-key": revoked },
        { authorization: `Bearer ${revoked}` },
        { "x-api-key": "lbx_no", authorization: `Bearer ${keys["admin"]}` },
        { cookie: "longbox_session=made-up" },
      ]) {
        if ((await verdict(operation, headers as Record<string, string>)) !== "refused")
          wrong.push(`${name(operation)} with ${JSON.stringify(headers)}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("is not reached by another spelling of its path", async () => {
    const wrong: string[] = [];
    for (const operation of server.operations.filter(
      (operation) => !disruptive.has(name(operation)) && operation.access !== "public",
    )) {
      const path = concrete(operation.path);
      const spellings = [
        path.toUpperCase(),
        `/${path}`,
        path.replace("/api/", "/api//"),
        `${path}/`,
        `${path}%2f`,
        path.replace("/api", "/%61pi"),
        path.replace("/api/", "/api/./"),
        path.replace("/api/", "/api/x/../"),
        `/healthz/..${path}`,
      ];
      for (const spelling of spellings) {
        const { status } = await askPlainly(server.host.url, operation.method, spelling, {
          "x-http-method-override": operation.method,
          "x-original-url": path,
          accept: "application/json",
        });
        // A path that takes the rest of an address is reached, and refuses an encoded slash in it.
        const isMalformed = status === 400 && spelling.endsWith("%2f");
        if (![...refusals, 404, 405].includes(status) && !isMalformed)
          wrong.push(`${operation.method} ${spelling}: ${status}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("asks no less under HEAD, or under another method in disguise", async () => {
    const wrong: string[] = [];
    for (const operation of server.operations.filter((operation) => operation.access !== "public")) {
      const path = concrete(operation.path);
      for (const method of operation.method === "GET" ? ["HEAD"] : ["HEAD", "OPTIONS", "TRACE"]) {
        const { status } = await askPlainly(server.host.url, method, `${path}?_method=${operation.method}`, {
          "x-http-method-override": operation.method,
        });
        if (![...refusals, 404, 405].includes(status)) wrong.push(`${method} ${path}: ${status}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("that ends in /test needs settings.manage", () => {
    const tests = server.operations.filter(({ path }) => path.endsWith("/test"));
    expect(tests.length).toBeGreaterThan(0);
    expect(tests.filter(({ access }) => access !== "settings.manage")).toEqual([]);
  });

  it("is there, with the access that the interface's description demands", () => {
    const served = new Map(server.operations.map((one) => [`${one.method} ${shapeOf(one.path)}`, one.access]));
    const here = new Set(["kernel", ...builtPlugins()]);
    const wrong: string[] = [];
    let compared = 0;
    for (const [owner, routes] of Object.entries(demandedAccess))
      for (const [access, paths] of Object.entries(routes))
        for (const path of paths) {
          const found = served.get(shapeOf(path));
          // What a plugin that is not written yet will own has no access to compare.
          if (found === undefined && !here.has(owner)) continue;
          compared += 1;
          if (found !== access) wrong.push(`${path}: ${found ?? "missing"} instead of ${access}`);
        }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(120);
  });
});

function shapeOf(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, "{}");
}
