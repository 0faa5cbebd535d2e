import { execFileSync } from "node:child_process";
import { appendFile, chmod, chown, copyFile, mkdir, mkdtemp, open, readdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeComic, writeLibrary } from "@longbox/test/fixtures";
import { expect, it } from "vitest";
import { startServer, type WholeServer } from "./support/server.ts";

const account = { username: "ada", password: "correct horse battery" };
/** No permission stops root, so that tests run by root let the server be somebody else. */
const nobody = process.getuid?.() === 0 ? 65_534 : undefined;

async function until<T>(ask: () => Promise<T>, good: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (good(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** What people, copying programs and file systems leave in a folder, beside four comics that are in order. */
async function writeHostileLibrary(root: string): Promise<void> {
  await writeLibrary(root, [{ title: "Moth Patrol", year: 2019, issues: ["1", "2", "3"], pages: 2 }]);
  const good = join(root, "Moth Patrol (2019)", "Moth Patrol 001 (2019).cbz");
  const odd = join(root, "Odd Places (2020)");
  await mkdir(odd);
  await writeComic(join(odd, "Odd\nPlaces\t001 (2020).cbz"), { series: "Odd Places", number: "1", pages: 2 });
  await copyFile(good, Buffer.concat([Buffer.from(`${odd}/Odd Places 002 `), Buffer.from([0xff, 0xfe]), Buffer.from(".cbz")]));
  for (const name of ["Empty 001.cbz", "Empty 002.cbr", "Empty 003.pdf", "Empty 004.cb7", "Empty 005.cbt"]) await writeFile(join(odd, name), "");
  await symlink(root, join(odd, "loop"));
  await symlink("itself.cbz", join(odd, "itself.cbz"));
  await symlink("/nonexistent/gone.cbz", join(odd, "gone.cbz"));
  execFileSync("mkfifo", [join(odd, "Pipe 001.cbz")]);
  if (nobody !== undefined) execFileSync("mknod", [join(odd, "Device 001.cbz"), "c", "1", "5"]);
  await writeFile(join(odd, "Sparse 001.cbz"), "PK");
  await truncate(join(odd, "Sparse 001.cbz"), 5 * 1024 ** 3);
  await mkdir(join(root, "Locked (2021)"));
  await copyFile(good, join(root, "Locked (2021)", "Locked 001.cbz"));
  await chmod(join(root, "Locked (2021)"), 0);
}

async function api(server: WholeServer, path: string, key: string, body?: unknown): Promise<any> {
  const answer = await fetch(server.url + path, { headers: { "x-api-key": key, "content-type": "application/json" }, ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }), signal: AbortSignal.timeout(20_000) });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

async function firstKey(server: WholeServer): Promise<string> {
  const answer = await fetch(`${server.url}/api/auth/register`, { method: "POST", body: JSON.stringify(account), headers: { "content-type": "application/json" } });
  const cookie = answer.headers.get("set-cookie")!.split(";")[0]!;
  return (await (await fetch(`${server.url}/api/auth/apikey`, { method: "POST", headers: { cookie, origin: server.url } })).json()).key;
}

/** A file of the library that grows until it is told to stop. */
async function growingFile(path: string): Promise<AsyncDisposable> {
  const handle = await open(path, "w");
  const timer = setInterval(() => void handle.write(Buffer.alloc(4096, "PK")).catch(() => undefined), 5);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await handle.close();
    },
  };
}

it("reads what can be read of a library full of traps, says what it could not, and never stands still", async () => {
  const folder = await mkdtemp(join(tmpdir(), "longbox-traps-"));
  try {
    const comics = join(folder, "comics");
    const data = join(folder, "data");
    await mkdir(data);
    await writeHostileLibrary(comics);
    await chmod(folder, 0o755);
    if (nobody !== undefined) await chown(data, nobody, nobody);
    await using server = await startServer(data, undefined, nobody);
    const key = await firstKey(server);
    await using _growing = await growingFile(join(comics, "Odd Places (2020)", "Growing 001.cbz"));
    await api(server, "/api/libraries", key, { name: "Comics", type: "comic", rootFolder: comics });
    const rows = await until(() => api(server, "/api/collection", key), (found) => found.some((row: any) => row.owned === 3));
    const { message } = await until(() => api(server, "/api/scan-folder", key), (state) => !state.running);
    // Two links, a name that is not UTF-8, and for those whom permissions stop, the locked folder.
    expect(message).toMatch(/; [34] could not be read, the log names them$/);
    for (const name of ["itself.cbz", "gone.cbz", ...(nobody === undefined ? [] : ["Locked (2021)"])]) expect(server.log()).toContain(name);
    const counted = Object.fromEntries(rows.map((row: any) => [row.title, [row.owned, row.corrupt]]));
    expect(counted).toMatchObject({ "Moth Patrol": [3, 0], "Odd Places": [1, 0], Empty: [5, 5], Sparse: [1, 1] });
    expect(Object.keys(counted)).not.toContain("Pipe");
    expect(Object.keys(counted)).not.toContain("Device");
    const sparse = rows.find((row: any) => row.title === "Sparse");
    const [issue] = (await api(server, `/api/collection/${sparse.id}`, key)).issues;
    const page = await fetch(`${server.url}/api/reader/issue/${issue.cvIssueId}/page/0`, { headers: { "x-api-key": key }, signal: AbortSignal.timeout(20_000) });
    expect(page.status).toBe(404);
    expect(await api(server, "/healthz", key)).toEqual({ ok: true });
  } finally {
    await chmod(join(folder, "comics", "Locked (2021)"), 0o755).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  }
});

it("starts with a data folder that was damaged while it was stopped, and loses nothing that can be had again", async () => {
  const folder = await mkdtemp(join(tmpdir(), "longbox-damaged-"));
  try {
    const data = join(folder, "data");
    await writeLibrary(join(folder, "comics"), [{ title: "Moth Patrol", year: 2019, issues: ["1", "2"], pages: 2 }]);
    let key: string;
    let before: any;
    {
      await using server = await startServer(data);
      key = await firstKey(server);
      await api(server, "/api/settings", key, { server: { registration: true } });
      await api(server, "/api/libraries", key, { name: "Comics", type: "comic", rootFolder: join(folder, "comics") });
      before = await until(() => api(server, "/api/collection", key), (rows) => rows[0]?.owned === 2);
      await fetch(`${server.url}/api/collection/${before[0].id}/cover?w=200`, { headers: { "x-api-key": key } }).then((answer) => answer.arrayBuffer());
    }
    const settings = await readFile(join(data, "settings.json"), "utf8");
    await writeFile(join(data, "settings.json"), settings.slice(0, settings.length / 2));
    await writeFile(join(data, "plugins.lock.json"), "");
    await spoilCaches(join(data, "plugins/cache"));
    await writeFile(join(data, "somebody's notes.txt"), "do not touch");
    await mkdir(join(data, "plugins/data/nobody-knows"), { recursive: true });
    await writeFile(join(data, "plugins/data/nobody-knows/database.sqlite"), "garbage");
    await mkdir(join(data, "plugins/staging/half-unpacked"), { recursive: true });
    await mkdir(join(data, "plugins/store"), { recursive: true });
    await writeFile(join(data, "plugins/store/garbage"), "garbage");
    await symlink(data, join(data, "plugins/staging/loop"));

    await using server = await startServer(data);
    const rows = await until(() => api(server, "/api/collection", key), (rows) => rows[0]?.owned === 2);
    expect(rows.map((row: any) => [row.id, row.title, row.addedAt])).toEqual(before.map((row: any) => [row.id, row.title, row.addedAt]));
    const cover = await fetch(`${server.url}/api/collection/${rows[0].id}/cover?w=200`, { headers: { "x-api-key": key } });
    expect([cover.status, (await cover.arrayBuffer()).byteLength > 500]).toEqual([200, true]);
    for (const name of ["settings.json", "plugins.lock.json"]) {
      expect(server.log()).toContain(`${name}.unreadable-`);
      const aside = (await readdir(data)).filter((other) => other.startsWith(`${name}.unreadable-`));
      expect(aside).toHaveLength(1);
    }
    expect(await readFile(join(data, "somebody's notes.txt"), "utf8")).toBe("do not touch");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** As a power cut leaves them: half of each file, and something in a half-written one's place. */
async function spoilCaches(caches: string): Promise<void> {
  for (const entry of await readdir(caches, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    await truncate(path, Math.floor((await readFile(path)).length / 2));
    await appendFile(`${path}.half`, "garbage");
  }
}
