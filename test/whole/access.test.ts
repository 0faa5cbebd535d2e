import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { afterAll, beforeAll, expect, it } from "vitest";

const folder = path.join(import.meta.dirname, "../../plugins");
const plugins = readdirSync(folder).filter(
  (name) => "longbox" in JSON.parse(readFileSync(path.join(folder, name, "package.json"), "utf8")),
);
const tiers: Record<string, string> = { viewer: "library.view", trusted: "library.manage", admin: "plugins.manage" };
const roles = ["anonymous", "viewer", "trusted", "admin"] as const;

let host: KernelTestHost;
// Nothing of this asks another server: the community's lists are switched off.
beforeAll(
  async () => void (host = await startKernelTestHost({ plugins, settings: { lists: { catalogIndexUrl: "" } } })),
);
afterAll(() => host[Symbol.asyncDispose]());

interface DeclaredRoute {
  readonly method: string;
  readonly path: string;
  readonly access: string;
  /** The route knows callers by a scheme of its own. */
  readonly credentials?: unknown;
}

function declared(): DeclaredRoute[] {
  return [...host.kernel.host.fleet.members.values()].flatMap((member) => member.running?.registrations.routes ?? []);
}

/** By the catalog alone: whether a role may, and if not, which answer says so. */
function expected(role: (typeof roles)[number], route: DeclaredRoute): "allowed" | "not signed in" | "forbidden" {
  const isTest = route.path.endsWith("/test");
  if (route.access === "public" && !isTest) return "allowed";
  // Keys of the server do not count there.
  if (role === "anonymous" || route.credentials !== undefined) return "not signed in";
  const permission = isTest ? "settings.manage" : (tiers[route.access] ?? route.access);
  return permission === "signed-in" || host.kernel.access.catalog.keysUpTo(role).has(permission)
    ? "allowed"
    : "forbidden";
}

async function answer(role: (typeof roles)[number], route: DeclaredRoute): Promise<string> {
  const client = host.as(role);
  if (role !== "anonymous") await client.get("/healthz");
  const headers: Record<string, string> = client.key === undefined ? {} : { "x-api-key": client.key };
  const response = await fetch(host.url + route.path.replaceAll(/\{[^}]+\}/g, "1"), {
    method: route.method,
    headers,
    signal: AbortSignal.timeout(60_000),
    redirect: "manual",
  });
  await response.body?.cancel();
  if (response.status === 429) return "not signed in"; // After too many wrong secrets in paths.
  return response.status === 401 ? "not signed in" : response.status === 403 ? "forbidden" : "allowed";
}

it("is what every route of every plugin declares, for every role", { timeout: 300_000 }, async () => {
  expect(
    host.kernel.host
      .rows()
      .filter((row) => row.state !== "active")
      .map((row) => [row.name, row.state, row.reason]),
  ).toEqual([]);
  const wrong: unknown[] = [];
  let asked = 0;
  for (const route of declared()) {
    for (const role of roles) {
      const wanted = expected(role, route);
      // What changes something is only called by those who must be refused.
      if (wanted === "allowed" && route.method !== "GET") continue;
      asked += 1;
      const found = await answer(role, route);
      if (found !== wanted)
        wrong.push({ role, method: route.method, path: route.path, access: route.access, wanted, found });
    }
  }
  expect(asked).toBeGreaterThan(300);
  expect(wrong).toEqual([]);
});
