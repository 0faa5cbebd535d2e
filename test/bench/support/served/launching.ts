import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** The tree that this benchmark lies in. */
const root = join(import.meta.dirname, "../../../..");
/** `npm start` without what it checks first. */
export const starting = "registry/dist/bin/start.js";
/** The server alone, with what an earlier start installed. */
export const serving = "kernel/dist/bin/longbox.js";

export interface Launched {
  readonly process: ChildProcess;
  /** Its first line, which comes once it serves. */
  readonly ready: Promise<string>;
  stop(): Promise<void>;
}

/** @param program - inside of the tree */
export function launch(program: string, environment: NodeJS.ProcessEnv): Launched {
  const child = spawn(process.execPath, [join(root, program)], {
    env: { ...process.env, ...environment },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const ended = once(child, "exit");
  const line = once(createInterface({ input: child.stdout }), "line") as Promise<[string]>;
  const early = ended.then(() => Promise.reject(new Error(`${program} ended before it was ready`)));
  early.catch(() => undefined);
  return {
    process: child,
    ready: Promise.race([line, early]).then(([first]) => first),
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
