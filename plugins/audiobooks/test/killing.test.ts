import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { openListeningRoom, writeFiles } from "./support/listening-room.js";
import { mp3File } from "./support/mp3-file.js";

/** How many pairs of a position and a bookmark are acknowledged in a run before it is killed. */
const kills = [1, 20, 60];

it("loses no position and no bookmark that was acknowledged when the server is killed", async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), "longbox-audiobooks-data-"));
  const root = await mkdtemp(join(tmpdir(), "longbox-audiobooks-books-"));
  try {
    await writeFiles(root, {
      "night.mp3": mp3File({ seconds: 3600, hasInfo: true, id3: { texts: { TALB: "Night Bell" } } }),
    });
    let acknowledged = 0;
    for (const count of kills) acknowledged = await listenUntilKilled([dataFolder, root], count);
    expect(acknowledged).toBeGreaterThanOrEqual(81);
    await using room = await openListeningRoom({}, { dataFolder, root });
    const { id } = (await room.books())["Night Bell"]!;
    const viewer = room.host.as("viewer");
    const { position } = (await viewer.get(`/api/audiobooks/issue/${id}/progress`)).body;
    expect([position >= acknowledged, position <= acknowledged + 1]).toEqual([true, true]);
    const notes = (await viewer.get(`/api/audiobooks/issue/${id}/bookmarks`)).body.map(
      ({ note }: { note: string }) => note,
    );
    expect(notes.slice(0, acknowledged)).toEqual(
      Array.from({ length: acknowledged }, (_, index) => `Number ${index + 1}`),
    );
    expect(new Set(notes).size).toBe(notes.length);
  } finally {
    await Promise.all([dataFolder, root].map((folder) => rm(folder, { recursive: true, force: true })));
  }
});

/** @returns the last number that was acknowledged */
async function listenUntilKilled(folders: readonly string[], count: number): Promise<number> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "support/listening-child.ts"), ...folders], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  let [last, seen] = [0, 0];
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line);
    seen += 1;
    if (seen >= count) child.kill("SIGKILL");
  }
  await ended;
  return last;
}
