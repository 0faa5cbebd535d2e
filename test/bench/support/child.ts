import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

/** A program that prints one line of JSON when it is ready, and ends when its standard input does. */
export interface ReadyChild<T> extends AsyncDisposable {
  readonly ready: T;
  readonly process: ChildProcess;
}

/** Starts a program with this Node and waits for its first line of JSON. */
export async function startChild<T>(program: string, args: readonly string[] = [], environment: Record<string, string> = {}): Promise<ReadyChild<T>> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ["pipe", "pipe", "inherit"], env: { ...process.env, ...environment } });
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
