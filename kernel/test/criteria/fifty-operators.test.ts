// Criterion 23: fifty administrators contradict one another for a minute; nothing is lost, done twice or answered with
// a failure.
import { randomInt, randomUUID } from "node:crypto";
import type { KernelTestHost } from "@longbox/kernel/testing";
import type { TestUser } from "@longbox/sdk/testing";
import { runsLongTests } from "@longbox/test/needs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answering, Bench, install } from "../plugins/support.js";

const operators = 50;
const forMs = runsLongTests ? 60_000 : 8_000;
const ids = ["north", "south"] as const;
const versions = ["1.0.0", "1.1.0"] as const;

/** What an administrator sees of a plugin, as far as operations change it. */
interface Seen {
  readonly version: string;
  readonly enabled: boolean;
}

/** One answered operation of one operator. */
interface Done {
  readonly plugin: string;
  readonly status: number;
  readonly code: string | undefined;
  /** What the plugin was when the operator looked; undefined for operations without `If-Match`. */
  readonly expected: Seen | undefined;
}

interface TrailEntry {
  readonly at: string;
  readonly action: string;
  readonly plugin: string;
  readonly version?: string;
  readonly username: string;
}

const any = <T>(list: readonly T[]): T => list[randomInt(list.length)]!;

/** A random operation on a plugin: its path below `/api/plugins` and its body. */
function operationOn(plugin: string): readonly [path: string, body: object] {
  return any<readonly [string, object]>([
    ["install", { name: `@longbox-test/${plugin}`, version: any(versions), accept: true }],
    ["install", { name: `@longbox-test/${plugin}`, version: any(versions), accept: true }],
    [`${plugin}/enabled`, { enabled: true }],
    [`${plugin}/enabled`, { enabled: false }],
    [`${plugin}/rollback`, {}],
    ["uninstall", { name: plugin }],
  ]);
}

/** Operates until the time is over. Each request has a key, and some are sent twice. */
async function operate(user: TestUser, until: number): Promise<{ done: Done[]; settings: string[] }> {
  const [done, settings]: [Done[], string[]] = [[], []];
  while (performance.now() < until) {
    if (randomInt(8) === 0) {
      const publicUrl = `http://${user.username}-${settings.length}.example`;
      const answer = await user.post("/api/settings", { server: { publicUrl } });
      expect(answer).toMatchObject({ status: 200, body: { server: { publicUrl } } });
      settings.push(publicUrl);
      continue;
    }
    const plugin = any(ids);
    const row = randomInt(2) === 0 ? await user.get(`/api/plugins/${plugin}`) : undefined;
    const isThere = row?.status === 200;
    const [path, body] = operationOn(plugin);
    const headers = { "idempotency-key": randomUUID(), ...(isThere && { "if-match": row.headers.get("etag")! }) };
    const send = () => user.post(`/api/plugins/${path}`, body, headers);
    const answers = await Promise.all(randomInt(4) === 0 ? [send(), send()] : [send()]);
    const [{ status, body: told }] = answers as [(typeof answers)[number]];
    for (const again of answers) expect([again.status, again.body]).toEqual([status, told]);
    const expected = isThere ? { version: row.body.version, enabled: row.body.enabled } : undefined;
    done.push({ plugin, status, code: told.code, expected });
  }
  return { done, settings };
}

/** Keeps the whole trail, of which the server keeps the last thousand. */
class Trail {
  readonly entries: TrailEntry[] = [];

  async read(host: KernelTestHost): Promise<void> {
    const latest: TrailEntry[] = (await host.as("admin").get("/api/plugins/audit?limit=1000")).body.reverse();
    const last = JSON.stringify(this.entries.at(-1));
    const at = latest.findLastIndex((entry) => JSON.stringify(entry) === last);
    expect(at >= 0 || this.entries.length === 0, "the trail was read too late").toBe(true);
    this.entries.push(...latest.slice(at + 1));
  }
}

/** What a plugin is after an entry of the trail. */
function after(before: Seen | undefined, { action, version }: TrailEntry): Seen | undefined {
  if (action === "uninstall") return undefined;
  if (action === "install" || action === "rollback") return { version: version!, enabled: before?.enabled ?? true };
  return { version: before!.version, enabled: action === "enable" };
}

/**
 * Plays the trail back: each conditional operation must have met what its operator had seen.
 * @returns what is there now
 */
function playBack(trail: readonly TrailEntry[], done: ReadonlyMap<string, Done[]>): Map<string, Seen | undefined> {
  const state = new Map<string, Seen | undefined>();
  const waiting = new Map([...done].map(([user, list]) => [user, list.filter(({ status }) => status === 200)]));
  for (const entry of trail) {
    const operation = waiting.get(entry.username)?.shift();
    const before = state.get(entry.plugin);
    if (operation !== undefined) expect(operation.plugin).toBe(entry.plugin);
    if (operation?.expected !== undefined) expect({ entry, before }).toEqual({ entry, before: operation.expected });
    state.set(entry.plugin, after(before, entry));
  }
  expect([...waiting.values()].flat()).toEqual([]);
  return state;
}

describe("criterion 23: fifty operators", () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
    for (const id of ids)
      for (const version of versions) await bench.publish({ id, version, activate: answering(`/api/${id}`, version) });
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  it(
    `contradict one another for ${forMs / 1_000} seconds, with keys and conditions, and some serial order explains every answer`,
    { timeout: forMs + 240_000 },
    async () => {
      // None is refused for having waited too long, however slow the machine is.
      await using host = await bench.host({ kernel: { plugins: { turnMs: 200_000 } } });
      for (const id of ids) await install(host, `@longbox-test/${id}`, "1.0.0");
      const users: TestUser[] = [];
      for (let n = 0; n < operators; n += 1) users.push(await host.user(`operator-${n}`, "admin"));
      const trail = new Trail();
      let read = Promise.resolve();
      const reading = setInterval(() => (read = read.then(() => trail.read(host))), 3_000);
      const end = performance.now() + forMs;
      const results = await Promise.all(users.map((user) => operate(user, end)));
      clearInterval(reading);
      await read;
      await trail.read(host);

      const all = results.flatMap(({ done }) => done);
      const refused = all.filter(({ status }) => ![200, 404, 409, 412].includes(status));
      expect(refused).toEqual([]);
      const statuses = new Set(all.map(({ status }) => status));
      expect([...statuses].sort()).toEqual([200, 404, 409, 412]);
      const done = new Map(users.map(({ username }, n) => [username, results[n]!.done]));
      const state = playBack(trail.entries, done);
      for (const id of ids) {
        const { status, body } = await host.as("admin").get(`/api/plugins/${id}`);
        expect(status === 200 ? { version: body.version, enabled: body.enabled } : undefined).toEqual(state.get(id));
      }
      const { body: settings } = await host.as("admin").get("/api/settings");
      expect(results.map((result) => result.settings.at(-1))).toContain(settings.server.publicUrl);
    },
  );

  it("get the first outcome for a key, never another one's, and a refusal for a key of another request", async () => {
    await using host = await bench.host();
    await install(host, "@longbox-test/north", "1.0.0");
    const [ada, ben] = [await host.user("ada", "admin"), await host.user("ben", "admin")];
    const off = { enabled: false };
    const headers = { "idempotency-key": "once" };
    const first = await ada.post("/api/plugins/north/enabled", off, headers);
    expect(first).toMatchObject({ status: 200, body: { state: "disabled" } });
    await ben.post("/api/plugins/north/enabled", { enabled: true }, headers);
    expect((await ada.post("/api/plugins/north/enabled", off, headers)).body).toEqual(first.body);
    expect((await ben.get("/api/plugins/north")).body).toMatchObject({ state: "active" });
    expect(await ada.post("/api/plugins/north/enabled", { enabled: true }, headers)).toMatchObject({
      status: 409,
      body: { code: "kernel/idempotency-key-reused" },
    });
    expect(await ada.post("/api/plugins/north/enabled", off, { "idempotency-key": "x".repeat(201) })).toMatchObject({
      status: 400,
      body: { code: "kernel/bad-idempotency-key" },
    });
  });
});
