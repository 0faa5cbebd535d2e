import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFile,
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeComic, writeLibrary } from "@longbox/test/fixtures";
import { needs } from "@longbox/test/needs";
import { expect, it } from "vitest";
import { startServer, type WholeServer } from "./support/server.ts";

const account = { username: "ada", password: "correct horse battery" };
const isRoot = process.getuid?.() === 0;
/**
 * No permission stops root. Without these two capabilities root is stopped like anyone else, and still owns the
 * checkout.
 */
const withoutOverriding = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"];
const canBeStopped = !isRoot || spawnSync(withoutOverriding[0]!, [...withoutOverriding.slice(1), "true"]).status === 0;
const stoppable = isRoot ? withoutOverriding : [];

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
  await copyFile(
    good,
    Buffer.concat([Buffer.from(`${odd}/Odd Places 002 `), Buffer.from([0xff, 0xfe]), Buffer.from(".cbz")]),
  );
  for (const name of ["Empty 001.cbz", "Empty 002.cbr", "Empty 003.pdf", "Empty 004.cb7", "Empty 005.cbt"])
    await writeFile(join(odd, name), "");
  await symlink(root, join(odd, "loop"));
  await symlink("itself.cbz", join(odd, "itself.cbz"));
  await symlink("/nonexistent/gone.cbz", join(odd, "gone.cbz"));
  execFileSync("mkfifo", [join(odd, "Pipe 001.cbz")]);
  if (isRoot) execFileSync("mknod", [join(odd, "Device 001.cbz"), "c", "1", "5"]);
  await writeFile(join(odd, "Sparse 001.cbz"), "PK");
  await truncate(join(odd, "Sparse 001.cbz"), 5 * 1024 ** 3);
}

async function api(server: WholeServer, path: string, key: string, body?: unknown): Promise<any> {
  const answer = await fetch(server.url + path, {
    headers: { "x-api-key": key, "content-type": "application/json" },
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

async function firstKey(server: WholeServer): Promise<string> {
  const answer = await fetch(`${server.url}/api/auth/register`, {
    method: "POST",
    body: JSON.stringify(account),
    headers: { "content-type": "application/json" },
  });
  const cookie = answer.headers.get("set-cookie")!.split(";")[0]!;
  return (
    await (
      await fetch(`${server.url}/api/auth/apikey`, { method: "POST", headers: { cookie, origin: server.url } })
    ).json()
  ).key;
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
    await using server = await startServer(data);
    const key = await firstKey(server);
    await using _growing = await growingFile(join(comics, "Odd Places (2020)", "Growing 001.cbz"));
    await api(server, "/api/libraries", key, { name: "Comics", type: "comic", rootFolder: comics });
    await until(
      () => api(server, "/api/collection", key),
      (found) => found.some((row: any) => row.owned === 3),
    );
    const { message } = await until(
      () => api(server, "/api/scan-folder", key),
      (state) => !state.running,
    );
    // Two links, and a name that is not UTF-8.
    expect(message).toMatch(/; 3 could not be read, the log names them$/);
    for (const name of ["itself.cbz", "gone.cbz"]) expect(server.log()).toContain(name);
    const rows = await api(server, "/api/collection", key);
    const counted = Object.fromEntries(rows.map((row: any) => [row.title, [row.owned, row.corrupt]]));
    expect(counted).toMatchObject({ "Moth Patrol": [3, 0], "Odd Places": [1, 0], Empty: [5, 5], Sparse: [1, 1] });
    expect(Object.keys(counted)).not.toContain("Pipe");
    expect(Object.keys(counted)).not.toContain("Device");
    const sparse = rows.find((row: any) => row.title === "Sparse");
    const [issue] = (await api(server, `/api/collection/${sparse.id}`, key)).issues;
    const page = await fetch(`${server.url}/api/reader/issue/${issue.cvIssueId}/page/0`, {
      headers: { "x-api-key": key },
      signal: AbortSignal.timeout(20_000),
    });
    expect(page.status).toBe(404);
    expect(await api(server, "/healthz", key)).toMatchObject({ ok: true });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it(
  "reads around a folder that it may not enter, and names it",
  needs(canBeStopped, "root cannot give up its privileges here (setpriv)"),
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "longbox-locked-"));
    const comics = join(folder, "comics");
    const locked = join(comics, "Locked (2021)");
    try {
      await writeLibrary(comics, [
        { title: "Moth Patrol", year: 2019, issues: ["1", "2", "3"], pages: 2 },
        { title: "Locked", year: 2021, issues: ["1"], pages: 2 },
      ]);
      await chmod(locked, 0);
      await using server = await startServer(join(folder, "data"), { through: stoppable });
      const key = await firstKey(server);
      await api(server, "/api/libraries", key, { name: "Comics", type: "comic", rootFolder: comics });
      const rows = await until(
        () => api(server, "/api/collection", key),
        (found) => found.some((row: any) => row.owned === 3),
      );
      const { message } = await until(
        () => api(server, "/api/scan-folder", key),
        (state) => !state.running,
      );
      expect(message).toMatch(/; 1 could not be read, the log names them$/);
      expect(server.log()).toContain("Locked (2021)");
      expect(rows.map((row: any) => row.title)).toEqual(["Moth Patrol"]);
    } finally {
      await chmod(locked, 0o755).catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    }
  },
);

it("starts with a data folder that was damaged while it was stopped, and loses nothing that can be had again", async () => {
  const folder = await mkdtemp(join(tmpdir(), "longbox-damaged-"));
  try {
    const data = join(folder, "data");
    await writeLibrary(join(folder, "comics"), [{ title: "Moth Patrol", year: 2019, issues: ["1", "2"], pages: 2 }]);
    let key: string;
    let before: any;
    let cover: Buffer;
    {
      await using server = await startServer(data);
      key = await firstKey(server);
      await api(server, "/api/settings", key, { server: { registration: true } });
      await api(server, "/api/libraries", key, { name: "Comics", type: "comic", rootFolder: join(folder, "comics") });
      before = await until(
        () => api(server, "/api/collection", key),
        (rows) => rows[0]?.owned === 2,
      );
      const first = await coverOf(server, before[0].id, key);
      expect(first.status).toBe(200);
      cover = first.bytes;
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
    const rows = await until(
      () => api(server, "/api/collection", key),
      (rows) => rows[0]?.owned === 2,
    );
    expect(rows.map((row: any) => [row.id, row.title, row.addedAt])).toEqual(
      before.map((row: any) => [row.id, row.title, row.addedAt]),
    );
    const after = await coverOf(server, rows[0].id, key);
    expect([after.status, after.bytes.equals(cover)]).toEqual([200, true]);
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

async function coverOf(server: WholeServer, seriesId: number, key: string): Promise<{ status: number; bytes: Buffer }> {
  const answer = await fetch(`${server.url}/api/collection/${seriesId}/cover?w=200`, { headers: { "x-api-key": key } });
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
}

/** As a power cut leaves them: half of each file, and something in a half-written one's place. */
async function spoilCaches(caches: string): Promise<void> {
  for (const entry of await readdir(caches, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    await truncate(path, Math.floor((await readFile(path)).length / 2));
    await appendFile(`${path}.half`, "garbage");
  }
}
