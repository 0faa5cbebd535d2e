// Starts a server with so many plugins (first argument) that answer GET /api/p<n>, in its own process (`none`) or
// isolated (`process`, second argument), or isolated in one process (`group`). They are installed, and the server is
// then started again as often as the third argument says. Prints its address, a key, how long each of these starts
// took, the processor time that each took in all processes, its own process id, and the id and the memory of each
// process of a plugin; ends when stdin does.
import { readdir, readFile } from "node:fs/promises";
import { processorMs } from "./measure.ts";
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
const host = await bench.host({ isolated: isolation !== "none" ? plugins.map(({ id }) => id) : [] });
for (const plugin of plugins) await install(host, packageOf(plugin));
if (isolation === "group") {
  // Those that run would be started again for each that comes in.
  for (const { id } of plugins) await host.disable(id);
  for (const { id } of plugins) await host.as("admin").patch(`/api/plugins/${id}`, { group: "bench" });
  for (const { id } of plugins) await host.enable(id);
}
const startMs: number[] = [];
const startProcessorMs: number[] = [];
for (let n = 0; n < starts; n += 1) {
  await host.stop();
  const [begun, before] = [performance.now(), process.cpuUsage()];
  await host.restart();
  startMs.push(performance.now() - begun);
  const { user, system } = process.cpuUsage(before);
  const inside = await Promise.all((await processesOfPlugins()).map(async ({ pid }) => (await processorMs(pid)).own));
  startProcessorMs.push((user + system) / 1000 + inside.reduce((sum, each) => sum + each, 0));
}
const found = await processesOfPlugins();
const memoryBytes = found.map(({ bytes }) => bytes);
const processes = { pid: process.pid, isolated: found.map(({ pid }) => pid) };
const started = { url: host.url, key: host.as("viewer").key, startMs, startProcessorMs, memoryBytes, processes };
process.stdout.write(`${JSON.stringify(started)}\n`);
process.stdin.resume().on("end", () => {
  const ended = Promise.resolve(host[Symbol.asyncDispose]()).then(() => bench[Symbol.asyncDispose]());
  void ended.finally(() => process.exit(0));
});

/** The proportional set size of each: pages that processes share, such as those of Node's program, count in parts. */
async function processesOfPlugins(): Promise<{ pid: number; bytes: number }[]> {
  const found: { pid: number; bytes: number }[] = [];
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    const [program = "", ...rest] = command.split("\0");
    const isPlugins = rest.some((option) => option.startsWith(`--allow-fs-write=${host.dataFolder}`));
    if (program !== process.execPath || !isPlugins) continue;
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8");
    found.push({ pid: Number(pid), bytes: Number(/^Pss:\s+(\d+)/m.exec(rollup)![1]) * 1024 });
  }
  return found;
}
