// How long the kernel takes from its process to /healthz, and until all default plugins are active, with what an
// earlier start installed; the yardstick is Node itself, starting to do nothing.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { launch, serving, starting } from "./support/served/launching.ts";
import { median, report } from "./support/measure.ts";

const data = await mkdtemp(join(tmpdir(), "longbox-bench-start-"));
const port = await freePort();
const environment = { LONGBOX_DATA: data, LONGBOX_PORT: String(port), LONGBOX_HOST: "127.0.0.1" };

/** The line with the address comes once the plugins are up; health answers before that, so the port must be known. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port: free } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return free;
}

async function untilAnswering(): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
    if (answer?.ok) return;
    // Asking without a pause would take the processor from the server that starts.
    await pause(2);
  }
}

async function oneStart(): Promise<{ healthz: number; active: number }> {
  const begun = performance.now();
  const kernel = launch(serving, environment);
  await untilAnswering();
  const healthz = performance.now() - begun;
  await kernel.ready;
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
  // Fills the data folder through the front door: the registry, publishing, and the installation of the default
  // plugins.
  const whole = launch(starting, environment);
  await whole.ready;
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
  report({
    bench: "start",
    figure: "to /healthz",
    milliseconds: healthz,
    slowestMilliseconds: Math.max(...starts.map((start) => start.healthz)),
    bareNodeMilliseconds: node,
    ratio: healthz / node,
    atMost: { ratio: 25 },
    goal: "1 s",
  });
  report({
    bench: "start",
    figure: "to all default plugins active",
    milliseconds: active,
    slowestMilliseconds: Math.max(...starts.map((start) => start.active)),
    bareNodeMilliseconds: node,
    ratio: active / node,
    atMost: { ratio: 75 },
    goal: "3 s",
  });
} finally {
  await rm(data, { recursive: true, force: true });
}
