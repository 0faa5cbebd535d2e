import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { openKoboDesk, titles, writeBooks } from "./support/kobo-desk.ts";
import { Kobo } from "./support/kobo.ts";

/** What a Kobo keeps when the server is gone. */
interface Kept {
  readonly path: string;
  readonly token: string;
  readonly books: readonly string[];
}

it("has what it should have after the server was killed while it synchronised", async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), "longbox-kobo-data-"));
  const root = await mkdtemp(join(tmpdir(), "longbox-kobo-books-"));
  try {
    await writeBooks(root);
    const kept = await syncUntilKilled({ dataFolder, root, count: 7 });
    await using desk = await openKoboDesk({ dataFolder, root, storage: "sqlite", fill: async () => {} });
    const kobo = new Kobo(desk.room.host.url + kept.path);
    kobo.syncToken = kept.token;
    for (const id of kept.books) kobo.books.set(id, { metadata: {}, state: {} });
    await desk.choose("viewer", "all");
    await kobo.sync();
    expect(kobo.books.size).toBe(titles.length);
    await desk.choose("viewer");
    await kobo.sync();
    expect([kobo.books.size, await kobo.sync()]).toEqual([0, []]);
  } finally {
    for (const folder of [dataFolder, root]) await rm(folder, { recursive: true, force: true });
  }
}, 60_000);

/** @returns what the Kobo kept at the kill, which comes while the next synchronisation is on its way */
async function syncUntilKilled({ dataFolder, root, count }: Record<"dataFolder" | "root", string> & { count: number }) {
  const child = spawn(process.execPath, [join(import.meta.dirname, "support/syncing-child.ts"), dataFolder, root], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  let lines = 0;
  let last: Kept | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    last = JSON.parse(line) as Kept;
    if (++lines >= count) child.kill("SIGKILL");
  }
  await ended;
  if (!last) throw new Error("Nothing was synchronised.");
  return last;
}
