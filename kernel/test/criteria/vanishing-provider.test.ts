// Criterion 17: what consumers of a contract see when its provider is switched off, comes back and is upgraded under
// load.
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { KernelTestHost } from "@longbox/kernel/testing";
import { expect, it } from "vitest";
import { Bench, install, until, type TinyPlugin } from "../plugins/support.js";

const callsEachSecond = 500;
/** How long a call may take, in milliseconds, beyond what the machine kept the whole process waiting. */
const mostMs = 100;
const gone = "kernel/capability-gone";

interface Call {
  readonly consumer: string;
  readonly method: string;
  readonly begunAt: number;
  readonly settledAt?: number;
  /** The version that answered, or the code of the refusal. */
  readonly outcome?: string;
}

/** What the plugins of this test write down; they run in the same process. */
interface Record {
  calls: Call[];
  /** Consumers in the order of their activations. */
  activations: string[];
  methods: string[];
}

const shared = globalThis as unknown as { __weather?: Record };

const weather = (version: string): TinyPlugin => ({
  id: "weather",
  version,
  manifest: { provides: { weather: "1.0.0" } },
  activate: `context.provide(contract("weather", "1.0.0"), { async now() { return "${version}"; }, never() { return new Promise(() => {}); },
    async later() { await new Promise((resolve) => setTimeout(resolve, 20)); return "${version}"; } });`,
});

/** Calls so many times a second, by the clock: what a busy machine held up is made up for at the next turn. */
const calling = `const { calls, methods, activations } = globalThis.__weather; activations.push(context.plugin.id);
  const begun = performance.now(); let made = 0;
  const call = (method) => {
    const call = { consumer: context.plugin.id, method, begunAt: performance.now() }; calls.push(call);
    weather[method]().then((value) => value, (fault) => fault.code).then((outcome) => Object.assign(call, { outcome, settledAt: performance.now() })); };
  const turn = setInterval(() => { for (const due = ((performance.now() - begun) * ${callsEachSecond}) / 1000; made < due; made += 1) call(methods[made % methods.length]); }, 2);
  context.own({ release() { clearInterval(turn); } });`;

const consumers: readonly TinyPlugin[] = [
  {
    id: "likes",
    manifest: { optional: { weather: "^1.0.0" } },
    fields: `optional: { weather: contract("weather", "1.0.0") }`,
    activate: `const weather = capabilities.weather.use; ${calling}`,
  },
  {
    id: "needs",
    manifest: { requires: { weather: "^1.0.0" } },
    fields: `requires: { weather: contract("weather", "1.0.0") }`,
    activate: `const { weather } = capabilities; ${calling}`,
  },
];

/** Waits until a consumer has made calls for so many milliseconds more. */
async function underLoad(record: Record, consumer: string, forMs: number): Promise<void> {
  const count = () => record.calls.filter((call) => call.consumer === consumer).length;
  const goal = count() + (forMs / 1_000) * callsEachSecond;
  await until(() => count() >= goal);
}

const states = async (host: KernelTestHost) =>
  Object.fromEntries(
    (await host.as("admin").get("/api/plugins")).body.map((row: { name: string; state: string }) => [
      row.name,
      row.state,
    ]),
  ) as unknown;

/** How long each call was under way; one that never ends by itself counts from the first call that was refused. */
function slowest(calls: readonly Call[]): number {
  const goneAt = Math.min(...calls.filter(({ outcome }) => outcome === gone).map(({ settledAt }) => settledAt!));
  const from = (call: Call) => (call.method === "never" ? Math.max(call.begunAt, goneAt) : call.begunAt);
  return Math.max(...calls.map((call) => call.settledAt! - from(call)));
}

it(
  "criterion 17: 500 calls a second through a provider's disabling, return and upgrade all settle within 100 ms",
  { timeout: 120_000 },
  async () => {
    await using bench = await Bench.open();
    for (const plugin of [weather("1.0.0"), weather("1.1.0"), ...consumers]) await bench.publish(plugin);
    const record: Record = { calls: [], activations: [], methods: ["now", "later", "now", "never"] };
    shared.__weather = record;
    await using host = await bench.host();
    await install(host, "@longbox-test/weather", "1.0.0");
    for (const { id } of consumers) await install(host, `@longbox-test/${id}`);
    const admin = host.as("admin");
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    await underLoad(record, "needs", 1_000);

    const goneAt = performance.now();
    expect((await admin.post("/api/plugins/weather/enabled", { enabled: false })).status).toBe(200);
    const offAt = performance.now();
    expect(await states(host)).toEqual({ weather: "disabled", likes: "active", needs: "unsatisfied" });
    await underLoad(record, "likes", 1_000);
    const [onAt, off] = [performance.now(), record.calls.length];
    // What is begun from now on has a provider again, which would never end it.
    record.methods.splice(0, 4, "now", "later");
    expect((await admin.post("/api/plugins/weather/enabled", { enabled: true })).status).toBe(200);
    await until(async () => ((await states(host)) as { needs: string }).needs === "active");
    await underLoad(record, "needs", 1_000);
    expect(record.activations).toEqual(["likes", "needs", "needs"]);

    const before = record.calls.length;
    await install(host, "@longbox-test/weather", "1.1.0");
    const newAt = performance.now();
    await underLoad(record, "needs", 1_000);
    expect(record.activations).toEqual(["likes", "needs", "needs"]);
    expect(await states(host)).toEqual({ weather: "active", likes: "active", needs: "active" });
    const { calls } = record;
    const last = calls.length;
    await until(() => calls.slice(0, last).every(({ outcome }) => outcome !== undefined), 5_000);
    delay.disable();

    const outcomes = (some: readonly Call[]) => [...new Set(some.map(({ outcome }) => outcome))].sort();
    expect(outcomes(calls.slice(0, off))).toEqual(["1.0.0", gone]);
    const unended = calls.filter(({ method, begunAt }) => method === "never" && begunAt < goneAt);
    expect(unended.length).toBeGreaterThan(callsEachSecond / 8);
    expect(outcomes(unended)).toEqual([gone]);
    expect(outcomes(calls.filter(({ begunAt }) => begunAt > offAt && begunAt < onAt))).toEqual([gone]);
    expect(outcomes(calls.slice(before, last))).toEqual(["1.0.0", "1.1.0"]);
    expect(outcomes(calls.slice(0, last).filter(({ begunAt }) => begunAt > newAt))).toEqual(["1.1.0"]);
    expect(slowest(calls.slice(0, last))).toBeLessThan(mostMs + delay.max / 1e6);
    await host.stop();
    delete shared.__weather;
  },
);
