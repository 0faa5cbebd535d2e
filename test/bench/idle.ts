// What `npm start` costs when all default plugins are active and nobody is there: the memory of the whole tree of processes,
// pages that several share counted once, and its processor time. The yardstick is Node itself, doing nothing.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { report } from "./support/measure.ts";

const root = join(import.meta.dirname, "../..");
const data = await mkdtemp(join(tmpdir(), "longbox-bench-idle-"));
/** Verdaccio and idle threads end a minute after they were last needed. */
const untilIdleMs = 90_000;
const watchedMs = 60_000;
const ticksPerSecond = 100;

async function launch(): Promise<ChildProcess> {
  const child = spawn("npm", ["start", "--silent"], {
    cwd: root,
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, LONGBOX_DATA: data, LONGBOX_PORT: "0", npm_lifecycle_event: undefined },
  });
  await once(createInterface({ input: child.stdout! }), "line");
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill("SIGTERM");
  await once(child, "exit");
}

interface Cost {
  readonly programs: number;
  readonly megabytes: number;
  readonly processorMs: number;
}

async function costOf(group: number): Promise<Cost> {
  let programs = 0;
  let kilobytes = 0;
  let ticks = 0;
  for (const id of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const status = await readFile(`/proc/${id}/stat`, "utf8").catch(() => ""); // It may end while it is looked at.
    const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
    if (Number(fields[2]) !== group) continue;
    const memory = await readFile(`/proc/${id}/smaps_rollup`, "utf8").catch(() => "");
    programs++;
    kilobytes += Number(/^Pss: +(\d+)/m.exec(memory)?.[1] ?? 0);
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return { programs, megabytes: (kilobytes * 1024) / 1_000_000, processorMs: (ticks * 1000) / ticksPerSecond };
}

async function bareNodeMegabytes(): Promise<number> {
  const child = spawn(process.execPath, ["--eval", "setInterval(() => {}, 1000)"], { stdio: "ignore", detached: true });
  await pause(1000);
  const { megabytes } = await costOf(child.pid!);
  await stop(child);
  return megabytes;
}

try {
  await stop(await launch()); // The first start publishes and installs.
  const running = await launch();
  await pause(untilIdleMs);
  const before = await costOf(running.pid!);
  await pause(watchedMs);
  const after = await costOf(running.pid!);
  const node = await bareNodeMegabytes();
  await stop(running);
  report({
    bench: "idle",
    figure: "memory of all processes",
    megabytes: after.megabytes,
    processes: after.programs,
    bareNodeMegabytes: node,
    ratio: after.megabytes / node,
    atMost: { megabytes: 200 },
    goal: "200 MB",
  });
  const share = (after.processorMs - before.processorMs) / watchedMs;
  report({
    bench: "idle",
    figure: "share of one core",
    percent: share * 100,
    ratio: share,
    atMost: { ratio: 0.005 },
    goal: "0.5 %",
  });
} finally {
  await rm(data, { recursive: true, force: true });
}
