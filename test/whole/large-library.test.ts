import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { needsLongRun } from "@longbox/test/needs";
import { expect, it } from "vitest";
import { seedCollection } from "../bench/support/seeding/seed-collection.ts";
import { firstAdmin, personWithKey, type Person } from "./hostile/people.ts";
import { watching } from "./hostile/watching.ts";
import { startServer, type WholeServer } from "./support/server.ts";

const issues = 100_000;
/** How long the main thread may compute while another request waits. */
const turnMs = 250;
/** What never ends, or does not begin here. */
const passedOver = /events|stream/;

it(
  `keeps no request waiting in a library of ${issues} issues, however it is read, and while it is backed up`,
  { ...needsLongRun, timeout: 1_200_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "longbox-large-"));
    try {
      const data = join(folder, "data");
      const { key } = await furnish(data);
      await using server = await startServer(data);
      const admin = personWithKey(server.url, key);
      await untilIndexed(admin);
      const { paths } = await admin.json("/api/openapi.json");
      const readable = Object.keys(paths).filter((path) => paths[path].get && !passedOver.test(path));
      expect(readable.length).toBeGreaterThan(100);
      const slow: string[] = [];
      const reading = await longestTurnMs(server, async () => {
        for (const path of readable) {
          const begun = performance.now();
          await (await admin.get(path.replaceAll(/\{[^}]*\}/g, "1"))).arrayBuffer();
          if (performance.now() - begun > turnMs) slow.push(path);
        }
      });
      expect(reading, `reading; slow were ${slow.join(", ")}`).toBeLessThanOrEqual(turnMs);
      expect(await longestTurnMs(server, () => backUp(admin)), "a backup").toBeLessThanOrEqual(turnMs);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);

/** Makes a data folder with an admin and a large collection. */
async function furnish(data: string): Promise<Person> {
  const server = await startServer(data);
  const admin = await firstAdmin(server.url);
  await server.stop();
  const collection = join(data, "plugins/data/collection");
  const names = await readdir(collection, { recursive: true });
  seedCollection(
    join(
      collection,
      names.find((name) => name.endsWith("database.sqlite"))!,
    ),
    issues / 10,
    issues,
  );
  return admin;
}

/** The index of the search is made after the start. */
async function untilIndexed(admin: Person): Promise<void> {
  while ((await admin.json("/api/collection?limit=1&search=moth")).length === 0)
    await new Promise((resolve) => setTimeout(resolve, 500));
}

async function longestTurnMs(server: WholeServer, work: () => Promise<unknown>): Promise<number> {
  const { computedMs } = await watching(server, async () => void (await work()));
  return computedMs.at(-1) ?? 0;
}

async function backUp(admin: Person): Promise<void> {
  const { jobId } = await admin.post("/api/tools/backup", {});
  for (;;) {
    const { state } = await admin.json(`/api/jobs/${jobId}`);
    if (state !== "running" && state !== "queued") return expect(state).toBe("done");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
