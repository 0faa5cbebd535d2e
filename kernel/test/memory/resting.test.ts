import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { restWhenIdle } from "../../src/memory/resting.js";

const everyMs = 100;
const { gc } = globalThis;
afterEach(() => void (globalThis.gc = gc));

function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

it("collects garbage once when a thread is idle, and again only after further work", async () => {
  let collected = 0;
  globalThis.gc = (() => {
    collected += 1;
    // Longer than what passes for idle.
    work(30);
  }) as unknown as NodeJS.GCFunction;
  restWhenIdle(everyMs);
  await expect.poll(() => collected).toBe(1);
  await pause(10 * everyMs);
  work(20);
  await pause(10 * everyMs);
  expect(collected).toBe(1);
  work(1_000);
  await expect.poll(() => collected).toBe(2);
});
