// The stream of changes with 1,000 clients on one process: how long a change takes to reach all of them; and what 100
// clients that never read cost the server.
import { connect, type Socket } from "node:net";
import { once } from "node:events";
import { startChild } from "./support/child.ts";
import { percentile, report } from "./support/measure.ts";

interface Address {
  readonly url: string;
  readonly key: string;
  readonly listenerKeys: readonly string[];
}

const clients = 1_000;
const rings = 40;
const now = () => performance.timeOrigin + performance.now();

await using server = await startChild<Address>(`${import.meta.dirname}/support/ringing-server.ts`);
const { url, key, listenerKeys } = server.ready;
const port = Number(new URL(url).port);

let opened = 0;

async function open(): Promise<Socket> {
  const listenerKey = listenerKeys[opened++ % listenerKeys.length];
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(`GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Api-Key: ${listenerKey}\r\n\r\n`);
  return socket;
}

/** A client that tells when it heard the bell. */
async function listener(heard: (at: number) => void): Promise<Socket> {
  const socket = await open();
  await once(socket, "data");
  socket.setEncoding("latin1");
  socket.on("data", (text: string) => {
    if (text.includes("event: bell")) heard(now());
  });
  return socket;
}

async function ring(): Promise<number> {
  const answer = await fetch(`${url}/api/ring`, { method: "POST", headers: { "x-api-key": key } });
  return ((await answer.json()) as { at: number }).at;
}

async function held(): Promise<number> {
  const answer = await fetch(`${url}/api/held`, { headers: { "x-api-key": key } });
  return ((await answer.json()) as { bytes: number }).bytes;
}

const times: number[] = [];
let onHeard = (_at: number) => {};
const sockets: Socket[] = [];
for (let number = 0; number < clients; number += 50)
  sockets.push(...(await Promise.all(Array.from({ length: 50 }, () => listener((at) => onHeard(at))))));

for (let round = 0; round < rings; round++) {
  const arrivals: number[] = [];
  const all = new Promise<void>((resolve) => {
    onHeard = (at) => {
      if (arrivals.push(at) === clients) resolve();
    };
  });
  const rung = await ring();
  await all;
  times.push(...arrivals.map((at) => at - rung));
}
report({
  bench: "events",
  clients,
  p50Milliseconds: percentile(times, 0.5),
  p99Milliseconds: percentile(times, 0.99),
  slowestMilliseconds: percentile(times, 1),
  ratio: percentile(times, 0.99) / 250,
  // The last client hears of a change not much later than the one in the middle.
  spread: percentile(times, 0.99) / percentile(times, 0.5),
  atMost: { spread: 4 },
  goal: "p99 at most 250 ms, of which 75 ms join bursts",
});
for (const socket of sockets) socket.destroy();

const silent = await Promise.all(Array.from({ length: 100 }, open));
for (const socket of silent) socket.pause();
const watcher = await listener((at) => onHeard(at));
const pealAndWait = async () => {
  const heard = new Promise<number>((resolve) => (onHeard = resolve));
  const { status } = await fetch(`${url}/api/peal`, { method: "POST", headers: { "x-api-key": key } });
  if (status >= 300) throw new Error(`The peal was answered with ${status}.`);
  await heard;
};
const peals = 600;
for (let round = 0; round < 20; round++) await pealAndWait();
const before = await held();
for (let round = 0; round < peals; round++) await pealAndWait();
const after = await held();
report({
  bench: "events-silent-clients",
  clients: silent.length,
  changes: peals * 49,
  residentBefore: before,
  residentAfter: after,
  ratio: after / before,
  // Less than everything: its socket was full, and the server kept no more than the latest of each domain.
  deliveredShare: (await bellsHeardBy(silent[0]!)) / (peals + 20),
  atMost: { ratio: 1.3, deliveredShare: 0.99 },
  goal: "flat: a ratio near 1",
});
for (const socket of [...silent, watcher]) socket.destroy();

/** Lets a silent client read at last, until nothing more comes for a second. */
async function bellsHeardBy(socket: Socket): Promise<number> {
  let text = "";
  socket.setEncoding("latin1");
  socket.on("data", (more: string) => (text += more));
  socket.resume();
  for (let length = -1; length !== text.length;) {
    length = text.length;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  return text.split("event: bell\n").length - 1;
}
