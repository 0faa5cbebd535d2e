import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { Receiver } from "./support/receiver.js";
import { openTellingDesk, until } from "./support/telling-desk.js";

/** How many notifications are acknowledged in a run before it is killed. */
const kills = [1, 30, 90];

it("loses no notification that was acknowledged when the server is killed, and sends each of them", async () => {
  await using receiver = await Receiver.start();
  const folder = await mkdtemp(join(tmpdir(), "longbox-notifications-kill-"));
  try {
    let acknowledged = 0;
    for (const count of kills) acknowledged = await tellUntilKilled(folder, receiver.url, count);
    expect(acknowledged).toBeGreaterThanOrEqual(120);
    await using desk = await openTellingDesk({ dataFolder: folder, storage: "sqlite" });
    const titles: string[] = [];
    for (let offset = 0; offset < acknowledged + 50; offset += 200) {
      const { body } = await desk.host.as("admin").get(`/api/notifications?limit=200&offset=${offset}`);
      titles.push(...body.map(({ title }: { title: string }) => title));
    }
    const expected = Array.from({ length: acknowledged }, (_, index) => `Number ${index + 1}`);
    expect(titles).toEqual(expect.arrayContaining(expected));
    expect(new Set(titles).size).toBe(titles.length);
    const sent = () => new Set(receiver.received.map((_, index) => receiver.json(index).data.title));
    await until(() => expected.every((title) => sent().has(title)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** @returns the last number that was acknowledged */
async function tellUntilKilled(folder: string, url: string, count: number): Promise<number> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "support/telling-child.ts"), folder, url], {
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
