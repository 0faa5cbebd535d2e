import {
  contract,
  definePlugin,
  defineRoute,
  extensionPoint,
  releasable,
  type Contributions,
  type OptionalCapability,
  type Releasable,
} from "@longbox/sdk";
import { startKernelTestHost } from "@longbox/kernel/testing";
import { describe, expect, it } from "vitest";
import { until } from "./support.js";

interface Clock {
  now(): Promise<number>;
  never(): Promise<number>;
  onTick(listener: (n: number) => void): Releasable;
}
const ClockToken = contract<Clock>("clock", "1.2.0");
const base = { title: "T", description: "", sdk: "^1.0.0" };

/** Provides a clock whose listeners the test reaches, and counts its activations. */
function clockPlugin() {
  const listeners = new Set<(n: number) => void>();
  const state = { starts: 0, listeners };
  const plugin = definePlugin({
    activate(_, context) {
      const value = ++state.starts;
      context.provide(ClockToken, {
        now: async () => value,
        never: () => new Promise<number>(() => {}),
        onTick(listener) {
          listeners.add(listener);
          return releasable(() => void listeners.delete(listener));
        },
      });
    },
  });
  return { state, entry: { manifest: { ...base, id: "clock", provides: { clock: "1.2.0" } }, plugin } };
}

function needing(id: string, range = "^1.0.0") {
  const heard: number[] = [];
  const plugin = definePlugin({
    requires: { clock: ClockToken },
    activate({ clock }, context) {
      context.own(clock.onTick((n) => void heard.push(n)));
      context.routes([
        defineRoute({ method: "GET", path: `/api/${id}`, summary: "asks", handle: () => clock.now() }),
        defineRoute({ method: "GET", path: `/api/${id}/never`, summary: "waits", handle: () => clock.never() }),
      ]);
    },
  });
  return { heard, entry: { manifest: { ...base, id, requires: { clock: range } }, plugin } };
}

describe("contracts between plugins", () => {
  it("stop what needs a provider that is switched off, keep what only likes it, and let no call hang", async () => {
    const clock = clockPlugin();
    const needs = needing("needs");
    const seen: boolean[] = [];
    let standIn: OptionalCapability<Clock> | undefined;
    const likes = definePlugin({
      optional: { clock: ClockToken },
      activate({ clock }, context) {
        standIn = clock;
        context.own(clock.onAvailability((available) => void seen.push(available)));
        context.routes([
          defineRoute({
            method: "GET",
            path: "/api/likes",
            summary: "asks",
            handle: async () => (clock.available() ? clock.use.now() : "alone"),
          }),
          defineRoute({ method: "GET", path: "/api/likes/never", summary: "waits", handle: () => clock.use.never() }),
        ]);
      },
    });
    await using host = await startKernelTestHost({
      plugins: [
        { manifest: { ...base, id: "likes", optional: { clock: "^1.0.0" } }, plugin: likes },
        needs.entry,
        clock.entry,
      ],
    });
    const viewer = host.as("viewer");
    expect((await viewer.get("/api/needs")).body).toBe(1);
    expect((await viewer.get("/api/likes")).body).toBe(1);
    const hanging = viewer.get("/api/likes/never");
    await until(() => (host.kernel.host.fleet.members.get("likes")?.running?.activation.inFlight ?? 0) > 0);
    let stop = false;
    const load = (async () => {
      const statuses = new Set<number>();
      while (!stop)
        for (const answer of await Promise.all([viewer.get("/api/needs"), viewer.get("/api/likes")]))
          statuses.add(answer.status);
      return statuses;
    })();
    await host.disable("clock");
    expect((await hanging).body).toMatchObject({ code: "kernel/capability-gone" });
    expect(host.kernel.host.row("needs")).toMatchObject({
      state: "unsatisfied",
      reason: 'It needs "clock" ^1.0.0, which no plugin provides.',
    });
    expect((await viewer.get("/api/needs")).status).toBe(404);
    expect((await viewer.get("/api/likes")).body).toBe("alone");
    await expect(standIn!.use.now()).rejects.toMatchObject({ code: "kernel/capability-gone" });
    await host.enable("clock");
    stop = true;
    const statuses = await load;
    expect(statuses).toContain(200);
    expect([...statuses].filter((status) => ![200, 404, 503].includes(status))).toEqual([]);
    expect((await viewer.get("/api/needs")).body).toBe(2);
    expect((await viewer.get("/api/likes")).body).toBe(2);
    expect(seen).toEqual([false, true]);
  });

  it("subscribe again at every new provider, and leave no subscription behind", async () => {
    const clock = clockPlugin();
    const needs = needing("needs");
    await using host = await startKernelTestHost({ plugins: [clock.entry, needs.entry] });
    const tick = (n: number) => clock.state.listeners.forEach((listener) => listener(n));
    tick(1);
    const direct: number[] = [];
    const subscription = host.use(ClockToken).onTick((n) => void direct.push(n));
    await host.disable("clock");
    tick(2);
    expect(clock.state.listeners.size).toBe(0);
    await host.enable("clock");
    tick(3);
    expect({ needs: needs.heard, direct }).toEqual({ needs: [1, 3], direct: [3] });
    await subscription.release();
    await host.disable("needs");
    expect(clock.state.listeners.size).toBe(0);
  });

  it("count what a listener throws as a fault of the subscriber, and let the provider and the others go on", async () => {
    const clock = clockPlugin();
    const needs = needing("needs");
    const clumsy = definePlugin({
      requires: { clock: ClockToken },
      activate({ clock }, context) {
        context.own(
          clock.onTick(() => {
            throw new Error("clumsy");
          }),
        );
      },
    });
    await using host = await startKernelTestHost({
      plugins: [
        clock.entry,
        { manifest: { ...base, id: "clumsy", requires: { clock: "^1.0.0" } }, plugin: clumsy },
        needs.entry,
      ],
    });
    clock.state.listeners.forEach((listener) => listener(7));
    expect(needs.heard).toEqual([7]);
    expect(host.kernel.host.rows().map((row) => [row.name, row.faults])).toEqual([
      ["clock", 0],
      ["clumsy", 1],
      ["needs", 0],
    ]);
  });

  it("say which version is there when it does not fit", async () => {
    const needs = needing("needs", "^2.0.0");
    await using host = await startKernelTestHost({ plugins: [clockPlugin().entry, needs.entry] });
    expect(host.kernel.host.row("needs")).toMatchObject({
      state: "unsatisfied",
      reason: 'It needs "clock" ^2.0.0, and "clock" provides 1.2.0.',
    });
  });

  it("name the path of a cycle", async () => {
    const ring = (id: string, next: string) => {
      const own = contract<object>(id, "1.0.0");
      return {
        manifest: { ...base, id, provides: { [id]: "1.0.0" }, requires: { [next]: "^1.0.0" } },
        plugin: definePlugin({ activate: (_, context) => context.provide(own, {}) }),
      };
    };
    await using host = await startKernelTestHost({ plugins: [ring("a", "b"), ring("b", "c"), ring("c", "a")] });
    expect(host.kernel.host.rows().map((row) => row.reason)).toEqual([
      "The requirements form a cycle: a → b → c → a.",
      "The requirements form a cycle: b → c → a → b.",
      "The requirements form a cycle: c → a → b → c.",
    ]);
  });

  it("are refused when the manifest does not declare them", async () => {
    const bold = (id: string, activate: Parameters<typeof definePlugin>[0]["activate"], manifest = {}) => ({
      manifest: { ...base, id, ...manifest },
      plugin: definePlugin({ activate }),
    });
    const cases = [
      [bold("provides", (_, context) => context.provide(ClockToken, {} as Clock)), "kernel/undeclared-capability"],
      [
        bold("contributes", (_, context) => void context.contribute(extensionPoint("x", "1.0.0"), {})),
        "kernel/undeclared-contribution",
      ],
      [
        bold("opens", (_, context) => void context.open(extensionPoint("x", "1.0.0"))),
        "kernel/undeclared-extension-point",
      ],
      [bold("announces", (_, context) => context.changed("x")), "kernel/undeclared-domain"],
      [bold("works", (_, context) => void context.worker("x")), "kernel/undeclared-worker"],
      [bold("promises", () => {}, { provides: { clock: "1.0.0" } }), "kernel/capability-not-provided"],
    ] as const;
    await using host = await startKernelTestHost();
    for (const [plugin, code] of cases) {
      host.kernel.host.linkDefinition(plugin.manifest, plugin.plugin);
      await host.enable(plugin.manifest.id);
      expect(host.kernel.host.row(plugin.manifest.id)).toMatchObject({ state: "failed", code });
    }
  });
});

describe("extension points", () => {
  const Shapes = extensionPoint<{ name: string; area(): Promise<number> }>("shapes", "1.0.0");
  const owner = (seen: { points?: Contributions<{ name: string; area(): Promise<number> }>; changes: number }) => ({
    manifest: { ...base, id: "shapes", opens: { shapes: "1.0.0" } },
    plugin: definePlugin({
      activate(_, context) {
        seen.points = context.open(Shapes);
        seen.points.onChange(() => void (seen.changes += 1));
      },
    }),
  });
  const contributor = (id: string) => ({
    manifest: { ...base, id, contributes: { shapes: "^1.0.0" } },
    plugin: definePlugin({
      activate: (_, context) => void context.contribute(Shapes, { name: id, area: async () => id.length }),
    }),
  });

  it("hold what contributors add, in the order of their ids, while they run", async () => {
    const seen: Parameters<typeof owner>[0] = { changes: 0 };
    await using host = await startKernelTestHost({
      plugins: [contributor("square"), owner(seen), contributor("circle")],
    });
    expect(seen.points!.entries().map(({ plugin, contribution }) => [plugin, contribution.name])).toEqual([
      ["circle", "circle"],
      ["square", "square"],
    ]);
    const [circle] = seen.points!.all();
    expect(await circle!.area()).toBe(6);
    const before = seen.changes;
    await host.disable("circle");
    expect(seen.points!.all().map((shape) => shape.name)).toEqual(["square"]);
    expect(seen.changes).toBeGreaterThan(before);
    await expect(circle!.area()).rejects.toMatchObject({ code: "kernel/capability-gone" });
  });
});
