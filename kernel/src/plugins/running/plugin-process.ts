import { fork, type ChildProcess } from "node:child_process";
import { releasable, type PluginWorker } from "@longbox/sdk";
import { runAs } from "../containment/attribution.js";
import type { Activation } from "./activation.js";
import { tooMuchMemoryCode, type ProcessStart } from "./process-protocol.js";

const bootstrap = new URL("./process-bootstrap.js", import.meta.url);
/** The environment variables that a program needs to start; none of the server's settings and secrets. */
const passedOn = ["PATH", "HOME", "TMPDIR", "TZ", "LANG", "LD_LIBRARY_PATH", "SystemRoot"];

/**
 * Starts a worker in a process of its own. Memory outside of the JavaScript heap counts towards its limit and
 * is returned to the system when it ends, unlike that of a thread.
 */
export function startPluginProcess<In, Out>(
  activation: Activation,
  name: string,
  start: ProcessStart,
): PluginWorker<In, Out> {
  const child = fork(bootstrap, {
    serialization: "advanced",
    execArgv: ["--max-semi-space-size=8"],
    env: surroundings(),
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  child.send(start);
  const ending = whenEnded(child, `The worker "${name}" of "${activation.id}"`);
  return {
    post: (message) => void (child.connected && child.send(message as object)),
    onMessage(listener) {
      const heard = (message: unknown) => void runAs(activation, () => listener(message as Out));
      child.on("message", heard);
      return releasable(() => void child.off("message", heard));
    },
    ended: ending.ended,
    async release() {
      ending.release();
      child.kill("SIGKILL");
      // It may have failed before; `ended` reports that.
      await ending.ended.catch(() => undefined);
    },
  };
}

function surroundings(): NodeJS.ProcessEnv {
  const own = Object.fromEntries(passedOn.map((name) => [name, process.env[name]]));
  return { ...own, MALLOC_ARENA_MAX: "2" };
}

function whenEnded(child: ChildProcess, name: string): { ended: Promise<void>; release(): void } {
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  let released = false;
  child.once("error", (fault) => (released ? resolve() : reject(fault)));
  child.once("exit", (code, signal) => {
    if (released || code === 0) resolve();
    else if (code === tooMuchMemoryCode)
      reject(Object.assign(new Error(`${name} took too much memory.`), { code: "ERR_WORKER_OUT_OF_MEMORY" }));
    else reject(new Error(`${name} ended with ${code ?? signal}.`));
  });
  return { ended, release: () => void (released = true) };
}
