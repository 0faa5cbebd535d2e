import { contract, definePlugin } from "@longbox/sdk";
import { startKernelTestHost } from "@longbox/kernel/testing";
import { describe, expect, it } from "vitest";

const base = { title: "T", description: "", sdk: "^1.0.0" };

/** Numbers from a seed, the same each time. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Node {
  readonly id: string;
  readonly requires: readonly string[];
  readonly optional: readonly string[];
}

/** A graph with chains, diamonds, a few cycles, and capabilities without a provider. */
function graph(count: number, pick: (below: number) => number): Node[] {
  return Array.from({ length: count }, (_, n) => {
    const some = (most: number) =>
      [
        ...new Set(
          Array.from({ length: pick(most + 1) }, () => `p${pick(20) === 0 ? pick(count + 2) : pick(Math.max(1, n))}`),
        ),
      ].filter((id) => id !== `p${n}`);
    return { id: `p${n}`, requires: n === 0 ? [] : some(2), optional: some(2) };
  });
}

/** Says by itself which plugins run: the least set closed under "all that it requires runs". */
function oracle(nodes: readonly Node[], enabled: ReadonlySet<string>): Set<string> {
  const runs = (id: string, path: ReadonlySet<string>): boolean => {
    const node = nodes.find((one) => one.id === id);
    if (!node || !enabled.has(id) || path.has(id)) return false;
    return node.requires.every((required) => runs(required, new Set([...path, id])));
  };
  return new Set(nodes.filter((node) => runs(node.id, new Set())).map((node) => node.id));
}

describe("the order of plugins", () => {
  it("is that of an independent oracle through 300 random operations on 40 plugins", { timeout: 240_000 }, async () => {
    const pick = random(20_261_121);
    const nodes = graph(40, pick);
    const running: string[] = [];
    const wrong: string[] = [];
    const plugins = nodes.map((node) => {
      const tokens = (ids: readonly string[]) =>
        Object.fromEntries(ids.map((id) => [id, contract<object>(id, "1.0.0")]));
      const ranges = (ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, "^1.0.0"]));
      const plugin = definePlugin({
        requires: tokens(node.requires),
        optional: tokens(node.optional),
        activate(_, context) {
          for (const required of node.requires)
            if (!running.includes(required)) wrong.push(`${node.id} started before ${required}`);
          running.push(node.id);
          context.own({
            release() {
              running.splice(running.indexOf(node.id), 1);
              for (const other of nodes)
                if (other.requires.includes(node.id) && running.includes(other.id))
                  wrong.push(`${node.id} stopped before ${other.id}`);
            },
          });
          context.provide(contract<object>(node.id, "1.0.0"), {});
        },
      });
      return {
        manifest: {
          ...base,
          id: node.id,
          requires: ranges(node.requires),
          optional: ranges(node.optional),
          provides: { [node.id]: "1.0.0" },
        },
        plugin,
      };
    });
    await using host = await startKernelTestHost({ plugins });
    const enabled = new Set(nodes.map((node) => node.id));
    for (let operation = 0; operation < 300; operation += 1) {
      const id = `p${pick(nodes.length)}`;
      if (enabled.delete(id)) await host.disable(id);
      else {
        enabled.add(id);
        await host.enable(id);
      }
      expect({ operation, running: [...running].sort() }).toEqual({
        operation,
        running: [...oracle(nodes, enabled)].sort(),
      });
    }
    expect(wrong).toEqual([]);
    const states = new Map(host.kernel.host.rows().map((row) => [row.name, row]));
    for (const node of nodes) {
      const row = states.get(node.id)!;
      expect(row.state).toBe(!enabled.has(node.id) ? "disabled" : running.includes(node.id) ? "active" : "unsatisfied");
      if (row.state === "unsatisfied") expect(row.reason).toMatch(/needs|cycle/);
    }
  });
});
