import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { openReadingDesk, page, viewerOf } from "./support/reading-desk.js";

/** How many reports are acknowledged before each kill; the next one is on its way. */
const kills = [1, 40, 150];

it("loses nothing that was acknowledged when the server is killed, and counts nothing twice", async () => {
  const folder = await mkdtemp(join(tmpdir(), "longbox-reading-kill-"));
  try {
    let acknowledged = 0;
    for (const count of kills) acknowledged = Math.max(acknowledged, await reportUntilKilled(folder, count));
    expect(acknowledged).toBeGreaterThanOrEqual(150);
    await using desk = await openReadingDesk({ dataFolder: folder, storage: "sqlite" });
    const { items } = await desk.reading.listContinue(viewerOf(7), { limit: 2000 });
    const pages = new Map(items.map(({ issue, state }) => [issue.number, state.position]));
    const expected = Array.from({ length: acknowledged }, (_, index) => page((index + 1) % 19));
    expect(expected.map((_, index) => pages.get(String(index + 1)))).toEqual(expected);

    // The history is written with the place, or neither is; reports that came again added nothing.
    const counted = new Map<number, number>();
    for (let after: string | undefined; ;) {
      const part = await desk.reading.history(viewerOf(7), { limit: 500, after });
      for (const { issueId, pages: read } of part.items) counted.set(issueId, (counted.get(issueId) ?? 0) + read);
      if (part.next === undefined) break;
      after = part.next;
    }
    expect(items.map(({ issue }) => [issue.number, counted.get(issue.id)])).toEqual(
      items.map(({ issue }) => [issue.number, (Number(issue.number) % 19) + 1]),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** @returns how many reports were acknowledged */
async function reportUntilKilled(folder: string, count: number): Promise<number> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "support/reporting-child.ts"), folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  let last = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line);
    if (last >= count) child.kill("SIGKILL");
  }
  await ended;
  return last;
}
