import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { openBookRoom } from "./support/book-room.ts";
import { epub } from "./support/epub.ts";

/** How many highlights are acknowledged before each kill; the next one is on its way. */
const kills = [1, 25];

it("loses no highlight and no position that was acknowledged when the server is killed", async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), "longbox-books-kill-"));
  const root = await mkdtemp(join(tmpdir(), "longbox-books-kill-library-"));
  try {
    await writeFile(join(root, "salt.epub"), epub());
    const acknowledged = new Map<number, string>();
    for (const count of kills) await highlightUntilKilled({ dataFolder, root, count, acknowledged });
    expect(acknowledged.size).toBeGreaterThanOrEqual(26);
    await using room = await openBookRoom({ fill: async () => {}, dataFolder, root, storage: "sqlite" });
    const client = room.host.as("admin");
    const id = await room.idOf("salt.epub");
    const kept = (await client.get(`/api/ebooks/issue/${id}/bookmarks`)).body as Array<{ id: number; locator: string }>;
    const locators = new Map(kept.map((bookmark) => [bookmark.id, bookmark.locator]));
    expect([...acknowledged].filter(([bookmarkId, locator]) => locators.get(bookmarkId) !== locator)).toEqual([]);
    // Each kill may have kept one more, whose answer did not arrive.
    expect(kept.length).toBeLessThanOrEqual(acknowledged.size + kills.length);
    const { locator } = (await client.get(`/api/ebooks/issue/${id}/progress`)).body;
    const last = [...acknowledged.values()].at(-1)!;
    const next = kept.toSorted((one, other) => one.id - other.id).at(-1)!.locator;
    expect([last, next]).toContain(locator);
  } finally {
    for (const folder of [dataFolder, root]) await rm(folder, { recursive: true, force: true });
  }
}, 60_000);

/** Notes the acknowledged highlights: their places by their ids. */
async function highlightUntilKilled({
  dataFolder,
  root,
  count,
  acknowledged,
}: {
  readonly dataFolder: string;
  readonly root: string;
  readonly count: number;
  readonly acknowledged: Map<number, string>;
}): Promise<void> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, "support/highlighting-child.ts"), dataFolder, root],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const ended = once(child, "exit");
  let added = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const [id, locator] = line.split(" ");
    acknowledged.set(Number(id), locator!);
    if (++added >= count) child.kill("SIGKILL");
  }
  await ended;
}
