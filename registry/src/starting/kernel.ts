import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

export interface KernelOptions {
  /** The compiled program, `kernel/dist/bin/longbox.js`. */
  program: string;
  environment: Record<string, string>;
  /** Called with the line of JSON that says where the kernel listens. */
  onListening: (line: string) => void;
}

/** Starts the kernel as a process of its own. It has a channel to this one, and stops when that closes. */
export function startKernel({ program, environment, onListening }: KernelOptions): ChildProcess {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  let told = false;
  createInterface({ input: child.stdout! }).on("line", (line) => {
    // A kernel that is restarted prints the line again, but stdout must have only one.
    if (told) return;
    told = true;
    onListening(line);
  });
  return child;
}
