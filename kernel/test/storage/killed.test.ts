import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { sql, type Kysely } from "kysely";
import { Aim, chooseSeed } from "@longbox/test/killing";
import { runsLongTests } from "@longbox/test/needs";
import { needsPostgres, startPostgres } from "@longbox/test/postgres";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openStoring } from "../../dist/storage/index.js";
import { keepingLog, temporaryFolder } from "./storage-folder.js";

/**
 * Two hundred instants take minutes; the usual run takes a sample, a smaller one where another server has to settle.
 */
const instants = runsLongTests ? { sqlite: 200, postgres: 50 } : { sqlite: 8, postgres: 4 };
const seed = chooseSeed();
const child = fileURLToPath(new URL("./writing-child.mjs", import.meta.url));

/** Where a child works: a data folder, and the address of the PostgreSQL that keeps its tables, if one does. */
interface Place {
  readonly folder: string;
  readonly postgres: string | undefined;
}

interface Said {
  /** What the child had acknowledged last. */
  readonly row: number;
  readonly document: number;
  /** Whether it had begun something that it had not acknowledged yet. */
  readonly isMiddle: boolean;
  readonly rows: number;
}

/** Lets the child work until it has acknowledged something and then some, and kills it. @param aimMs - from then on */
function writeUntilKilled(place: Place, work: string, aimMs: number): Promise<Said> {
  return new Promise((resolve, reject) => {
    const writer = spawn(process.execPath, parametersOf(place, work), { stdio: ["ignore", "pipe", "pipe"] });
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
async function rowsTakeMs(place: Place, work: string, rows: number): Promise<number> {
  const writer = spawn(process.execPath, parametersOf(place, work), { stdio: ["ignore", "pipe", "inherit"] });
  const seenAtMs: number[] = [];
  for await (const line of createInterface({ input: writer.stdout })) {
    if (line.startsWith("row ")) seenAtMs.push(performance.now());
    if (seenAtMs.length > rows) break;
  }
  writer.kill("SIGKILL");
  if (writer.exitCode === null && writer.signalCode === null) await once(writer, "exit");
  return seenAtMs.at(-1)! - seenAtMs[0]!;
}

function parametersOf({ folder, postgres }: Place, work: string): string[] {
  return [child, folder, work, ...(postgres === undefined ? [] : [postgres])];
}

async function look({ folder, postgres }: Place) {
  const log = keepingLog();
  const storing = await openStoring(postgres === undefined ? "sqlite" : { postgres }, { folder, log });
  try {
    const storage = await storing.open("shelves");
    const integrity = postgres === undefined ? await integrityOf(storage.database()) : "ok";
    const { rows } = await sql<{
      last: number;
      count: number;
      halves: number;
    }>`select coalesce(max(number), 0) as last, count(*) as count, count(*) filter (where half = 1) as halves from written`.execute(
      storage.database(),
    );
    const document = await storage.document("last", z.object({ number: z.number().default(0) }));
    const errors = log.lines.filter(({ level }) => level === "error");
    return { integrity, ...rows[0], document: document.read().number, errors };
  } finally {
    await storing.release();
  }
}

async function integrityOf(database: Kysely<unknown>): Promise<string | undefined> {
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(database);
  return rows[0]?.integrity_check;
}

/** Kills children at so many instants, and looks after each. */
async function killOften(place: Place, work: string, times: number): Promise<void> {
  const aim = new Aim(seed);
  aim.tookMs.set(work, await rowsTakeMs(place, work, 20));
  let acknowledged = 0;
  let inMiddle = 0;
  // A quarter of them has to come in the middle of something; where chance has it otherwise, it goes on.
  const mostInstants = times * 3;
  let instants = 0;
  for (; instants < times || (inMiddle <= times / 4 && instants < mostInstants); instants += 1) {
    const said = await writeUntilKilled(place, work, aim.instantMs(work));
    const kept = await look(place);
    expect(kept).toMatchObject({ integrity: "ok", halves: 0, count: kept.last, errors: [] });
    expect(kept.last).toBeGreaterThanOrEqual(said.row);
    expect(kept.document).toBeGreaterThanOrEqual(said.document);
    if (work === "adopt") expect(kept.document).toBe(kept.last);
    acknowledged += said.rows;
    if (said.isMiddle) inMiddle += 1;
  }
  expect(inMiddle).toBeGreaterThan(times / 4);
  // Each child was killed only after its first acknowledgement.
  expect(acknowledged).toBeGreaterThanOrEqual(instants);
}

describe("a server that is killed", () => {
  it.each(["write", "fill", "adopt"])(
    "keeps whatever it acknowledged, whole, while it was busy to %s",
    { timeout: 600_000, meta: { seed } },
    async (work) => {
      await using folder = await temporaryFolder();
      await killOften({ folder: folder.path, postgres: undefined }, work, instants.sqlite);
    },
  );

  it.each(["write", "adopt"])(
    "keeps in PostgreSQL whatever it acknowledged, whole, while it was busy to %s",
    { timeout: 600_000, ...needsPostgres, meta: { ...needsPostgres.meta, seed } },
    async (work) => {
      await using server = await startPostgres();
      await using folder = await temporaryFolder();
      await killOften({ folder: folder.path, postgres: server.url }, work, instants.postgres);
    },
  );
});
