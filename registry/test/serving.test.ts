import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm, stat, writeFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { publishFolder, startRegistry } from "@longbox/registry";
import { expect, it, vi } from "vitest";
import { temporaryFolder, writeFiles } from "./support/folders.js";
import { startUpstream } from "./support/upstream.js";

const tiny = { "package.json": { name: "@longbox/tiny", version: "1.0.0" }, "index.js": "export const tiny = 1;\n" };

it("keeps what was published over a restart", async () => {
  await using folder = await temporaryFolder();
  const source = await writeFiles(join(folder.path, "tiny"), tiny);
  {
    await using registry = await startRegistry({ folder: join(folder.path, "data") });
    await publishFolder(source, registry);
  }
  await using registry = await startRegistry({ folder: join(folder.path, "data") });
  const answer = await fetch(`${registry.url}/@longbox%2ftiny`);
  const packument = (await answer.json()) as {
    "dist-tags": unknown;
    versions: Record<string, { dist: { tarball: string } }>;
  };
  expect(packument["dist-tags"]).toEqual({ latest: "1.0.0" });
  const tarball = await fetch(packument.versions["1.0.0"]?.dist.tarball ?? "");
  expect(tarball.status).toBe(200);
  expect((await tarball.arrayBuffer()).byteLength).toBeGreaterThan(100);
});

it("lets only the holder of the token publish", async () => {
  await using folder = await temporaryFolder();
  const source = await writeFiles(join(folder.path, "tiny"), tiny);
  await using registry = await startRegistry({ folder: join(folder.path, "data") });
  await expect(publishFolder(source, { url: registry.url, token: "made-up" })).rejects.toThrow(
    /does not take packages with this token \(401\)/,
  );
  const newcomer = await fetch(`${registry.url}/-/user/org.couchdb.user:mallory`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "mallory", password: "mallory-mallory" }),
  });
  expect(newcomer.ok).toBe(false);
  expect((await fetch(`${registry.url}/@longbox%2ftiny`)).status).toBe(404);
  for (const secret of ["secret", "token", "htpasswd"])
    expect((await stat(join(folder.path, "data", secret))).mode & 0o077).toBe(0);
});

it("never asks upstream for a package of ours, and keeps what it fetched of others", async () => {
  await using folder = await temporaryFolder();
  await using upstream = await startUpstream();
  const source = await writeFiles(join(folder.path, "tiny"), tiny);
  await using registry = await startRegistry({ folder: join(folder.path, "data"), upstream: upstream.url });
  await publishFolder(source, registry);
  const own = (await (await fetch(`${registry.url}/@longbox%2ftiny`)).json()) as { versions: object };
  expect(Object.keys(own.versions)).toEqual(["1.0.0"]);
  expect((await fetch(`${registry.url}/@longbox%2fghost`)).status).toBe(404);
  expect((await fetch(`${registry.url}/left-pad`)).status).toBe(200);
  expect(upstream.asked).toEqual(["left-pad"]);
  await upstream.close();
  expect((await fetch(`${registry.url}/left-pad`)).status).toBe(200);
});

it("answers on loopback only", async ({ skip }) => {
  const outer = Object.values(networkInterfaces())
    .flat()
    .find((address) => address?.family === "IPv4" && !address.internal);
  if (!outer) skip("this machine has no address but loopback");
  await using folder = await temporaryFolder();
  await using registry = await startRegistry({ folder: folder.path });
  expect((await fetch(`${registry.url}/-/ping`)).ok).toBe(true);
  await expect(fetch(registry.url.replace("127.0.0.1", outer?.address ?? ""))).rejects.toThrow();
});

it("runs Verdaccio only while there are connections, at the same address", async () => {
  await using folder = await temporaryFolder();
  await using registry = await startRegistry({ folder: folder.path, idleMs: 200 });
  const first = registry.processId!;
  await vi.waitUntil(() => registry.processId === undefined && !isAlive(first), { timeout: 30_000 });
  const answers = await Promise.all(
    Array.from({ length: 20 }, async () => (await fetch(`${registry.url}/-/ping`)).status),
  );
  expect(answers).toEqual(answers.map(() => 200));
  expect(registry.processId).not.toBe(first);
  await vi.waitUntil(() => registry.processId === undefined, { timeout: 30_000 });
});

it("starts nothing before the first connection when a token is kept", async () => {
  await using folder = await temporaryFolder();
  const options = { folder: join(folder.path, "data"), asleep: true };
  const token = await (async () => {
    await using first = await startRegistry(options);
    expect(first.processId).toBeTypeOf("number");
    return first.token;
  })();
  await using registry = await startRegistry(options);
  expect(registry.processId).toBeUndefined();
  const answer = await fetch(`${registry.url}/-/whoami`, { headers: { authorization: `Bearer ${token}` } });
  expect(await answer.json()).toEqual({ username: "longbox" });
  expect(registry.processId).toBeTypeOf("number");
});

it("starts Verdaccio again with the next connection after it was killed", async () => {
  await using folder = await temporaryFolder();
  const lines: string[] = [];
  await using registry = await startRegistry({ folder: folder.path, log: (line) => lines.push(line) });
  const first = registry.processId!;
  process.kill(first, "SIGKILL");
  // A request on the way to it may fail; those after it do not.
  await vi.waitUntil(() => registry.processId === undefined, { timeout: 30_000 });
  expect((await fetch(`${registry.url}/left-pad`)).status).toBe(404);
  expect(lines).toContain("Verdaccio ended (SIGKILL); the next request starts it again.");
});

it("closes connections, and says why, when Verdaccio cannot start", async () => {
  await using folder = await temporaryFolder();
  const options = { folder: folder.path, asleep: true };
  await (await startRegistry(options)).stop();
  const lines: string[] = [];
  await rm(join(folder.path, "storage"), { recursive: true });
  await writeFile(join(folder.path, "storage"), "no folder");
  await using registry = await startRegistry({ ...options, log: (line) => lines.push(line) });
  await expect(fetch(`${registry.url}/left-pad`)).rejects.toThrow("fetch failed");
  expect(lines.join("\n")).toMatch(/Verdaccio ended/);
});

it("ends when the process that started it is killed", async () => {
  await using folder = await temporaryFolder();
  const program = `import { startRegistry } from "@longbox/registry";
    const registry = await startRegistry({ folder: ${JSON.stringify(folder.path)} });
    console.log(registry.processId);`;
  const parent = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: import.meta.dirname,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(createInterface({ input: parent.stdout }), "line")) as [string];
  expect(isAlive(Number(line))).toBe(true);
  parent.kill("SIGKILL");
  await vi.waitUntil(() => !isAlive(Number(line)), { timeout: 30_000 });
});

function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
}
