import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { SqliteStoring } from "../../dist/storage/index.js";
import { keepingLog, temporaryFolder } from "./storage-folder.js";

/** Two hundred instants take minutes; the usual run takes a sample. */
const instants = process.env["LONGBOX_LONG_TESTS"] ? 200 : 20;
const child = fileURLToPath(new URL("./writing-child.mjs", import.meta.url));

/** Lets the child work until it has acknowledged something and then some, kills it, and gives what it had acknowledged last. */
function writeUntilKilled(folder: string, work: string, afterMs: number): Promise<{ row: number; document: number }> {
  return new Promise((resolve, reject) => {
    const writer = spawn(process.execPath, [child, folder, work], { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let complaint = "";
    writer.stderr.on("data", (chunk) => (complaint += chunk));
    writer.stdout.on("data", (chunk) => {
      if (output === "") setTimeout(() => writer.kill("SIGKILL"), afterMs);
      output += chunk;
    });
    writer.on("close", () => {
      const said = (kind: string) => Math.max(0, ...[...output.matchAll(new RegExp(`^${kind} (\\d+)\\n`, "gm"))].map((match) => Number(match[1])));
      if (complaint) reject(new Error(complaint));
      else resolve({ row: said("row"), document: said("document") });
    });
  });
}

async function look(folder: string) {
  const storing = new SqliteStoring({ folder, log: keepingLog() });
  try {
    const storage = await storing.open("shelves");
    const { rows: checks } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(storage.database());
    const { rows } = await sql<{ last: number; count: number; halves: number }>`select coalesce(max(number), 0) as last, count(*) as count, sum(half = 1) as halves from written`.execute(storage.database());
    const document = await storage.document("last", z.object({ number: z.number().default(0) }));
    return { integrity: checks[0]?.integrity_check, ...rows[0], document: document.read().number };
  } finally {
    await storing.release();
  }
}

describe("a server that is killed", () => {
  it.each(["write", "adopt"])("keeps whatever it acknowledged, whole, while it was busy to %s", { timeout: 600_000 }, async (work) => {
    await using folder = await temporaryFolder();
    let kills = 0;
    let acknowledged = 0;
    for (let instant = 0; instant < instants; instant += 1) {
      const said = await writeUntilKilled(folder.path, work, Math.random() * 60);
      const kept = await look(folder.path);
      expect(kept).toMatchObject({ integrity: "ok", halves: 0, count: kept.last });
      expect(kept.last).toBeGreaterThanOrEqual(said.row);
      expect(kept.document).toBeGreaterThanOrEqual(said.document);
      if (work === "adopt") expect(kept.document).toBe(kept.last);
      acknowledged += said.row;
      kills += 1;
    }
    expect({ kills, wrote: acknowledged > 0 }).toEqual({ kills: instants, wrote: true });
  });
});
