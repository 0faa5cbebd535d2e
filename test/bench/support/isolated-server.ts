// Starts a server with so many plugins (first argument) that answer GET /api/p<n>, in its own process (`none`) or isolated
// (`process`, second argument). They are installed, and the server is then started again as often as the third argument says.
// Prints its address, a key, how long each of these starts took, and the memory of each process of a plugin; ends when stdin does.
import { readdir, readFile } from "node:fs/promises";
import { Bench, install, packageOf } from "../../../kernel/test/plugins/support.ts";

const [count, isolation, starts] = [Number(process.argv[2]), process.argv[3], Number(process.argv[4])];
const plugins = Array.from({ length: count }, (_, n) => ({
  id: `p${n}`,
  activate: `context.routes([
    defineRoute({ method: "GET", path: "/api/p${n}", summary: "Answers", handle: () => ({ greeting: "Good evening", at: 12 }) }),
  ]);`,
}));
const bench = await Bench.open();
for (const plugin of plugins) await bench.publish(plugin);
const host = await bench.host({ isolated: isolation === "process" ? plugins.map(({ id }) => id) : [] });
for (const plugin of plugins) await install(host, packageOf(plugin));
const startMs: number[] = [];
for (let n = 0; n < starts; n += 1) {
  await host.stop();
  const begun = performance.now();
  await host.restart();
  startMs.push(performance.now() - begun);
}
const memoryBytes = await memoryOfPlugins();
process.stdout.write(`${JSON.stringify({ url: host.url, key: host.as("viewer").key, startMs, memoryBytes })}\n`);
process.stdin.resume().on("end", () => {
  const ended = Promise.resolve(host[Symbol.asyncDispose]()).then(() => bench[Symbol.asyncDispose]());
  void ended.finally(() => process.exit(0));
});

/** The proportional set size of each: pages that processes share, such as those of Node's program, count in parts. */
async function memoryOfPlugins(): Promise<number[]> {
  const found: number[] = [];
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    const [program = "", ...rest] = command.split("\0");
    const isPlugins = rest.some((option) => option.startsWith(`--allow-fs-write=${host.dataFolder}`));
    if (program !== process.execPath || !isPlugins) continue;
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8");
    found.push(Number(/^Pss:\s+(\d+)/m.exec(rollup)![1]) * 1024);
  }
  return found;
}
