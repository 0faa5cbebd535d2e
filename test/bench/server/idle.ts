// What the processes of `npm start` take below npm while all default plugins are active and no client is there: their
// memory, with shared pages divided among those that share them, and their processor time.
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startSoaked, useOfTree } from "../../soak/support/server.ts";
import { report } from "../support/measure.ts";

const root = join(import.meta.dirname, "../../..");
const settleMs = 120_000;
const watchedMs = 60_000;
const ticksPerSecond = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** Processor time of a process so far, in seconds. */
async function secondsOf(process: number): Promise<number> {
  const text = await readFile(`/proc/${process}/stat`, "utf8");
  // The name may have spaces; `utime` and `stime` are the 14th and the 15th value.
  const [user, system] = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13);
  return (Number(user) + Number(system)) / ticksPerSecond;
}

const folder = await mkdtemp(join(tmpdir(), "longbox-bench-idle-"));
try {
  const start = () => startSoaked(root, join(folder, "data"), join(folder, "server.log"));
  // The first start publishes and installs, which later ones do not.
  await (await start())[Symbol.asyncDispose]();
  await using server = await start();
  await pause(settleMs);
  const plugins = (await (await fetch(`${server.url}/api/plugins`)).json()) as { state: string }[];
  const before = await useOfTree(server.processId);
  const seconds = async () => (await Promise.all(before.ids.map(secondsOf))).reduce((sum, one) => sum + one, 0);
  const begun = await seconds();
  await pause(watchedMs);
  const processorPercent = (((await seconds()) - begun) / (watchedMs / 1000)) * 100;
  const { proportionalMegabytes: megabytes, processes } = await useOfTree(server.processId);
  report({
    bench: "idle",
    figure: "npm start, without npm itself",
    activePlugins: plugins.filter(({ state }) => state === "active").length,
    processes,
    megabytes,
    processorPercent,
    atMost: { megabytes: 200, processorPercent: 0.5, processes: 2 },
    goal: "200 MB, 0.5 % of a core",
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}
