import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { definePlugin, defineRoute, indexParameter, reply } from "@longbox/sdk";
import { needsSqliteFiles } from "@longbox/test/needs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "./storage-folder.js";

const pageBytes = 300_000;
const diskBytes = "40m";

/** The same bytes for a page, whenever it is made. */
const pageOf = (page: number) => Buffer.alloc(pageBytes, createHash("sha256").update(String(page)).digest());

/** Makes pages and keeps them in a cache. */
const pages = definePlugin({
  async activate(_, context) {
    const cache = await context.storage.cache("pages", { maxBytes: 1e9 });
    context.routes([
      defineRoute({
        method: "GET",
        path: "/api/pages/{page}",
        access: "viewer",
        summary: "A page",
        params: z.object({ page: indexParameter }),
        handle: async ({ params: { page } }) =>
          reply.content({
            kind: "file",
            path: await cache.fetch(`page ${page}`, async () => pageOf(page)),
            contentType: "application/octet-stream",
          }),
      }),
    ]);
  },
});

/** Takes all room that is left, to the last byte that can be had. */
async function fill(folder: string, name: string): Promise<void> {
  await using file = await open(join(folder, name), "w");
  for (let size = 1_000_000; size >= 1; size = size > 1 ? Math.floor(size / 10) : 0)
    for (;;) {
      const written = await file.write(Buffer.alloc(size)).catch(() => undefined);
      if (written === undefined || written.bytesWritten < size) break;
    }
}

const password = "correct horse battery";

async function signIn(host: KernelTestHost, username: string, given = password) {
  const answer = await fetch(`${host.url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username, password: given }),
  });
  const cookie = answer.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
  return { status: answer.status, body: (await answer.json()) as any, cookie };
}

const ask = async (host: KernelTestHost, cookie: string, path: string, method = "GET") => {
  const answer = await fetch(host.url + path, { method, headers: { cookie, origin: host.url } });
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
};

async function expectPages(host: KernelTestHost, cookie: string, numbers: readonly number[]): Promise<void> {
  for (const page of numbers) {
    const answer = await ask(host, cookie, `/api/pages/${page}`);
    expect([page, answer.status, answer.bytes.equals(pageOf(page))]).toEqual([page, 200, true]);
  }
}

describe("a server whose disk, with the files of SQLite, is full", needsSqliteFiles, () => {
  it("goes on being read and signed in to, says which sessions will not last, and lets an admin make room", async (context) => {
    await using disk = await temporaryFolder();
    if (spawnSync("mount", ["-t", "tmpfs", "-o", `size=${diskBytes}`, "tmpfs", disk.path]).status !== 0)
      return context.skip("this process may not mount a file system");
    try {
      await using host = await startKernelTestHost({
        storage: "sqlite",
        dataFolder: join(disk.path, "data"),
        plugins: [{ manifest: { id: "pages", title: "Pages", description: "", sdk: "^1.0.0" }, plugin: pages }],
      });
      for (const [username, role] of [
        ["vera", "viewer"],
        ["ada", "admin"],
      ])
        expect((await host.as("admin").post("/api/users", { username, role, password })).status).toBe(201);
      const before = await signIn(host, "vera");
      expect(before.body).not.toHaveProperty("sessionUntilRestart");
      await expectPages(host, before.cookie, [1, 2, 3, 4, 5]);
      expect((await host.as("admin").post("/api/backup")).status).toBe(201);

      await fill(disk.path, "ballast");
      // Pages that were kept give way to those that are asked for; then there is nothing left to give way.
      await expectPages(host, before.cookie, [1, 11, 12, 13]);
      expect((await host.as("admin").post("/api/caches/clear")).status).toBe(200);
      await fill(disk.path, "more");
      await expectPages(host, before.cookie, [21, 22, 23, 21]);

      const vera = await signIn(host, "vera");
      expect(vera).toMatchObject({ status: 200, body: { sessionUntilRestart: true, user: { username: "vera" } } });
      await expectPages(host, vera.cookie, [31]);
      expect((await signIn(host, "vera", "wrong horse")).status).toBe(401);
      const ada = await signIn(host, "ada");
      expect(ada.body.sessionUntilRestart).toBe(true);
      const usage = JSON.parse((await ask(host, ada.cookie, "/api/disk-usage")).bytes.toString());
      expect(usage.map((entry: { name: string }) => entry.name)).toContain("backups");
      const [backup] = (await host.as("admin").get("/api/backups")).body;
      const removed = await ask(host, ada.cookie, `/api/backups/${backup.name}`, "DELETE");
      expect([removed.status, JSON.parse(removed.bytes.toString())]).toEqual([200, { freedBytes: backup.sizeBytes }]);
      expect((await ask(host, ada.cookie, "/api/backups/longbox-none.tar.gz", "DELETE")).status).toBe(404);
      expect((await ask(host, ada.cookie, "/api/auth/logout", "POST")).status).toBe(200);
      expect((await ask(host, ada.cookie, "/api/disk-usage")).status).toBe(401);

      for (const name of ["ballast", "more"]) await rm(join(disk.path, name));
      expect((await signIn(host, "vera")).body).not.toHaveProperty("sessionUntilRestart");
      await expectPages(host, vera.cookie, [1, 41]);
    } finally {
      spawnSync("umount", [disk.path]);
    }
  });
});
