import { Worker } from "node:worker_threads";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { TaskThread, type PluginWorker, type TaskAnswer, type TaskRequest } from "../src/index.js";

const door = pathToFileURL(join(import.meta.dirname, "../dist/worker.js")).href;
const source = `
import { answerTasks } from ${JSON.stringify(door)};
import { threadId } from "node:worker_threads";
answerTasks({
  double: (n) => n * 2,
  slowly: (n) => new Promise((resolve) => setTimeout(resolve, 20, n)),
  refuse: () => { throw new RangeError("no such thing"); },
  thread: () => threadId,
  hang: () => { for (;;); },
  die: () => process.exit(3),
  grow: () => { const all = []; for (;;) all.push(new Array(10000).fill(Math.random())); },
});
`;

type Tasks = Record<
  "double" | "slowly" | "refuse" | "thread" | "hang" | "die" | "grow",
  { input: number; output: number }
>;

function startWorker(): PluginWorker<TaskRequest, TaskAnswer> {
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), {
    resourceLimits: { maxOldGenerationSizeMb: 32 },
  });
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  worker.once("error", reject);
  worker.once("exit", () => resolve());
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (listener) => {
      worker.on("message", listener);
      return { release: () => void worker.off("message", listener) };
    },
    ended,
    release: async () => void (await worker.terminate()),
  };
}

let thread: TaskThread<Tasks>;
afterEach(() => thread.release());

describe("a thread of tasks", () => {
  it("answers each task, in turn, from one thread", async () => {
    thread = new TaskThread<Tasks>({ start: startWorker });
    const answers = await Promise.all([thread.run("slowly", 1), thread.run("double", 4), thread.run("double", 5)]);
    expect(answers).toEqual([1, 8, 10]);
    expect(await thread.run("thread", 0)).toBe(await thread.run("thread", 0));
  });

  it("tells what a task threw, and goes on", async () => {
    thread = new TaskThread<Tasks>({ start: startWorker });
    await expect(thread.run("refuse", 0)).rejects.toMatchObject({ kind: "bad-input", message: "no such thing" });
    expect(await thread.run("double", 2)).toBe(4);
  });

  it.each([
    ["takes too long", "hang", "kernel/task-too-long"],
    ["ends the thread", "die", "kernel/task-failed"],
    ["needs more memory than it may", "grow", "kernel/task-failed"],
  ] as const)("gives up a task that %s, and serves the next from another thread", async (_, task, code) => {
    thread = new TaskThread<Tasks>({ start: startWorker, limitMs: 1500 });
    const [lost, next] = await Promise.allSettled([thread.run(task, 0), thread.run("double", 3)]);
    expect(lost).toMatchObject({ status: "rejected", reason: { code } });
    expect(next).toEqual({ status: "fulfilled", value: 6 });
  });

  it("starts another thread after it was idle", async () => {
    thread = new TaskThread<Tasks>({ start: startWorker, idleMs: 1 });
    const first = await thread.run("thread", 0);
    await expect.poll(() => thread.run("thread", 0).then((id) => id === first)).toBe(false);
  });

  it("refuses tasks once it is released", async () => {
    thread = new TaskThread<Tasks>({ start: startWorker });
    const running = thread.run("slowly", 1);
    await thread.release();
    await expect(running).rejects.toMatchObject({ code: "kernel/stopped" });
    await expect(thread.run("double", 1)).rejects.toMatchObject({ code: "kernel/stopped" });
  });
});
