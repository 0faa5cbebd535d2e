// `npm start`: the registry and the kernel of this checkout. Prints one line of JSON once the kernel listens.
import { join, resolve } from "node:path";
import { Longbox } from "../starting/longbox.js";

const root = join(import.meta.dirname, "..", "..", "..");
const longbox = new Longbox({
  root,
  dataFolder: resolve(process.env["LONGBOX_DATA"] ?? join(root, ".longbox")),
  build: process.env["LONGBOX_BUILD"],
  registry: process.env["LONGBOX_REGISTRY"],
  log: (line) => process.stderr.write(`${line}\n`),
});
const stop = () => longbox.stop();
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, stop);
process.on("disconnect", stop);
// npm that is killed passes no signal on; this process then has a different parent.
const parent = process.ppid;
if (process.env["npm_lifecycle_event"] !== undefined)
  setInterval(() => {
    if (process.ppid !== parent) stop();
  }, 1000).unref();
try {
  process.exitCode = await longbox.run();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
// The channel to the program that started this one would keep the process alive.
if (process.connected) process.disconnect();
