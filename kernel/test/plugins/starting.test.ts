import { contract, definePlugin, defineRoute } from "@longbox/sdk";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { describe, expect, it } from "vitest";
import { until } from "./support.js";

const base = { title: "T", description: "", sdk: "^1.0.0" };
const ClockToken = contract<{ now(): Promise<string> }>("clock", "1.0.0");

interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}
const gate = (): Gate => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
};

type Wiring = Parameters<typeof definePlugin>[0];
/** Adds a plugin that the next start takes along. */
function link(host: KernelTestHost, id: string, wiring: Wiring, manifest: object = {}): void {
  host.kernel.host.linkDefinition({ ...base, id, ...manifest }, definePlugin(wiring));
}

const says = (word: string) => [
  defineRoute({ method: "GET", path: "/api/word", access: "public", summary: "Says a word", handle: () => word }),
];
const stateOf = (host: KernelTestHost, id: string) => host.kernel.host.row(id).state;

describe("starting", () => {
  it("is not held up by a plugin that takes for ever, but for those who need it", async () => {
    await using host = await startKernelTestHost({ kernel: { plugins: { limits: { patienceMs: 50 } } } });
    const hung = gate();
    const started: string[] = [];
    const provides = { provides: { clock: "1.0.0" } };
    link(
      host,
      "hung",
      {
        activate: async (_, context) => (
          await hung.opened,
          void started.push("hung"),
          context.provide(ClockToken, { now: async () => "noon" })
        ),
      },
      provides,
    );
    link(
      host,
      "needs",
      { requires: { clock: ClockToken }, activate: () => void started.push("needs") },
      { requires: { clock: "^1.0.0" } },
    );
    link(
      host,
      "likes",
      { optional: { clock: ClockToken }, activate: () => void started.push("likes") },
      { optional: { clock: "^1.0.0" } },
    );
    link(host, "calm", { activate: (_, context) => (started.push("calm"), context.routes(says("calm"))) });
    const enabling = host.enable("hung");
    await until(() => stateOf(host, "calm") === "active" && stateOf(host, "likes") === "active");
    expect((await host.as("anonymous").get("/api/word")).body).toBe("calm");
    expect([host.kernel.host.row("hung"), host.kernel.host.row("needs")]).toMatchObject([
      { state: "unsatisfied", reason: "It is being started." },
      { state: "unsatisfied", reason: "It is being started." },
    ]);
    // Neither of these needs the other, so either may be first.
    expect(started.toSorted()).toEqual(["calm", "likes"]);
    hung.open();
    await enabling;
    expect(started.slice(2)).toEqual(["hung", "needs"]);
    for (const id of ["hung", "needs", "likes", "calm"])
      expect(host.kernel.host.row(id)).toMatchObject({ state: "active" });
    expect(host.kernel.host.row("needs").reason).toBeUndefined();
  });

  it("runs what does not depend on each other side by side", async () => {
    await using host = await startKernelTestHost();
    const [one, other] = [gate(), gate()];
    link(host, "one", { activate: async () => (one.open(), void (await other.opened)) });
    link(host, "other", { activate: async () => (other.open(), void (await one.opened)) });
    await host.enable("one");
    expect([stateOf(host, "one"), stateOf(host, "other")]).toEqual(["active", "active"]);
  });

  it("gives what two plugins claim to the earlier one, also when that is the slower", async () => {
    await using host = await startKernelTestHost();
    const declared = { permissions: [{ key: "word.say", label: "Say", description: "", tier: "viewer" }] };
    const slow = gate();
    link(host, "a-slow", { activate: async (_, context) => (await slow.opened, context.routes(says("slow"))) });
    link(host, "b-fast", { activate: (_, context) => (context.routes(says("fast")), slow.open()) });
    link(host, "c-slow", { activate: async () => void (await slow.opened) }, declared);
    link(host, "d-fast", { activate() {} }, declared);
    await host.enable("a-slow");
    expect((await host.as("anonymous").get("/api/word")).body).toBe("slow");
    expect(host.kernel.host.row("b-fast")).toMatchObject({ state: "failed", code: "kernel/route-taken" });
    expect([stateOf(host, "c-slow"), host.kernel.host.row("d-fast")]).toMatchObject([
      "active",
      { state: "failed", code: "kernel/permission-taken" },
    ]);
  });

  it("starts those who need a plugin that failed at another that provides the same", async () => {
    await using host = await startKernelTestHost();
    link(host, "broken", { activate: () => Promise.reject(new Error("no luck")) }, { provides: { clock: "1.0.0" } });
    link(
      host,
      "spare",
      { activate: (_, context) => context.provide(ClockToken, { now: async () => "spare" }) },
      { provides: { clock: "1.0.0" } },
    );
    let told = "";
    link(
      host,
      "needs",
      {
        requires: { clock: ClockToken },
        activate: async (given) =>
          void (told = await (given as unknown as { clock: { now(): Promise<string> } }).clock.now()),
      },
      { requires: { clock: "^1.0.0" } },
    );
    await host.enable("broken");
    expect([stateOf(host, "broken"), stateOf(host, "spare"), stateOf(host, "needs"), told]).toEqual([
      "failed",
      "active",
      "active",
      "spare",
    ]);
  });

  it("is given up at once when the server stops", async () => {
    await using host = await startKernelTestHost();
    let begun = false;
    let aborted = false;
    link(host, "hung", {
      activate: (_, context) => (
        (begun = true),
        context.signal.addEventListener("abort", () => (aborted = true)),
        new Promise<void>(() => {})
      ),
    });
    const enabling = host.enable("hung").catch(() => undefined);
    await until(() => begun);
    const before = performance.now();
    await host.stop();
    await enabling;
    expect(aborted).toBe(true);
    // A start may take 30 seconds.
    expect(performance.now() - before).toBeLessThan(25_000);
  });
});
