import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { copyFile, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { startRegistry } from "@longbox/registry";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

const root = join(import.meta.dirname, "..", "..");
/** The ids of the default plugins, as their packages say. */
const defaults = readdirSync(join(root, "plugins"))
  .filter((id) => existsSync(join(root, "plugins", id, "package.json")))
  .filter((id) => JSON.parse(readFileSync(join(root, "plugins", id, "package.json"), "utf8")).longboxDefault === true);
let data: string;
beforeAll(async () => void (data = await mkdtemp(join(tmpdir(), "longbox-start-test-"))));
afterAll(() => rm(data, { recursive: true, force: true }));

interface Started extends AsyncDisposable {
  readonly url: string;
  readonly child: ChildProcess;
  /** Everything that was written to stdout so far. */
  readonly lines: string[];
}

// A group of its own, so that a process that was left behind can be seen.
async function start(command: [string, ...string[]], environment: Record<string, string> = {}): Promise<Started> {
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd: root,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, LONGBOX_DATA: data, LONGBOX_PORT: "0", npm_lifecycle_event: undefined, ...environment },
  });
  const said: string[] = [];
  createInterface({ input: child.stderr! }).on("line", (line) => said.push(line));
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout! }).on("line", (line) => lines.push(line));
  await Promise.race([
    once(reader, "line"),
    once(child, "exit").then(([code]) => Promise.reject(new Error(`It ended with ${code}:\n${said.join("\n")}`))),
  ]);
  return {
    url: (JSON.parse(lines.at(-1) ?? "") as { listening: string }).listening,
    child,
    lines,
    [Symbol.asyncDispose]: async () => {
      if (isGroupAlive(child)) process.kill(-(child.pid ?? 0), "SIGKILL");
    },
  };
}

const direct: [string, ...string[]] = ["node", "registry/bootstrap.mjs", "start"];
/** One large letter in a font that is not in the file. */
const onePagePdf = [
  "%PDF-1.4",
  "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj",
  "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj",
  "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 4 0 R/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj",
  "4 0 obj<</Length 33>>stream",
  "BT /F 100 Tf 14 14 Td (H) Tj ET  ",
  "endstream endobj",
  "trailer<</Root 1 0 R>>",
  "",
].join("\n");
/** Nothing listens there. */
const noRegistry = "http://127.0.0.1:9/";
const throughNpm: [string, ...string[]] = ["npm", "start", "--silent"];

function isGroupAlive(child: ChildProcess): boolean {
  return isAlive(-(child.pid ?? 0));
}

function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
}

interface RunningProcess {
  readonly state: string;
  readonly call: string;
  /** When it began: clock ticks since the machine did. */
  readonly beganTicks: number;
}

/** Of the clock by which Linux counts, whatever the machine. */
const ticksASecond = 100;

/** The processes of a start, in the order in which they began. */
async function processesOf(child: ChildProcess): Promise<RunningProcess[]> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const processes: RunningProcess[] = [];
  for (const id of ids.toSorted((a, b) => a - b)) {
    // A process may end while it is looked at. State, parent and group stand behind the name in brackets.
    const status = await readFile(`/proc/${id}/stat`, "utf8").catch(() => "");
    const call = await readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "");
    const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
    const [state = "", , group] = fields;
    const beganTicks = Number(fields[19]);
    if (Number(group) === child.pid) processes.push({ state, call: call.replaceAll("\0", " "), beganTicks });
  }
  return processes;
}

/** What the processes of a start were called with, in the order in which they began. */
async function callsOf(child: ChildProcess): Promise<string[]> {
  return (await processesOf(child)).flatMap(({ call }) => (call === "" ? [] : [call]));
}

/** When the process of the kernel began. */
async function beginningOfKernel(child: ChildProcess): Promise<Date> {
  const kernel = (await processesOf(child)).find(({ call }) => call.includes("kernel/dist/bin/longbox.js"))!;
  const booted = Number(/^btime (\d+)$/m.exec(await readFile("/proc/stat", "utf8"))![1]);
  return new Date((booted + kernel.beganTicks / ticksASecond) * 1_000);
}

/** When the last plugin was put into the store. */
async function lastInstallation(): Promise<Date> {
  const store = join(data, "plugins", "store");
  const kept = await Promise.all((await readdir(store)).map((name) => stat(join(store, name))));
  return new Date(Math.max(...kept.map(({ ctimeMs }) => ctimeMs)));
}

async function activePlugins(url: string): Promise<{ name: string; version: string }[]> {
  const rows = (await (await fetch(`${url}/api/plugins`)).json()) as { name: string; version: string; state: string }[];
  return rows.filter(({ state }) => state === "active").map(({ name, version }) => ({ name, version }));
}

async function registryOf(folder: string): Promise<string> {
  return (JSON.parse(await readFile(join(folder, "registry", "registry.json"), "utf8")) as { url: string }).url;
}

/** The ids of the processes in which Verdaccio runs for a data folder. */
async function verdaccioOf(folder: string): Promise<number[]> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  // A process may end while it is looked at.
  const calls = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "")));
  return ids
    .filter((_id, at) => calls[at]!.includes("verdaccio-process") && calls[at]!.includes(folder))
    .map((id) => Number(id));
}

async function catalog(url: string): Promise<string[]> {
  const entries = (await (await fetch(`${url}/api/plugins/catalog`)).json()) as { package: string }[];
  return entries.map((entry) => entry.package);
}

// A first start publishes and installs everything, which takes its time on a machine that does other things as well.
describe("starting", { timeout: 300_000 }, () => {
  it("publishes, installs the default plugins from the registry, serves them, and prints one line of JSON", async () => {
    await using started = await start(direct);
    expect((await fetch(`${started.url}/healthz`)).status).toBe(200);
    await vi.waitUntil(async () => (await activePlugins(started.url)).length >= defaults.length, {
      timeout: 60_000,
      interval: 100,
    });
    expect((await activePlugins(started.url)).map(({ name }) => name).toSorted()).toEqual(defaults.toSorted());
    const registry = await registryOf(data);
    const packument = (await (await fetch(`${registry}/@longbox%2freader`)).json()) as {
      versions: Record<string, { dist: { integrity: string } }>;
    };
    const installed = (await activePlugins(started.url)).find(({ name }) => name === "reader");
    expect(Object.keys(packument.versions)).toContain(installed?.version);
    const lock = await readFile(join(data, "plugins.lock.json"), "utf8");
    expect(lock).toContain(packument.versions[installed?.version ?? ""]?.dist.integrity);
    const page = await fetch(started.url, { headers: { accept: "text/html" } });
    expect([page.status, page.headers.get("content-type")]).toEqual([200, expect.stringMatching(/^text\/html/)]);
    expect(started.lines).toEqual([JSON.stringify({ listening: started.url })]);
    // A process that has ended and that was not waited for.
    expect((await processesOf(started.child)).filter(({ state }) => state === "Z")).toEqual([]);

    process.kill(started.child.pid ?? 0, "SIGTERM");
    const [code] = await once(started.child, "exit");
    expect(code).toBe(0);
    await vi.waitUntil(() => !isGroupAlive(started.child), { timeout: 60_000 });
  });

  it("serves from a process that has installed nothing", async () => {
    await rm(join(data, "plugins"), { recursive: true });
    for (const name of ["plugins.lock.json", "plugins.lock.json.bak"]) await rm(join(data, name), { force: true });
    await using started = await start(direct);
    // The machine's clock counts whole seconds since its start.
    expect((await beginningOfKernel(started.child)).getTime()).toBeGreaterThan(
      (await lastInstallation()).getTime() - 1_000,
    );
    expect(await activePlugins(started.url)).toHaveLength(defaults.length);
  });

  it("starts again without a network, and publishes nothing again; refuses to run twice; and outlives its registry", async () => {
    const before = await readFile(join(data, "registry", "published.json"), "utf8");
    await using started = await start(direct, { npm_config_registry: noRegistry });
    await vi.waitUntil(async () => (await activePlugins(started.url)).length >= defaults.length, {
      timeout: 60_000,
      interval: 50,
    });
    await vi.waitUntil(async () => (await catalog(started.url)).includes("@longbox/reader"), {
      timeout: 60_000,
      interval: 100,
    });
    expect(await readFile(join(data, "registry", "published.json"), "utf8")).toBe(before);
    await isLeftAlone(started.url);
    await getsAnotherRegistry(started.url);

    process.kill(started.child.pid ?? 0, "SIGINT");
    const [code] = await once(started.child, "exit");
    expect(code).toBe(0);
    await vi.waitUntil(() => !isGroupAlive(started.child), { timeout: 60_000 });
    expect(await verdaccioOf(data)).toEqual([]);
  });

  /** By another that is started on the same data folder. */
  async function isLeftAlone(server: string): Promise<void> {
    const first = await registryOf(data);
    await expect(start(direct)).rejects.toThrow(/ended with 1:[^]*Longbox is already running on this data folder/);
    expect(await registryOf(data)).toEqual(first);
    expect((await fetch(`${server}/healthz`)).status).toBe(200);
  }

  /** At the same place, once its own dies; it serves on meanwhile. */
  async function getsAnotherRegistry(server: string): Promise<void> {
    const url = await registryOf(data);
    expect((await fetch(`${url}/@longbox%2freader`)).status).toBe(200);
    const [first] = await verdaccioOf(data);
    process.kill(first!, "SIGKILL");
    expect((await fetch(`${server}/healthz`)).status).toBe(200);
    // A request on the way to it may fail; those after it do not.
    await vi.waitUntil(async () => (await fetch(`${url}/@longbox%2freader`).catch(() => undefined))?.status === 200, {
      timeout: 60_000,
    });
    expect(await verdaccioOf(data)).not.toContain(first);
    expect(await verdaccioOf(data)).toEqual([expect.any(Number)]);
  }

  it("reads RAR, 7z, LZMA and PDF with what its packages carry", async ({ skip }) => {
    const archives = join(root, "..", "shared", "corpus", "archives", "komga");
    if (!existsSync(archives)) skip("the corpus of archives is not here");
    await using stack = new AsyncDisposableStack();
    // Libraries cannot be in the data folder.
    const comics = await mkdtemp(join(tmpdir(), "longbox-start-comics-"));
    stack.defer(() => rm(comics, { recursive: true, force: true }));
    const copies = {
      "rar4.rar": "Old Rar 001.cbr",
      "rar5-solid.rar": "Solid Rar 001.cbr",
      "7zip.7z": "Seven 001.cb7",
      "zip-lzma.zip": "Lzma 001.cbz",
    };
    for (const [archive, name] of Object.entries(copies)) await copyFile(join(archives, archive), join(comics, name));
    await writeFile(join(comics, "Paper 001.pdf"), onePagePdf);

    await using started = await start(direct);
    const added = await fetch(`${started.url}/api/libraries`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "Comics", rootFolder: comics, type: "comic" }),
    });
    expect(added.ok).toBe(true);
    const series = async () =>
      (await (await fetch(`${started.url}/api/collection`)).json()) as {
        id: number;
        title: string;
        owned: number;
        corrupt: number;
      }[];
    await vi.waitUntil(async () => (await series()).length === 5, { timeout: 60_000, interval: 100 });
    expect((await series()).map(({ title, owned, corrupt }) => ({ title, owned, corrupt }))).toEqual(
      ["Lzma", "Old Rar", "Paper", "Seven", "Solid Rar"].map((title) => ({ title, owned: 1, corrupt: 0 })),
    );
    const paper = (await series()).find(({ title }) => title === "Paper")!;
    const { issues } = (await (await fetch(`${started.url}/api/collection/${paper.id}`)).json()) as {
      issues: { cvIssueId: number }[];
    };
    const page = await fetch(`${started.url}/api/reader/issue/${issues[0]!.cvIssueId}/page/0`);
    const { channels } = await sharp(Buffer.from(await page.arrayBuffer())).stats();
    // A fifth of the page is black, the rest is white.
    expect(channels.map(({ mean }) => mean)).toEqual([1, 2, 3].map(() => expect.closeTo(200, -2)));
    process.kill(started.child.pid ?? 0, "SIGTERM");
    await vi.waitUntil(() => !isGroupAlive(started.child), { timeout: 60_000 });
  });

  it("takes its plugins from another registry when it is told one, and starts none of its own", async () => {
    // What the first start published.
    await using registry = await startRegistry({ folder: join(data, "registry") });
    const own = join(data, "other");
    await using started = await start(direct, { LONGBOX_REGISTRY: registry.url, LONGBOX_DATA: own });
    await vi.waitUntil(async () => (await activePlugins(started.url)).length >= defaults.length, {
      timeout: 60_000,
      interval: 100,
    });
    await expect(stat(join(own, "registry"))).rejects.toThrow(/ENOENT/);
    process.kill(started.child.pid ?? 0, "SIGTERM");
    await vi.waitUntil(() => !isGroupAlive(started.child), { timeout: 60_000 });
  });

  it("is one program beside the server and npm, and leaves no process behind when npm is told to stop", async () => {
    await using started = await start(throughNpm);
    // What has published is gone: another program has taken its place. The server's threads of plugins and Verdaccio
    // come and go, and are not of these.
    const programs = (await callsOf(started.child)).filter((call) => !call.includes("verdaccio-process"));
    expect(programs).toEqual([
      expect.stringMatching(/^npm start/),
      expect.stringContaining("registry/dist/bin/keep.js"),
      expect.stringContaining("kernel/dist/bin/longbox.js"),
    ]);
    process.kill(started.child.pid ?? 0, "SIGTERM");
    await once(started.child, "exit");
    await vi.waitUntil(() => !isGroupAlive(started.child), { timeout: 60_000 });
  });

  it("leaves no process behind when it, or npm, is killed outright", async () => {
    for (const command of [direct, throughNpm]) {
      await using started = await start(command);
      process.kill(started.child.pid ?? 0, "SIGKILL");
      await vi.waitUntil(() => !isGroupAlive(started.child), { timeout: 60_000 });
    }
  });
});
