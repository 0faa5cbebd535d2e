import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { seededRandom } from "@longbox/test/fixtures";
import { chooseSeed } from "@longbox/test/killing";
import { runsLongTests } from "@longbox/test/needs";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openDocument, SqliteStoring } from "../../../kernel/dist/storage/index.js";
import { countChanges, Replay } from "./replaying.ts";
import { readTrace, traceProgram } from "./tracing.ts";

const cuts = runsLongTests ? 200 : 12;
const rounds = runsLongTests ? 30 : 6;
const seed = chooseSeed();
const child = fileURLToPath(new URL("./working-child.mjs", import.meta.url));
const numbered = z.object({ number: z.number().default(0) });
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** The highest number of each kind that was acknowledged. */
function acknowledged(said: readonly string[]): Record<string, number> {
  const highest: Record<string, number> = { row: 0, document: 0, settings: 0, lock: 0 };
  for (const line of said) {
    const [kind = "", number] = line.split(" ");
    highest[kind] = Math.max(highest[kind] ?? 0, Number(number));
  }
  return highest;
}

/** What a server finds in the folder after the power came back. */
async function found(folder: string) {
  const storing = new SqliteStoring({ folder, log: silent });
  try {
    const storage = await storing.open("shelves");
    const database = storage.database();
    const { rows: tables } = await sql`select 1 from sqlite_master where name = 'written'`.execute(database);
    const { rows: checks } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(database);
    const rows =
      tables.length === 0
        ? []
        : (await sql<{ number: number; half: number }>`select * from written order by number`.execute(database)).rows;
    return {
      integrity: checks[0]?.integrity_check,
      isWhole: rows.every(({ number, half }, at) => number === at + 1 && half === 2),
      row: rows.length,
      document: (await storage.document("last", numbered)).read().number,
      settings: (await openDocument(join(folder, "settings.json"), numbered, silent)).read().number,
      lock: (await openDocument(join(folder, "plugins.lock.json"), numbered, silent)).read().number,
    };
  } finally {
    await storing.release();
  }
}

describe("a machine that loses its power", () => {
  it(
    "finds everything that was acknowledged, whole, whatever of the rest was lost",
    { timeout: 900_000, meta: { seed } },
    async (context) => {
      if (spawnSync("strace", ["-V"]).status !== 0) return context.skip("there is no strace to write calls down with");
      const folder = await mkdtemp(join(tmpdir(), "longbox-power-"));
      try {
        const [root, trace] = [join(folder, "data"), join(folder, "trace")];
        await mkdir(root);
        await traceProgram([process.execPath, child, root, String(rounds)], trace);
        const random = seededRandom(seed);
        const changes = await countChanges(trace, root);
        expect(changes).toBeGreaterThan(rounds * 20);
        const wanted = new Set(Array.from({ length: cuts }, () => random.between(1, changes)));
        const replay = new Replay(root);
        let at = 0;
        let lastAcknowledged = 0;
        for await (const step of readTrace(trace)) {
          if (!replay.take(step) || !wanted.has((at += 1))) continue;
          // In turn nothing that was not synced survives, all of it, or any part of it.
          const share = [0, 0.5, 1, 0.9][at % 4]!;
          const after = join(folder, `after-${at}`);
          await mkdir(after);
          await replay.disk.writeTo(after, () => random.next() < share);
          const promised = acknowledged(replay.said);
          const kept = await found(after);
          expect({ at, ...kept }).toMatchObject({ at, integrity: "ok", isWhole: true });
          for (const kind of ["row", "document", "settings", "lock"] as const)
            expect([at, kind, kept[kind]]).toEqual([at, kind, Math.max(kept[kind], promised[kind]!)]);
          lastAcknowledged = promised["row"]!;
          await rm(after, { recursive: true });
        }
        expect(lastAcknowledged).toBeGreaterThan(rounds);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  );
});
