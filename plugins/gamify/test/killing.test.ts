import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { openQuestDesk } from "./support/quest-desk.js";

it("keeps what was acknowledged when the server is killed, and no swap is lost or given twice", async () => {
  const folder = await mkdtemp(join(tmpdir(), "longbox-gamify-kill-"));
  try {
    for (const count of [1, 3]) {
      const last = await chooseUntilKilled(folder, count);
      await using desk = await openQuestDesk({ dataFolder: folder, storage: "sqlite" });
      const me = await (await desk.join("viewer")).me();
      expect(me.quests).toHaveLength(new Set(me.quests.map(({ title }) => title)).size);
      // The next choice may have been stored before its answer was.
      expect([last.target, last.target + 1]).toContain(me.goal.target);
      expect([last.left, last.left - 1]).toContain(me.rerollsLeft);
      expect(me.goal.done).toBeGreaterThanOrEqual(count);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** @returns the last answer */
async function chooseUntilKilled(folder: string, count: number): Promise<{ target: number; left: number }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "support/choosing-child.ts"), folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (lines.length >= count) child.kill("SIGKILL");
  }
  await ended;
  return JSON.parse(lines.at(-1)!);
}
