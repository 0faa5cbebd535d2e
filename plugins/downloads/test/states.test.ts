import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { drawStates, isOpen, transitions, type ItemState } from "../src/queue/states.ts";

const states = Object.keys(transitions) as ItemState[];

it("is drawn in the README as it is", async () => {
  expect(await readFile(join(import.meta.dirname, "../README.md"), "utf8")).toContain(drawStates());
});

it("reaches every state from the first, and a final one from every state", () => {
  const reached = (from: ItemState): Set<ItemState> => {
    const seen = new Set<ItemState>([from]);
    for (const state of seen) for (const next of Object.values(transitions[state])) seen.add(next);
    return seen;
  };
  expect([...reached("queued")].toSorted()).toEqual(states.toSorted());
  for (const state of states) expect([...reached(state)].some((end) => !isOpen(end))).toBe(true);
});
