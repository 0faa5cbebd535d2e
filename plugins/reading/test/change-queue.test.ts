import { LongboxError } from "@longbox/sdk";
import { describe, expect, it } from "vitest";
import { ChangeQueue } from "../src/change-queue.js";

/** A queue of numbers that keeps what was stored together; negative ones cannot be stored. */
function openQueue(fault: unknown = new Error("it cannot be stored")) {
  const stored: Array<readonly number[] | string> = [];
  const queue = new ChangeQueue<number, number>(async (numbers) => {
    if (numbers.some((number) => number < 0)) throw fault;
    stored.push(numbers);
    return numbers.map((number) => number * 10);
  });
  return { queue, stored };
}

describe("a queue of changes", () => {
  it("stores together what waits at the same time, and answers each", async () => {
    const { queue, stored } = openQueue();
    expect(await Promise.all([1, 2, 3].map((number) => queue.add(number)))).toEqual([10, 20, 30]);
    await queue.add(4);
    expect(stored).toEqual([[1, 2, 3], [4]]);
  });

  it("keeps the order of arrival between what is stored together and what runs alone", async () => {
    const { queue, stored } = openQueue();
    const alone = () => queue.alone(async () => void stored.push("alone"));
    await Promise.all([queue.add(1), queue.add(2), alone(), queue.add(3), alone(), queue.add(4)]);
    expect(stored).toEqual([[1, 2], "alone", [3], "alone", [4]]);
  });

  it.each([new Error("it cannot be stored"), new LongboxError("bad-input", "reading/no", "It is refused.")])(
    "stores the others by themselves when one of them cannot be stored: %s",
    async (fault) => {
      const { queue, stored } = openQueue(fault);
      const settled = await Promise.allSettled([1, -2, 3].map((number) => queue.add(number)));
      expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
      expect(stored).toEqual([[1], [3]]);
    },
  );

  it("refuses all when the database is at fault, and goes on", async () => {
    const { queue, stored } = openQueue(new LongboxError("unavailable", "kernel/database-away", "It is away."));
    const settled = await Promise.allSettled([1, -2, 3].map((number) => queue.add(number)));
    expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    await expect(queue.alone(() => Promise.reject(new Error("it failed")))).rejects.toThrow("it failed");
    expect(await queue.add(5)).toBe(50);
    expect(stored).toEqual([[5]]);
  });
});
