import { spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { checkoutEnvironment, root } from "./checkout.mjs";

/**
 * Runs a program under the pinned Node and resolves with its exit code. Signals are passed on.
 * `tied` gives it a channel to this process: when that closes, however this process ended, the program stops too.
 */
export function handOver([program, ...args], { tied, build }) {
  const node = join(root, "node_modules", ".bin", "node");
  const child = spawn(node, [join(root, program), ...args], {
    cwd: process.cwd(),
    env: { ...checkoutEnvironment(), LONGBOX_BUILD: build },
    stdio: ["inherit", "inherit", "inherit", ...(tied ? ["ipc"] : [])],
  });
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  // A terminal sends Ctrl-C to the whole group; the program has it already.
  process.on("SIGINT", () => {
    if (!process.stdin.isTTY) child.kill("SIGINT");
  });
  const watch = stopWhenLeftAlone(() => child.kill("SIGTERM"));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      clearInterval(watch);
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}

// npm passes SIGTERM to the shell that runs the script, and a shell that did not replace itself exits without passing
// it on. This process then has a different parent.
function stopWhenLeftAlone(stop) {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const parent = process.ppid;
  return setInterval(() => {
    if (process.ppid !== parent) stop();
  }, 250).unref();
}
