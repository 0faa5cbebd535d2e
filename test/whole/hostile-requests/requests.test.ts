import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom, showcase, writeLibrary } from "@longbox/test/fixtures";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { firstAdmin, newViewer, type Person } from "../hostile/people.ts";
import { flawOf } from "../support/judging.ts";
import { operationsOf, RequestMaker } from "../support/requests.ts";
import { startServer, type WholeServer } from "../support/server.ts";
import { exchange, readAnswers } from "../support/wire.ts";
import { hostileScript, type HostileStep } from "./script.ts";

/**
 * `LONGBOX_LONG_TESTS=1 LONGBOX_SEED=7 npm test -- test/whole/hostile-requests` sends ten times as many, and other
 * ones.
 */
const isLong = process.env["LONGBOX_LONG_TESTS"] === "1";
const requests = isLong ? 10_000 : 1_000;
const seed = Number(process.env["LONGBOX_SEED"] ?? 20_261_122);
const atOnce = 4;
/** An answer that takes longer is none; a machine that does other things as well needs a while. */
const patienceMs = 60_000;
const keptMegabytes = 100;
/** Memory that is taken at first use, such as that of database threads, stays in use: it is not counted as growth. */
const firstRequests = requests / 10;
/** These take the script's own key away; after that every answer would be the same. */
const left = new Set(["POST /api/auth/apikey", "DELETE /api/auth/apikey", "POST /api/auth/logout"]);

let folder: string;
let server: WholeServer;
let admin: Person;
let attacker: Person;
let reader: Person;
let issueId: number;
let seriesId: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "longbox-requests-"));
  await writeLibrary(join(folder, "comics"), showcase.slice(0, 3));
  server = await startServer(join(folder, "data"));
  admin = await firstAdmin(server.url);
  attacker = await newViewer(server.url, admin, "mallory");
  reader = await newViewer(server.url, admin, "vera");
  // Nothing answers there: no test asks the servers of others.
  const nowhere = "http://127.0.0.1:9/";
  await admin.post("/api/settings", {
    metadata: { baseUrl: nowhere, apiKey: "no key" },
    lists: { catalogIndexUrl: nowhere, catalogFilesUrl: nowhere },
  });
  await admin.post("/api/libraries", { name: "Comics", type: "comic", rootFolder: join(folder, "comics") });
  seriesId = await scannedSeries();
  issueId = (await admin.json(`/api/collection/${seriesId}`)).issues[0].cvIssueId;
}, 180_000);

/** Waits until the library is in the collection. */
async function scannedSeries(): Promise<number> {
  for (;;) {
    const rows = (await admin.json("/api/collection")) as Array<{ id: number; owned: number }>;
    if (rows.length === 3 && rows.every(({ owned }) => owned > 0)) return rows[0]!.id;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const contents = () => [
  `/api/collection/${seriesId}/cover`,
  `/api/issue/${issueId}/cover`,
  `/api/reader/issue/${issueId}/page/0`,
  `/api/reader/issue/${issueId}/page/1`,
  `/api/opds/issue/${issueId}/page/0`,
  "/api/collection",
  "/api/opds",
  "/api/opds/v2",
  "/healthz",
];

async function send(step: HostileStep): Promise<string | undefined> {
  try {
    const heard = await exchange(server.url, step.bytes, { patienceMs, hangUp: step.request === undefined });
    const answers = readAnswers(heard);
    // What is no request may be cut off without a word.
    if (step.request !== undefined && answers.length === 0) return `${step.told}: closed without an answer`;
    const request = step.request ?? { method: "", target: "", headers: [] };
    const failed = answers.find(({ status }) => status >= 500 && status !== 502 && status !== 503);
    const flaw = failed ? `status ${failed.status} ${failed.body.toString()}` : flawOf(request, answers[0], [folder]);
    return flaw === undefined || (step.request === undefined && !failed) ? undefined : `${step.told}: ${flaw}`;
  } catch (failure) {
    return `${step.told}: ${String(failure)}`;
  }
}

const digest = async (answer: Response) =>
  createHash("sha256")
    .update(new Uint8Array(await answer.arrayBuffer()))
    .digest("hex");

/** The concurrent work of another user: reads, and keeps a list. @returns everything that was not right */
async function useAsUsual(): Promise<string[]> {
  const wrong: string[] = [];
  const page = await reader.get(`/api/reader/issue/${issueId}/page/0`);
  const [status, hash] = [page.status, await digest(page)];
  if (status !== 200 || hash !== usualPage) wrong.push(`the page: ${status} ${hash}`);
  for (const path of [`/api/issue/${issueId}/cover`, `/api/collection/${seriesId}`, "/api/opds"]) {
    const answer = await reader.get(path);
    await answer.arrayBuffer();
    if (answer.status !== 200) wrong.push(`${path}: ${answer.status}`);
  }
  const titles = ((await reader.json("/api/collection")) as Array<{ title: string }>).map(({ title }) => title).sort();
  if (JSON.stringify(titles) !== usualTitles) wrong.push(`the collection: ${titles.join()}`);
  const list = (await admin.post("/api/lists", { name: "Meanwhile" })) as { id: number };
  const kept = await admin.json(`/api/lists/${list.id}`);
  if (kept.name !== "Meanwhile") wrong.push(`the list: ${JSON.stringify(kept)}`);
  const gone = await fetch(`${server.url}/api/lists/${list.id}`, {
    method: "DELETE",
    headers: { "x-api-key": admin.key },
  });
  if (!gone.ok) wrong.push(`the list stays: ${gone.status}`);
  return wrong;
}

/** Every plugin that does not run, with the reason. */
async function idlePlugins(): Promise<string[]> {
  const rows = (await admin.json("/api/plugins")) as Array<{ name: string; state: string; reason?: string }>;
  return rows.filter(({ state }) => state !== "active").map(({ name, state, reason }) => `${name} ${state} ${reason}`);
}

let usualPage: string;
let usualTitles: string;

describe("a viewer with a script of hostile requests", () => {
  it(
    "gets no failure, switches nothing off, and degrades no other user",
    { timeout: isLong ? 3_600_000 : 600_000 },
    async () => {
      usualPage = await digest(await reader.get(`/api/reader/issue/${issueId}/page/0`));
      const rows = (await reader.json("/api/collection")) as Array<{ title: string }>;
      usualTitles = JSON.stringify(rows.map(({ title }) => title).sort());
      expect(await useAsUsual()).toEqual([]);
      const random = seededRandom(seed);
      const document = await admin.json("/api/openapi.json");
      const known = { id: seriesId, seriesId, cvIssueId: issueId, issueId, n: 0, page: 1, name: "plausible-name" };
      const steps = hostileScript({
        random,
        maker: new RequestMaker(random, document, known),
        operations: operationsOf(document).filter(({ method, path }) => !left.has(`${method} ${path}`)),
        key: attacker.key,
        contents: contents(),
      });
      const flaws: string[] = [];
      const wrong: string[] = [];
      let sent = 0;
      let rounds = 0;
      const attack = async (most: number) => {
        while (sent < most) {
          sent += 1;
          const step = steps.next().value as HostileStep;
          const request = step.request;
          if (request && left.has(`${request.method} ${request.target.replace(/[?#].*$/, "")}`)) continue;
          const flaw = await send(step);
          if (flaw !== undefined) flaws.push(flaw);
        }
      };
      const attackTogether = (most: number) => Promise.all(Array.from({ length: atOnce }, () => attack(most)));
      await attackTogether(firstRequests);
      const { megabytes } = server.holds();
      const attacks = attackTogether(requests);
      let isOver = false;
      const over = attacks.finally(() => (isOver = true));
      while (!isOver) {
        wrong.push(...(await useAsUsual()));
        rounds += 1;
      }
      await over;
      expect({ flaws, wrong }).toEqual({ flaws: [], wrong: [] });
      expect(rounds).toBeGreaterThan(0);
      expect(await idlePlugins()).toEqual([]);
      expect(server.log()).not.toMatch(/event loop stood still|quarantined/i);
      expect((await attacker.json("/api/auth/me")).user.username).toBe("mallory");
      await expect
        .poll(() => server.holds().megabytes - megabytes, { timeout: 90_000, interval: 1000 })
        .toBeLessThan(keptMegabytes);
    },
  );
});
