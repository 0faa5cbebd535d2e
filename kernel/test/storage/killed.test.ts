import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { Aim, chooseSeed } from "@longbox/test/killing";
import { runsLongTests } from "@longbox/test/needs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { SqliteStoring } from "../../dist/storage/index.js";
import { keepingLog, temporaryFolder } from "./storage-folder.js";

/** Two hundred instants take minutes; the usual run takes a sample. */
const instants = runsLongTests ? 200 : 20;
const seed = chooseSeed();
const child = fileURLToPath(new URL("./writing-child.mjs", import.meta.url));

interface Said {
  /** What the child had acknowledged last. */
  readonly row: number;
  readonly document: number;
  /** Whether it had begun something that it had not acknowledged yet. */
  readonly isMiddle: boolean;
  readonly rows: number;
}

/** Lets the child work until it has acknowledged something and then some, and kills it. @param aimMs - from then on */
function writeUntilKilled(folder: string, work: string, aimMs: number): Promise<Said> {
  return new Promise((resolve, reject) => {
    const writer = spawn(process.execPath, [child, folder, work], { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let complaint = "";
    let timer: NodeJS.Timeout | undefined;
    writer.stderr.on("data", (chunk) => (complaint += chunk));
    writer.stdout.on("data", (chunk) => {
      output += chunk;
      if (/^row /m.test(output)) timer ??= setTimeout(() => writer.kill("SIGKILL"), aimMs);
    });
    writer.on("close", () => {
      const numbers = (kind: string) =>
        [...output.matchAll(new RegExp(`^${kind} (\\d+)\\n`, "gm"))].map((match) => Number(match[1]));
      const said = (kind: string) => Math.max(0, ...numbers(kind));
      if (complaint) return reject(new Error(complaint));
      resolve({
        row: said("row"),
        document: said("document"),
        isMiddle: /begin\n$/.test(output),
        rows: numbers("row").length,
      });
    });
  });
}

/** How long the child takes for this many rows when it is left alone, in milliseconds. */
async function rowsTakeMs(folder: string, work: string, rows: number): Promise<number> {
  const writer = spawn(process.execPath, [child, folder, work], { stdio: ["ignore", "pipe", "inherit"] });
  const seenAtMs: number[] = [];
  for await (const line of createInterface({ input: writer.stdout })) {
    if (line.startsWith("row ")) seenAtMs.push(performance.now());
    if (seenAtMs.length > rows) break;
  }
  writer.kill("SIGKILL");
  if (writer.exitCode === null && writer.signalCode === null) await once(writer, "exit");
  return seenAtMs.at(-1)! - seenAtMs[0]!;
}

async function look(folder: string) {
  const storing = new SqliteStoring({ folder, log: keepingLog() });
  try {
    const storage = await storing.open("shelves");
    const { rows: checks } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(storage.database());
    const { rows } = await sql<{
      last: number;
      count: number;
      halves: number;
    }>`select coalesce(max(number), 0) as last, count(*) as count, sum(half = 1) as halves from written`.execute(
      storage.database(),
    );
    const document = await storage.document("last", z.object({ number: z.number().default(0) }));
    return { integrity: checks[0]?.integrity_check, ...rows[0], document: document.read().number };
  } finally {
    await storing.release();
  }
}

describe("a server that is killed", () => {
  it.each(["write", "adopt"])(
    "keeps whatever it acknowledged, whole, while it was busy to %s",
    { timeout: 600_000, meta: { seed } },
    async (work) => {
      await using folder = await temporaryFolder();
      const aim = new Aim(seed);
      aim.tookMs.set(work, await rowsTakeMs(folder.path, work, 20));
      let acknowledged = 0;
      let inMiddle = 0;
      for (let instant = 0; instant < instants; instant += 1) {
        const said = await writeUntilKilled(folder.path, work, aim.instantMs(work));
        const kept = await look(folder.path);
        expect(kept).toMatchObject({ integrity: "ok", halves: 0, count: kept.last });
        expect(kept.last).toBeGreaterThanOrEqual(said.row);
        expect(kept.document).toBeGreaterThanOrEqual(said.document);
        if (work === "adopt") expect(kept.document).toBe(kept.last);
        acknowledged += said.rows;
        if (said.isMiddle) inMiddle += 1;
      }
      expect(inMiddle).toBeGreaterThan(instants / 4);
      // Each child was killed only after its first acknowledgement.
      expect(acknowledged).toBeGreaterThanOrEqual(instants * 2);
    },
  );
});
