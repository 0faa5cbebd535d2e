// How long the kernel takes from its process to /healthz, and until all default plugins are active, with what an
// earlier start installed; the yardstick is Node itself, starting to do nothing.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { median, report } from "./support/measure.ts";

const root = join(import.meta.dirname, "../..");
const data = await mkdtemp(join(tmpdir(), "longbox-bench-start-"));
const environment = { ...process.env, LONGBOX_DATA: data, LONGBOX_PORT: "0", LONGBOX_HOST: "127.0.0.1" };

async function firstLine(program: string, args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args], { env: environment, stdio: ["pipe", "pipe", "ignore"] });
  const ended = once(child, "exit");
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), "line"), ended.then(() => Promise.reject(new Error(`${program} ended`)))])) as [string];
  return { line, async stop() { child.kill("SIGTERM"); await ended; } };
}

async function untilAnswering(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/healthz`).catch(() => undefined);
    if (answer?.ok) return;
  }
}

async function untilActive(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/api/plugins`);
    const rows = (await answer.json()) as Array<{ state: string }>;
    if (rows.length > 0 && rows.every(({ state }) => state === "active")) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function oneStart(): Promise<{ healthz: number; active: number }> {
  const begun = performance.now();
  const kernel = await firstLine(join(root, "kernel/dist/bin/longbox.js"), []);
  const { listening } = JSON.parse(kernel.line) as { listening: string };
  await untilAnswering(listening);
  const healthz = performance.now() - begun;
  await untilActive(listening);
  const active = performance.now() - begun;
  await kernel.stop();
  return { healthz, active };
}

async function bareNode(): Promise<number> {
  const begun = performance.now();
  await once(spawn(process.execPath, ["--eval", "0"], { stdio: "ignore" }), "exit");
  return performance.now() - begun;
}

try {
  // Fills the data folder through the front door: the registry, publishing, and the installation of the default plugins.
  const whole = await firstLine(join(root, "registry/dist/bin/start.js"), []);
  await whole.stop();
  const starts: Array<{ healthz: number; active: number }> = [];
  const bare: number[] = [];
  for (let round = 0; round < 5; round++) {
    starts.push(await oneStart());
    bare.push(await bareNode());
  }
  const node = median(bare);
  const healthz = median(starts.map((start) => start.healthz));
  const active = median(starts.map((start) => start.active));
  report({ bench: "start", figure: "to /healthz", milliseconds: healthz, bareNodeMilliseconds: node, ratio: healthz / node, goal: "1 s" });
  report({ bench: "start", figure: "to all default plugins active", milliseconds: active, bareNodeMilliseconds: node, ratio: active / node, goal: "3 s" });
} finally {
  await rm(data, { recursive: true, force: true });
}
