// Criterion 16: which plugins run, and in which order they start and stop, is what an independent oracle says.
import { contract, definePlugin } from "@longbox/sdk";
import { ownNow } from "@longbox/test/undisturbed";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { describe, expect, it } from "vitest";

const base = { title: "T", description: "", sdk: "^1.0.0" };
/** How long an operation may take until what runs is what the oracle says, in milliseconds. */
const settledMs = 2_000;

/** Numbers from a seed, the same each time. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A plugin of the graph, by the names of capabilities. */
interface Node {
  readonly id: string;
  readonly requires: readonly string[];
  readonly optional: readonly string[];
  /** Its own capability, and at times a seat, which one plugin holds at a time. */
  readonly provides: readonly string[];
}

const seats = Array.from({ length: 6 }, (_, n) => `seat-${n}`);

/** A graph with chains, diamonds, seats with rivals, a few cycles, and capabilities without a provider. */
function graph(count: number, pick: (below: number) => number): Node[] {
  return Array.from({ length: count }, (_, n) => {
    const one = () => {
      if (pick(10) === 0) return seats[pick(seats.length)]!;
      return `p${pick(20) === 0 ? pick(count + 2) : pick(Math.max(1, n))}`;
    };
    const provides = [`p${n}`, ...(pick(4) === 0 ? [seats[pick(seats.length)]!] : [])];
    const some = (most: number) =>
      [...new Set(Array.from({ length: pick(most + 1) }, one))].filter((name) => !provides.includes(name));
    return { id: `p${n}`, requires: n === 0 ? [] : some(2), optional: some(2), provides };
  });
}

/** The enabled plugins that another one keeps from a seat: they cannot run beside it. */
function keptOut(nodes: readonly Node[], running: ReadonlySet<string>): Set<string> {
  const taken = new Set(nodes.filter(({ id }) => running.has(id)).flatMap(({ provides }) => provides));
  return new Set(
    nodes
      .filter(({ id, provides }) => !running.has(id) && provides.some((name) => taken.has(name)))
      .map(({ id }) => id),
  );
}

/** Says by itself which of the plugins run: the least set closed under "all that it requires is provided". */
function oracle(nodes: readonly Node[], enabled: ReadonlySet<string>): Set<string> {
  const providers = (name: string) => nodes.filter(({ id, provides }) => enabled.has(id) && provides.includes(name));
  const runs = (node: Node, path: ReadonlySet<string>): boolean => {
    if (path.has(node.id)) return false;
    const beyond = new Set([...path, node.id]);
    return node.requires.every((name) => providers(name).some((provider) => runs(provider, beyond)));
  };
  return new Set(nodes.filter((node) => enabled.has(node.id) && runs(node, new Set())).map(({ id }) => id));
}

/** The plugins of a graph, which write down who runs, and who started or stopped in the wrong order. */
function pluginsOf(nodes: readonly Node[]) {
  const running: string[] = [];
  const wrong: string[] = [];
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const provided = (name: string) => running.some((id) => byId.get(id)!.provides.includes(name));
  const started = (node: Node) => {
    for (const name of node.requires) if (!provided(name)) wrong.push(`${node.id} started before ${name}`);
    running.push(node.id);
  };
  const stopped = (node: Node) => {
    running.splice(running.indexOf(node.id), 1);
    for (const id of running)
      for (const name of byId.get(id)!.requires)
        if (node.provides.includes(name)) wrong.push(`${node.id} stopped before ${id}, which needs ${name}`);
  };
  return { running, wrong, plugins: nodes.map((node) => pluginOf(node, { started, stopped })) };
}

function pluginOf(node: Node, noting: Record<"started" | "stopped", (node: Node) => void>) {
  const tokens = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, contract<object>(name, "1.0.0")]));
  const ranges = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, "^1.0.0"]));
  const plugin = definePlugin({
    requires: tokens(node.requires),
    optional: tokens(node.optional),
    activate(_, context) {
      noting.started(node);
      context.own({ release: () => noting.stopped(node) });
      for (const name of node.provides) context.provide(contract<object>(name, "1.0.0"), {});
    },
  });
  const provides = Object.fromEntries(node.provides.map((name) => [name, "1.0.0"]));
  const needs = { requires: ranges(node.requires), optional: ranges(node.optional) };
  return { manifest: { ...base, id: node.id, ...needs, provides }, plugin };
}

/** The rows of all plugins say what the oracle says, and why the others do not run; cycles with a path that is one. */
async function expectReasons(host: KernelTestHost, nodes: readonly Node[], expected: ReadonlyMap<string, string>) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  let cycles = 0;
  for (const row of (await host.as("admin").get("/api/plugins")).body) {
    expect({ id: row.name, state: row.state }).toEqual({ id: row.name, state: expected.get(row.name) });
    if (row.state !== "unsatisfied") continue;
    expect(row.reason).toMatch(/needs|cycle|provided by "p\d+" already/);
    const path = /form a cycle: (.*)\.$/.exec(row.reason)?.[1]?.split(" → ");
    if (!path) continue;
    cycles += 1;
    expect([path[0], path.at(-1)]).toEqual([row.name, row.name]);
    for (const [at, id] of path.slice(0, -1).entries()) {
      const next = byId.get(path[at + 1]!)!;
      expect(
        byId.get(id)!.requires.some((name) => next.provides.includes(name)),
        path.join(),
      ).toBe(true);
    }
  }
  return cycles;
}

describe("criterion 16: the order of plugins", () => {
  it("is that of an independent oracle through 500 random operations on 60 plugins", { timeout: 240_000 }, async () => {
    const pick = random(20_261_121);
    const nodes = graph(60, pick);
    const { running, wrong, plugins } = pluginsOf(nodes);
    await using host = await startKernelTestHost({ plugins });
    const admin = host.as("admin");
    const enabled = new Set(nodes.map((node) => node.id));
    const seen = { slowestMs: 0, keptOut: 0 };
    const expectOracle = (operation: number) => {
      const now = new Set(running);
      const out = keptOut(nodes, now);
      for (const name of seats)
        expect(
          running.filter((id) => nodes.find((node) => node.id === id)!.provides.includes(name)).length,
        ).toBeLessThan(2);
      seen.keptOut += [...out].filter((id) => enabled.has(id)).length;
      const free = new Set([...enabled].filter((id) => !out.has(id)));
      expect({ operation, running: [...running].sort() }).toEqual({
        operation,
        running: [...oracle(nodes, free)].sort(),
      });
    };
    for (let operation = 0; operation < 500; operation += 1) {
      const id = `p${pick(nodes.length)}`;
      if (!enabled.delete(id)) enabled.add(id);
      const begun = ownNow();
      expect((await admin.post(`/api/plugins/${id}/enabled`, { enabled: enabled.has(id) })).status).toBe(200);
      seen.slowestMs = Math.max(seen.slowestMs, ownNow() - begun);
      expectOracle(operation);
    }
    expect(wrong).toEqual([]);
    expect(seen.slowestMs).toBeLessThan(settledMs);
    expect(seen.keptOut).toBeGreaterThan(0);
    const stateOf = (id: string) => (!enabled.has(id) ? "disabled" : running.includes(id) ? "active" : "unsatisfied");
    await expectReasons(host, nodes, new Map(nodes.map(({ id }) => [id, stateOf(id)])));
  });

  it("leaves out a ring of plugins, each with the path of the ring", async () => {
    const ring = Array.from({ length: 5 }, (_, n) => ({
      ...{ id: `p${n}`, optional: [], provides: [`p${n}`] },
      requires: n === 4 ? [] : [`p${(n + 1) % 4}`],
    }));
    await using host = await startKernelTestHost({ plugins: pluginsOf(ring).plugins });
    const expected = new Map(ring.map(({ id }) => [id, id === "p4" ? "active" : "unsatisfied"]));
    expect(await expectReasons(host, ring, expected)).toBe(4);
  });
});
