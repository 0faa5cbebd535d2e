// `npm start`: publishes this checkout, and hands over to what keeps the registry and the kernel running.
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { whenAskedToEnd } from "../starting/ending.js";
import { reportingFailure } from "../starting/failure.js";
import type { Keeping } from "../starting/keeper.js";
import { prepareStart } from "../starting/preparing.js";
import { sparingEnvironment } from "../starting/sparing-keeper.js";

const root = join(import.meta.dirname, "..", "..", "..");
let stopping = false;

/**
 * The program that keeps them takes the place of this one, and its process: what preparing has loaded is gone. A
 * channel to the program that started this one would not survive that, so with one it is loaded beside what is here.
 */
async function handOver(keeping: Keeping): Promise<void> {
  if (process.send !== undefined) return (await import("../starting/keep.js")).keep(keeping);
  const keeper = fileURLToPath(new URL("keep.js", import.meta.url));
  const command = [process.execPath, ...process.execArgv, keeper, JSON.stringify(keeping)];
  process.execve!(process.execPath, command, sparingEnvironment(process.env));
}

whenAskedToEnd(() => (stopping = true));
await reportingFailure(async () => {
  const { environment, keeping } = await prepareStart({
    root,
    dataFolder: resolve(process.env["LONGBOX_DATA"] ?? join(root, ".longbox")),
    build: process.env["LONGBOX_BUILD"],
    registry: process.env["LONGBOX_REGISTRY"],
    log: (line) => process.stderr.write(`${line}\n`),
  });
  Object.assign(process.env, environment);
  if (!stopping) await handOver(keeping);
});
