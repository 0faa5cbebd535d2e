// The npm package `longbox`: what it holds, and that it runs without a checkout and without a network.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { machineRegistry, packDistribution, publishPackage, startRegistry } from "@longbox/registry";
import { needs, needsLongRun, runsLongTests } from "@longbox/test/needs";
import { extract } from "tar";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { temporaryFolder } from "./support/folders.js";
import { publishNewer } from "./support/newer-distribution.js";
import { isGroupAlive, startProgram, withoutNpm } from "./support/programs.js";
import { startUpstream } from "./support/upstream.js";

const root = join(import.meta.dirname, "..", "..");
const startTakesMs = 300_000;

interface Row {
  readonly name: string;
  readonly state: string;
  readonly version: string;
}

let parent: { path: string } & AsyncDisposable;
let distribution: Awaited<ReturnType<typeof packDistribution>>;
/** Where the package was installed. */
let installed: string;
const program = () => join(installed, "dist", "bin", "longbox.js");

// Below the checkout, the packages of others are found in its node_modules, as npm would have installed them.
beforeAll(async () => {
  await mkdir(join(root, "temp"), { recursive: true });
  parent = await temporaryFolder(join(root, "temp"));
  distribution = await packDistribution(root);
  installed = join(parent.path, "node_modules", "longbox");
  await mkdir(installed, { recursive: true });
  await pipeline(Readable.from([distribution.tarball]), extract({ cwd: installed, strip: 1 }));
  const versionsOfKernel = join(root, "kernel", "node_modules");
  for (const name of (await readdir(versionsOfKernel)).filter((name) => !name.startsWith(".")))
    await cp(join(versionsOfKernel, name), join(parent.path, "node_modules", name), { recursive: true });
}, startTakesMs);
afterAll(() => parent[Symbol.asyncDispose]());

const idsOf = async (which: (manifest: { longboxDefault?: boolean; private?: boolean }) => boolean) => {
  const ids: string[] = [];
  for (const id of await readdir(join(root, "plugins"))) {
    const text = await readFile(join(root, "plugins", id, "package.json"), "utf8").catch(() => undefined);
    if (text !== undefined && which(JSON.parse(text))) ids.push(id);
  }
  return ids.sort();
};

async function activePlugins(url: string): Promise<string[]> {
  const rows = (await (await fetch(`${url}/api/plugins`)).json()) as Row[];
  return rows.filter(({ state }) => state === "active").map(({ name }) => name);
}

/** Starts the program, waits until every default plugin is active, and ends it. @returns what its catalog holds */
async function serveOnce(command: [string, ...string[]], cwd: string, environment: Record<string, string>) {
  const expected = await idsOf(({ longboxDefault }) => longboxDefault === true);
  await using started = await startProgram(command, { cwd, environment });
  await vi.waitUntil(async () => (await activePlugins(started.url)).length >= expected.length, {
    timeout: startTakesMs,
    interval: 200,
  });
  expect((await activePlugins(started.url)).sort()).toEqual(expected);
  const page = await fetch(started.url, { headers: { accept: "text/html" } });
  expect([page.status, page.headers.get("content-type")]).toEqual([200, expect.stringMatching(/^text\/html/)]);
  const catalog = (await (await fetch(`${started.url}/api/plugins/catalog`)).json()) as { name: string }[];
  expect(started.lines).toEqual([JSON.stringify({ listening: started.url })]);
  started.child.kill("SIGTERM");
  await started.ended;
  await vi.waitUntil(() => !isGroupAlive(started.child), { timeout: 60_000 });
  return catalog.map(({ name }) => name).sort();
}

describe("the package longbox", () => {
  it("holds every plugin, the kernel and the SDK, and nothing that only development needs", async () => {
    const files = (await readdir(installed, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1));
    const plugins = files.filter((file) => file.startsWith("dist/plugins/") && file.endsWith(".tgz"));
    const names = plugins.map((file) => /^dist\/plugins\/(.+)-\d+\.\d+\.\d+.*\.tgz$/.exec(file)?.[1]);
    expect(names.sort()).toEqual(await idsOf((manifest) => manifest.private !== true));
    expect(files).toEqual(expect.arrayContaining(["README.md", "LICENSE", "THIRD-PARTY-NOTICES.md"]));
    const kept =
      /\.(js|json|md|node|wasm|yml|conf|css|service|tgz)$|\/Caddyfile$|^(dist\/node_modules\/@longbox\/\w+\/)?LICENSE$/;
    expect(files.filter((file) => !kept.test(file) || /(^|\/)tests?\//.test(file))).toEqual([]);
    expect(distribution.manifest).not.toHaveProperty("devDependencies");
    expect(distribution.manifest).not.toHaveProperty("private");
    const kernel = JSON.parse(await readFile(join(root, "kernel", "package.json"), "utf8")) as { dependencies: object };
    const { "@longbox/sdk": _, ...needed } = kernel.dependencies as Record<string, string>;
    expect(distribution.manifest["dependencies"]).toMatchObject(needed);
  });

  it("starts with the default plugins, without a network, and leaves nothing behind", async () => {
    const environment = { LONGBOX_DATA: join(parent.path, "data"), npm_config_registry: "http://127.0.0.1:9/" };
    expect(await serveOnce([process.execPath, program()], parent.path, environment)).toEqual(
      await idsOf((manifest) => manifest.private !== true),
    );
  }, 600_000);

  it("says in a sentence which Node it needs", async () => {
    const pretending = join(parent.path, "pretending.mjs");
    await writeFile(
      pretending,
      `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.1.0" } });\n`,
    );
    const said = await new Promise<string>((resolve) =>
      execFile(process.execPath, ["--import", pretending, program()], (error, out, err) =>
        resolve(`${error?.code}: ${out}${err}`),
      ),
    );
    expect(said).toMatch(/^1: This is Node 20\.1\.0, and Longbox needs Node 24 or newer[^\n]*\n$/);
  });
});

/** Signs the admin in, whose account is the first of the server. */
async function signedIn(url: string, how: "register" | "login") {
  const account = JSON.stringify({ username: "ada", password: "correct horse battery" });
  const json = { "content-type": "application/json" };
  const { headers } = await fetch(`${url}/api/auth/${how}`, { method: "POST", headers: json, body: account });
  const cookie = headers.getSetCookie().map((line) => line.split(";")[0]);
  return async (path: string, body?: unknown): Promise<any> => {
    const sent = body !== undefined && { method: "POST", body: JSON.stringify(body) };
    const answer = await fetch(url + path, { headers: { ...json, cookie: cookie.join("; "), origin: url }, ...sent });
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.json();
  };
}

/** Starts the installed program on the data of the tests before, and signs in. Disposing ends it in an orderly way. */
async function serve(environment: Record<string, string>, how: "register" | "login" = "login") {
  const command: [string, ...string[]] = [process.execPath, program()];
  const started = await startProgram(command, { cwd: parent.path, environment });
  const ask = await signedIn(started.url, how);
  const versionOf = async (id: string) =>
    ((await ask("/api/plugins")) as Row[]).find(({ name, state }) => name === id && state === "active")?.version;
  const lists = async () => ((await ask("/api/lists")) as Row[]).map(({ name }) => name).sort();
  return {
    ...{ ask, versionOf, lists },
    async [Symbol.asyncDispose]() {
      started.child.kill("SIGTERM");
      await started.ended;
      await started[Symbol.asyncDispose]();
    },
  };
}

/** Runs a command of the installed program. @returns what it said */
const command = async (environment: Record<string, string>, name: string) =>
  (await promisify(execFile)(process.execPath, [program(), name], { env: { ...withoutNpm(), ...environment } })).stderr;

describe("an installation of the package", () => {
  const limit = { ...needsLongRun, timeout: 600_000 };
  it("is upgraded with its plugins and all data, after a backup, and goes back to both", limit, async () => {
    const data = join(parent.path, "data");
    await using registry = await startRegistry({ folder: join(parent.path, "registry") });
    const release = { version: "1.9.0", plugin: "@longbox/lists", change: "Lists have lanterns." };
    await publishNewer(installed, { folder: parent.path, registry, release });
    const environment = { LONGBOX_DATA: data, npm_config_registry: registry.url };
    const { version: before } = JSON.parse(await readFile(join(root, "plugins/lists/package.json"), "utf8")) as Row;
    {
      await using server = await serve(environment, "register");
      await server.ask("/api/lists", { name: "Of before" });
      expect(await command(environment, "upgrade")).toContain("longbox 1.9.0 is installed. Restart the server");
      expect(await server.versionOf("lists")).toBe(before);
    }
    const backup = join(data, "versions", "before-longbox-1.9.0.tar.gz");
    expect(await readdir(join(data, "versions"))).not.toContain(basename(backup));
    {
      await using server = await serve(environment);
      expect((await server.ask("/api/openapi.json")).info.version).toBe("1.9.0");
      await vi.waitUntil(async () => (await server.versionOf("lists")) === "1.9.0", { timeout: 60_000 });
      const { changelog } = await server.ask("/api/plugins/lists/documents");
      expect(changelog).toContain(release.change);
      expect(await server.lists()).toEqual(["Of before"]);
      await server.ask("/api/lists", { name: "Of after" });
      expect((await stat(backup)).size).toBeGreaterThan(1_000);
    }
    expect(await command(environment, "downgrade")).toContain("The server starts as the version that is installed");
    await using server = await serve(environment);
    expect([await server.versionOf("lists"), await server.lists()]).toEqual([before, ["Of before"]]);
    expect((await server.ask("/api/openapi.json")).info.version).not.toBe("1.9.0");
    expect(await readdir(join(data, "replaced"))).toContain("plugins");
  });
});

describe("the registry of the package", () => {
  it("hands out what it carries, and asks the registry behind it for nothing of Longbox", async () => {
    const { CarriedRegistry } = await import("../longbox/dist/carried-registry.js");
    const { readCarried } = await import("../longbox/dist/carried-packages.js");
    await using upstream = await startUpstream();
    const folder = join(installed, "dist", "plugins");
    const behind = () => Promise.resolve(`${upstream.url}/`);
    const url = await CarriedRegistry.open({ folder, carried: await readCarried(folder), behind });
    const ask = async (path: string) => {
      const answer = await fetch(`${url}/${path}`);
      return { status: answer.status, body: (await answer.json()) as any };
    };
    expect((await ask("-/npm/v1/keys")).status).toBe(404);
    const { body } = await ask("@longbox%2freader");
    const { dist } = body.versions[body["dist-tags"].latest];
    const bytes = Buffer.from(await (await fetch(dist.tarball)).arrayBuffer());
    expect(`sha512-${createHash("sha512").update(bytes).digest("base64")}`).toBe(dist.integrity);
    expect((await ask("@longbox%2fsomething-new")).status).toBe(404);
    expect((await ask("@longbox/reader/-/..%2f..%2fpackage.json")).status).toBe(404);
    expect((await fetch(`${url}/lamps`, { method: "PUT", body: "{}" })).status).toBe(405);
    expect(upstream.asked).toEqual([]);
    const { body: lamps } = await ask("lamps");
    expect(lamps.versions["99.0.0"].dist.tarball).toBe(`${url}/lamps.tgz`);
    await ask("-/npm/v1/keys"); // From now on its keys count.
    expect(upstream.asked).toEqual(["lamps", "-/npm/v1/keys"]);
    await upstream.close();
    expect((await ask("lamps")).status).toBe(504);
    expect((await ask("-/v1/search?text=keywords:longbox-plugin")).body.objects.length).toBeGreaterThan(20);
  });
});

const upstream = await machineRegistry();
const reachable = await fetch(new URL("zod", `${upstream.replace(/\/$/, "")}/`), { method: "HEAD" }).then(
  (answer) => answer.ok,
  () => false, // Without a network there is nothing that npm could install from.
);

describe("an empty folder and a registry", () => {
  const condition = runsLongTests ? needs(reachable, "there is no registry to install from") : needsLongRun;
  it("is all that npx and npm need to start the server", { ...condition, timeout: 900_000 }, async () => {
    await using empty = await temporaryFolder();
    await using registry = await startRegistry({ folder: join(empty.path, "registry"), upstream });
    await publishPackage(distribution.manifest, distribution.tarball, { registry });
    const npmrc = join(empty.path, ".npmrc");
    await writeFile(npmrc, `registry=${registry.url}\naudit=false\nfund=false\ncache=${join(empty.path, ".npm")}\n`);
    const environment = { HOME: empty.path, npm_config_userconfig: npmrc, LONGBOX_DATA: join(empty.path, "data") };
    await serveOnce(["npx", "--yes", "longbox"], empty.path, environment);
    const prefix = join(empty.path, "global");
    await new Promise<void>((resolve, reject) =>
      execFile(
        "npm",
        ["install", "--global", "--prefix", prefix, "longbox"],
        { cwd: empty.path, env: { ...withoutNpm(), ...environment } },
        (error) => (error ? reject(error) : resolve()),
      ),
    );
    await registry.stop();
    await serveOnce([join(prefix, "bin", "longbox")], empty.path, {
      ...environment,
      LONGBOX_DATA: join(empty.path, "second"),
    });
  });
});
