// The image, as compose.yaml runs it. The long run builds the Dockerfile with buildah; otherwise its files are put
// together from those of this checkout. Either runs in namespaces of this machine, since there is no registry of
// containers to fetch from.
import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { lstat, mkdir, readdir, readFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { packDistribution } from "@longbox/registry";
import { needs, needsLongRun, runsLongTests } from "@longbox/test/needs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { assembleImage, buildImage, recipe, type Image } from "./support/container-image.js";
import { isHealthy, runImage, type ContainerOptions } from "./support/container-run.js";
import { temporaryFolder } from "./support/folders.js";

const root = join(import.meta.dirname, "..", "..");
const limitMs = 400_000;
const isRoot = process.getuid?.() === 0;

function hasBuildah(): boolean {
  try {
    return execFileSync("buildah", ["--version"]).length > 0;
  } catch {
    return false;
  }
}

const builds = runsLongTests && hasBuildah();
const building = runsLongTests ? needs(builds, "buildah is not installed") : needsLongRun;
const condition = needs(isRoot && process.platform === "linux", "only root may make the namespaces of a container");

describe("the image", { ...condition, timeout: limitMs }, () => {
  let folder: { path: string } & AsyncDisposable;
  let image: Image;
  let data: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
    image = await (builds ? buildImage : assembleImage)(folder.path, await packDistribution(root));
    data = join(folder.path, "data");
    await mkdir(data, { mode: 0o755 });
  }, limitMs);
  afterAll(() => folder[Symbol.asyncDispose]());

  it(
    "is built by buildah with the settings of the Dockerfile, and adds less than 130 MB to its base",
    building,
    async () => {
      expect(image.config).toMatchObject({
        User: "1000:1000",
        ExposedPorts: { "8787/tcp": {} },
        Volumes: { "/data": {} },
        StopSignal: "SIGTERM",
        Healthcheck: { Test: ["CMD", "node", "/opt/longbox/healthcheck.mjs"] },
      });
      const { stdout } = await promisify(execFile)("du", ["-sm", join(image.root, "opt")]);
      expect(Number.parseInt(stdout, 10)).toBeLessThan(130);
      expect((await lstat(join(image.root, "data"))).uid).toBe(1000);
    },
  );

  it("serves with all default plugins, without rights and with its files read-only, and ends when it is asked to", async () => {
    const environment = {
      PUID: "1234",
      PGID: "2345",
      LONGBOX_PORT: `${await freePort()}`,
      npm_config_registry: "http://127.0.0.1:9/",
    };
    await using container = runImage(image, { data, environment, ...(await composed()) });
    expect(await isHealthy(image, environment)).toBe(false);
    await vi.waitUntil(async () => (await activePlugins(environment.LONGBOX_PORT)) >= 20, {
      timeout: limitMs,
      interval: 200,
    });
    // Before that, it installs plugins and starts once more.
    await vi.waitUntil(() => container.said().includes('{"listening":'), { timeout: limitMs, interval: 200 });
    await vi.waitUntil(() => isHealthy(image, environment), { timeout: 60_000, interval: 200 });
    const ids = await container.processes();
    const rights = { Uid: "1234", Gid: "2345", Groups: "", CapPrm: "0000000000000000", NoNewPrivs: "1" };
    expect(await Promise.all(ids.map(rightsOf))).toEqual(ids.map(() => rights));
    expect(ids.length).toBeGreaterThan(1);
    expect(await ownersBelow(data)).toEqual(new Set(["1234:2345"]));
    await container.stop("SIGTERM");
    expect([await container.ended, container.said()]).toEqual([0, expect.stringContaining('{"listening":')]);
    expect(ids.filter((id) => existsSync(`/proc/${id}`))).toEqual([]);
  });

  it.each([
    { user: "0:0", environment: { PUID: "0" }, says: "PUID and PGID must be numbers from 1" },
    { user: "0:0", environment: { PUID: "me" }, says: "PUID and PGID must be numbers from 1" },
    { user: "1000:1000", environment: { PUID: "99" }, says: "has to start as root to run as PUID and PGID" },
    { user: "4321:4321", environment: {}, says: "4321:4321 cannot write to /data" },
  ])("says what is wrong with $environment of $user", async ({ says, ...options }) => {
    await using container = runImage(image, { data, ...options });
    expect([await container.ended, container.said()]).toEqual([2, expect.stringContaining(says)]);
  });
});

/** How compose.yaml starts it. */
async function composed(): Promise<Pick<ContainerOptions, "user" | "capabilities">> {
  const { longbox } = parse(await readFile(join(recipe, "compose.yaml"), "utf8")).services;
  return { user: longbox.user, capabilities: longbox.cap_add.map((name: string) => name.toLowerCase()) };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function activePlugins(port: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/plugins`).catch(() => undefined);
  const rows = answer?.ok ? ((await answer.json()) as { state: string }[]) : [];
  return rows.filter(({ state }) => state === "active").length;
}

/** What a process may do; its real account. */
async function rightsOf(id: number): Promise<Record<string, string>> {
  const status = await readFile(`/proc/${id}/status`, "utf8");
  const get = (name: string) => new RegExp(`^${name}:[ \\t]*(\\S*)`, "m").exec(status)?.[1] ?? "";
  return Object.fromEntries(["Uid", "Gid", "Groups", "CapPrm", "NoNewPrivs"].map((name) => [name, get(name)]));
}

async function ownersBelow(folder: string): Promise<Set<string>> {
  const owners = new Set<string>();
  for (const name of ["", ...(await readdir(folder, { recursive: true }))]) {
    const { uid, gid } = await lstat(join(folder, name)).catch(() => ({ uid: undefined, gid: undefined }));
    if (uid !== undefined) owners.add(`${uid}:${gid}`);
  }
  return owners;
}
