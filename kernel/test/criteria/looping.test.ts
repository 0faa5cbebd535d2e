// Criterion 6: code of a plugin that loops for ever, wherever it stands.
import { runsLongTests } from "@longbox/test/needs";
import { undisturbedNow } from "@longbox/test/undisturbed";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Program } from "../plugins/program.js";
import { answering, Bench, temporaryFolder, until, type TinyPlugin } from "../plugins/support.js";
import { pause, tellFigures } from "./load.js";

const headers = { "x-setup-token": "let-me-in", connection: "close" };
const usualLimits = { againMs: 40_000, hangMs: 40_000 };
/**
 * When a request has to be answered again, after the three seconds that code may block: on a machine that is free half
 * of the time.
 */
const limits = runsLongTests ? { againMs: 4_000, hangMs: 5_000 } : usualLimits;

const onRequest = (id: string, code: string): TinyPlugin => ({
  id,
  activate: `async function ${id}Work() { ${code} } context.routes([defineRoute({ method: "POST", path: "/api/${id}", access: "viewer", summary: "loops", handle: async () => { await ${id}Work(); return {}; } })]);`,
});
const loops: readonly TinyPlugin[] = [
  onRequest("handler", "for (;;) Math.random();"),
  onRequest("continuation", "await new Promise((resolve) => setTimeout(resolve, 5)); for (;;) Math.random();"),
  onRequest("pattern", `/^(a+)+$/.test("a".repeat(60) + "!");`),
  onRequest("timer", "setTimeout(function timerLoop() { for (;;) Math.random(); }, 20);"),
];
const tried = runsLongTests ? loops : loops.filter(({ id }) => id === "continuation");

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
  await bench.publish({ id: "calm", activate: answering("/api/calm", "calm") });
  for (const plugin of tried) await bench.publish(plugin);
});
afterAll(() => bench[Symbol.asyncDispose]());

interface Seen {
  readonly begunAt: number;
  readonly tookMs: number;
  readonly outcome: string;
}

/** Asks another plugin on a new connection ten times a second. */
function watch(url: string) {
  const seen: Seen[] = [];
  let going = true;
  const pending: Promise<void>[] = [];
  const ask = async () => {
    const begunAt = performance.now();
    const outcome = await fetch(`${url}/api/calm`, { headers, signal: AbortSignal.timeout(45_000) })
      .then(async (answer) => `${answer.status} ${await answer.text()}`)
      .catch((failure: Error) => String((failure.cause as { code?: string } | undefined)?.code ?? failure.message));
    seen.push({ begunAt, tookMs: performance.now() - begunAt, outcome });
  };
  const loop = (async () => {
    while (going) {
      pending.push(ask());
      await pause(100);
    }
  })();
  return {
    seen,
    async end() {
      going = false;
      await loop;
      await Promise.all(pending);
    },
  };
}

it.each(tried.map(({ id }) => id))(
  "criterion 6: a loop without end in %s holds up no other plugin for long, refuses no connection, and is blamed with file and function",
  { timeout: 180_000 },
  async (id) => {
    await using data = await temporaryFolder();
    await using program = await Program.start({ LONGBOX_DATA: data.path, LONGBOX_REGISTRY: bench.registry.url });
    for (const name of ["calm", id])
      expect(
        (await program.admin.post("/api/plugins/install", { name: `@longbox-test/${name}`, accept: true })).status,
      ).toBe(200);
    const watching = watch(program.url);
    const [hangs, free] = [performance.now(), undisturbedNow()];
    const looping = program.admin.post(`/api/${id}`);
    const blamed = async () => {
      const trail = await program.admin.get("/api/plugins/audit").catch(() => undefined);
      return trail?.body[0]?.action === "blocked" ? trail.body[0] : undefined;
    };
    await until(async () => (await blamed()) !== undefined, 60_000);
    // A timer is set by a request that has been answered when it loops.
    expect(await looping).toMatchObject(
      id === "timer" ? { status: 200 } : { status: 503, body: { code: "kernel/held-up" } },
    );
    await until(
      () => watching.seen.some(({ begunAt, outcome }) => begunAt > hangs + 3_000 && outcome.startsWith("200 ")),
      60_000,
    );
    await watching.end();
    expect(await blamed()).toMatchObject({ plugin: id, reason: expect.stringMatching(/\(index\.js:\d+\)/) });
    const { body } = await program.admin.get(`/api/plugins/${id}`);
    // A request alone switches nothing off.
    expect(body.state).toBe("active");
    expect(watching.seen.filter(({ outcome }) => outcome === "ECONNREFUSED")).toEqual([]);
    const after = watching.seen.filter(({ begunAt }) => begunAt > hangs);
    const again = Math.min(
      ...after
        .filter(({ outcome, begunAt, tookMs }) => outcome.startsWith("200 ") && begunAt + tookMs > hangs + 1_000)
        .map(({ begunAt, tookMs }) => begunAt + tookMs - hangs),
    );
    const longest = Math.max(...after.map(({ tookMs }) => tookMs));
    const freePart = (undisturbedNow() - free) / (performance.now() - hangs);
    const { againMs, hangMs } = freePart > 0.5 ? limits : usualLimits;
    tellFigures(
      `criterion 6, ${id}: answered again after ${again.toFixed()} ms, longest request ${longest.toFixed()} ms; the machine was free for ${(100 * freePart).toFixed()} % of the time`,
    );
    expect(again).toBeLessThan(againMs);
    expect(longest).toBeLessThan(hangMs);
  },
);
