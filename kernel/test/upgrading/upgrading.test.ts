// Upgrades of the server itself, from a real registry. The newer versions are this one under another number.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { publishFolder, startRegistry, type Registry } from "@longbox/registry";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { command, post, startServer } from "../backup/program.js";

const root = join(import.meta.dirname, "../../..");
const { version: own } = JSON.parse(await readFile(join(root, "kernel/package.json"), "utf8")) as { version: string };
const account = { username: "ada", password: "correct horse battery" };
/** Many programs are started, each of which has to be loaded, on a machine that may have much else to do. */
const limitMs = 400_000;
const waiting = { timeout: 60_000, interval: 20 };
let folder: string;
let registry: Registry;
let prepared: string;

beforeAll(async () => {
  // Dependencies of what is installed in a data folder here are those of this checkout.
  folder = await mkdtemp(join(root, "node_modules/.longbox-upgrading-"));
  registry = await startRegistry({ folder: join(folder, "registry") });
  process.env["npm_config_registry"] = registry.url;
  await publish("1.1.0");
  prepared = await prepare();
}, limitMs);
afterAll(async () => {
  delete process.env["npm_config_registry"];
  await registry?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Publishes this kernel as another version, and as the newest. */
async function publish(version: string): Promise<void> {
  const made = await mkdtemp(join(folder, "package-"));
  // Without the packed files, from which nothing of what is planted below would run.
  const dist = join(root, "kernel/dist");
  const filter = (path: string) => path !== join(dist, "packed");
  await cp(dist, join(made, "dist"), { recursive: true, filter });
  const {
    dependencies: _,
    devDependencies: __,
    ...rest
  } = JSON.parse(await readFile(join(root, "kernel/package.json"), "utf8")) as Record<string, unknown>;
  await writeFile(join(made, "package.json"), JSON.stringify({ ...rest, version }));
  // Once its kernel has the data, it ends or stands still when the test wants it to.
  const serving = join(made, "dist/serving.js");
  const planted = `
import { writeFileSync } from "node:fs";
if (process.env.PLANTED !== undefined) {
  writeFileSync(process.env.LONGBOX_DATA + "/settings.json", "what a broken version leaves");
  if (process.env.PLANTED === "ends") process.exit(3);
  await new Promise((resolve) => setTimeout(resolve, 600_000));
}
`;
  await writeFile(serving, planted + (await readFile(serving, "utf8")));
  await publishFolder(made, { url: registry.url, token: registry.token });
}

/** Signs in, and asks for something, or sends something. */
async function ask(url: string, path: string, body?: unknown): Promise<any> {
  const { headers } = await post(`${url}/api/auth/login`, account);
  const cookie = headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const sent = body !== undefined && { method: "POST", body: JSON.stringify(body) };
  const answer = await fetch(url + path, {
    headers: { cookie, origin: url, "content-type": "application/json" },
    ...sent,
  });
  expect(answer.status).toBe(200);
  return await answer.json();
}

/** The version of the server, as one sees who can sign in. */
const versionOf = async (url: string): Promise<string> => (await ask(url, "/api/openapi.json")).info.version;
const keptBackups = async (url: string): Promise<number> => (await ask(url, "/api/settings")).backup.keep;
const settingsOf = (data: string): Promise<string> => readFile(join(data, "settings.json"), "utf8").catch(() => "");
const stateOf = async (data: string): Promise<string | undefined> => {
  const text = await readFile(join(data, "versions/chosen.json"), "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as { state: string }).state;
};

/** Makes a data folder with an account, and installs the newer version. */
async function prepare(): Promise<string> {
  const data = await mkdtemp(join(folder, "data-"));
  await using server = await startServer(data);
  expect((await post(`${server.url}/api/auth/register`, account)).ok).toBe(true);
  expect(await command(data, "upgrade")).toMatchObject({
    code: 0,
    said: expect.stringContaining("1.1.0 is installed"),
  });
  expect(await versionOf(server.url)).toBe(own);
  return data;
}

/** A copy of that data folder. */
async function upgraded(): Promise<string> {
  const data = await mkdtemp(join(folder, "data-"));
  await cp(prepared, data, { recursive: true });
  return data;
}

it(
  "starts as the newer version with all data, and as the one before after a downgrade, with those of before",
  { timeout: limitMs },
  async () => {
    const data = await upgraded();
    {
      await using server = await startServer(data);
      expect(await versionOf(server.url)).toBe("1.1.0");
      await vi.waitUntil(async () => (await stateOf(data)) === "kept", waiting);
      expect(await command(data, "upgrade")).toMatchObject({ code: 0, said: expect.stringContaining("is not newer") });
      expect(await command(data, "downgrade")).toMatchObject({ code: 1, said: expect.stringContaining("in use") });
      await ask(server.url, "/api/settings", { backup: { keep: 3 } });
      expect(await keptBackups(server.url)).toBe(3);
    }
    expect(await command(data, "downgrade")).toMatchObject({ code: 0 });
    await using server = await startServer(data);
    expect(await versionOf(server.url)).toBe(own);
    expect(await keptBackups(server.url)).toBe(7);
  },
);

it(
  "goes back to the version before, with its data, when the newer one does not serve",
  { timeout: limitMs },
  async () => {
    const data = await upgraded();
    {
      await using server = await startServer(data, { PLANTED: "ends" });
      expect(await versionOf(server.url)).toBe(own);
      expect(await stateOf(data)).toBeUndefined();
    }
    expect(await readFile(join(data, "replaced/settings.json"), "utf8")).toBe("what a broken version leaves");
  },
);

it("goes on with a trial that was killed, and still has the backup to go back to", { timeout: limitMs }, async () => {
  const data = await upgraded();
  const environment = { ...process.env, LONGBOX_DATA: data, LONGBOX_PORT: "0", PLANTED: "stands still" };
  const server = spawn(process.execPath, [join(root, "kernel/dist/bin/longbox.js")], {
    env: environment,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const output = createInterface({ input: server.stderr });
  const ended = once(output, "close");
  await vi.waitUntil(async () => (await settingsOf(data)).startsWith("what"), waiting);
  server.kill("SIGKILL");
  // Those that it has started hold its standard error until they have ended as well.
  await ended;
  expect(await stateOf(data)).toBe("trying");
  await using again = await startServer(data, { PLANTED: "ends" });
  expect(await versionOf(again.url)).toBe(own);
});

it("changes nothing when npm finds no such version", { timeout: limitMs }, async () => {
  const data = await mkdtemp(join(folder, "data-"));
  const { code, said } = await command(data, "upgrade", "9.9.9");
  expect([code, said]).toEqual([1, expect.stringContaining("Nothing was changed")]);
  expect(await stateOf(data)).toBeUndefined();
});
