import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { sparingMemory } from "../../../kernel/dist/supervisor/sparing-memory.js";

/** A program that prints one line of JSON when it is ready, and ends when its standard input does. */
export interface ReadyChild<T> extends AsyncDisposable {
  readonly ready: T;
  readonly process: ChildProcess;
}

/** Starts a program with this Node, as the supervisor starts the kernel, and waits for its first line of JSON. */
export async function startChild<T>(program: string, args: readonly string[] = []): Promise<ReadyChild<T>> {
  const child = spawn(process.execPath, [...sparingMemory.flags, program, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...sparingMemory.environment, ...process.env },
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("exit", (code) => reject(new Error(`${program} ended with ${code} before it was ready.`)));
  });
  return {
    ready: JSON.parse(line) as T,
    process: child,
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      child.kill("SIGTERM");
      await ended;
    },
  };
}
