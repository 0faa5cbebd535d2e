import { Kernel } from "./kernel.js";
import type { KernelOptions } from "./kernel-options.js";
import { ServerLog } from "./logging/server-log.js";
import { lockDataFolder } from "./storage/index.js";

/** Runs a kernel as this process: until a signal, or until the process that started it is gone. */
export async function serve(options: KernelOptions): Promise<void> {
  const log = new ServerLog();
  const lock = lockDataFolder(options.dataFolder);
  const kernel = await Kernel.open(options, log);
  const stop = stopOnce(kernel, lock);
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  if (process.send) process.once("disconnect", stop);
  if (process.env["LONGBOX_PARENT"] === "1") process.stdin.once("end", stop).once("error", stop).resume();
  const url = await kernel.listen();
  sayHowToBegin(kernel, log);
  await kernel.startPlugins();
  process.stdout.write(`${JSON.stringify({ listening: url })}\n`);
}

function stopOnce(kernel: Kernel, lock: { release(): void | Promise<void> }): () => void {
  let stopping = false;
  return () => {
    if (stopping) return;
    stopping = true;
    void end(kernel, lock);
  };
}

async function end(kernel: Kernel, lock: { release(): void | Promise<void> }): Promise<void> {
  try {
    await kernel.stop();
    await lock.release();
    process.exit(0);
  } catch (failure) {
    process.stderr.write(`${failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)}\n`);
    process.exit(1);
  }
}

/** Somebody who does not sit at this machine needs the token to make the first account. */
function sayHowToBegin(kernel: Kernel, log: ServerLog): void {
  const { open, setupToken } = kernel.access.openMode;
  if (open) log.logger("kernel").info(`There is no account yet. To make the first one from another machine, use the setup token ${setupToken}`);
}
