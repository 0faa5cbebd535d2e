// Criterion 18: a plugin that closes nothing leaves nothing behind, and what it left open is told with its type and
// place.
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { appendFile, mkdir } from "node:fs/promises";
import http, { createServer } from "node:http";
import net from "node:net";
import path from "node:path";
import { setImmediate as aTurn } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Bench, install, temporaryFolder, until, type TinyPlugin } from "../plugins/support.js";

/** What the plugin of this test tells the test, which runs in the same process. */
interface Told {
  readonly watched: string;
  readonly url: string;
  readonly turns: Record<string, number>;
  readonly changes: string[];
  readonly ports: { tcp: number; udp: number };
  readonly child: { pid: number; exitCode: number | null; signalCode: string | null };
  readonly worker: { threadId: number };
}
const shared = globalThis as unknown as { __careless?: Partial<Told> };

/** Each of these lines opens something, and nothing closes it. */
const lines: readonly (readonly [opens: string, line: string])[] = [
  ["an interval", `setInterval(() => count("interval"), 1);`],
  ["a timeout", `const later = () => { count("timeout"); setTimeout(later, 1); }; later();`],
  ["an immediate", `const soon = () => { count("immediate"); setImmediate(soon); }; soon();`],
  ["a server on 127.0.0.1:", `const server = net.createServer().listen(0, "127.0.0.1");`],
  ["a socket", `const socket = dgram.createSocket("udp4").bind(0, "127.0.0.1");`],
  ["a file watcher", `fs.watch(told.watched, (event) => told.changes.push(event));`],
  ["a worker thread", `told.worker = new Worker("setInterval(() => {}, 1000)", { eval: true });`],
  ["a process", `told.child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });`],
  ['a listener of process "SIGUSR2"', `process.on("SIGUSR2", () => {});`],
  ['a listener of http.globalAgent "free"', `http.globalAgent.on("free", () => {});`],
  ['a listener of process.stdout "resize"', `process.stdout.once("resize", () => {});`],
];

const careless: TinyPlugin = {
  id: "careless",
  head: `import net from "node:net"; import dgram from "node:dgram"; import fs from "node:fs"; import http from "node:http"; import { once } from "node:events";
import { spawn } from "node:child_process"; import { Readable } from "node:stream"; import { Worker } from "node:worker_threads"; import { setTimeout as sleep } from "node:timers/promises";`,
  activate: `const told = globalThis.__careless; const count = (name) => (told.turns[name] = (told.turns[name] ?? 0) + 1);
${lines.map(([, line]) => line).join("\n")}
await Promise.all([once(server, "listening"), once(socket, "listening"), once(told.worker, "online"), once(told.child, "spawn")]);
told.ports = { tcp: server.address().port, udp: socket.address().port };
(async () => { for (;;) { count("sleeping"); await sleep(1); } })();
(async () => { count("unresolved"); await new Promise(() => {}); count("unresolved"); })();
await (await fetch(told.url)).text();
const { constructor: Agent } = globalThis[Symbol.for("undici.globalDispatcher.1")];
await (await fetch(told.url, { dispatcher: new Agent({ connections: 3 }) })).text();
context.routes([defineRoute({ method: "GET", path: "/api/careless", summary: "streams", handle: () => reply.content({ kind: "stream", contentType: "text/event-stream",
  stream: Readable.from((async function* () { for (;;) { count("streaming"); yield "data: on\\n\\n"; await sleep(1); } })()) }) })]);`,
};

/** A plain server, which knows the connections that are open to it. */
async function startNeighbour() {
  const connections = new Set<net.Socket>();
  // A pool closes what is idle for longer than the server says that it keeps it.
  const server = createServer({ keepAliveTimeout: 120_000 }, (_, response) => void response.end("hello"));
  server.on("connection", (connection) => {
    connections.add(connection);
    connection.on("close", () => connections.delete(connection));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as net.AddressInfo).port}/`;
  return { url, connections, [Symbol.dispose]: () => (server.close(), server.closeAllConnections()) };
}

const listeners = () => [
  process.listenerCount("SIGUSR2"),
  http.globalAgent.listenerCount("free"),
  process.stdout.listenerCount("resize"),
];

/** Binds both ports again: nothing holds them any more. */
async function bindAgain({ tcp, udp }: Told["ports"]): Promise<void> {
  const server = net.createServer().listen(tcp, "127.0.0.1");
  await once(server, "listening");
  server.close();
  const socket = createSocket("udp4").bind(udp, "127.0.0.1");
  await once(socket, "listening");
  socket.close();
}

let bench: Bench;
beforeAll(async () => void (bench = await Bench.open()));
afterAll(() => bench[Symbol.asyncDispose]());

it("criterion 18: a plugin that closes nothing is forgotten whole, and each thing that it left open is named with its place", async () => {
  await using folder = await temporaryFolder();
  const watched = path.join(folder.path, "watched");
  await mkdir(watched);
  using neighbour = await startNeighbour();
  const told = (shared.__careless = { watched, url: neighbour.url, turns: {}, changes: [] }) as Partial<Told> as Told;
  await bench.publish(careless);
  await using host = await bench.host();
  const before = listeners();
  await install(host, "@longbox-test/careless");
  expect(listeners()).toEqual(before.map((count) => count + 1));
  const account = (await host.kernel.access.accounts.findByName("viewer"))!;
  const headers = { "x-api-key": await host.kernel.access.keys.replace(account.id) };
  const stream = await fetch(`${host.url}/api/careless`, { headers });
  const streaming = stream.text().then(
    () => "complete",
    () => "cut off",
  );
  await appendFile(path.join(watched, "one"), "x");
  const busy = ["interval", "timeout", "immediate", "sleeping", "streaming"];
  await until(() => busy.every((name) => (told.turns[name] ?? 0) > 3) && told.changes.length > 0);
  // Both pools keep their connection for the next request.
  expect(neighbour.connections.size).toBe(2);

  const { body } = await host.as("admin").post("/api/plugins/careless/enabled", { enabled: false });
  const opened: string[] = body.leftOpen;
  for (const [name, line] of lines) expect(opened, line).toContainEqual(expect.stringMatching(exactly(name)));
  expect(opened.filter((name) => name.startsWith("a connection"))).toHaveLength(2);

  await until(() => told.worker.threadId === -1 && (told.child.exitCode ?? told.child.signalCode) !== null);
  await until(() => neighbour.connections.size === 0);
  expect(await streaming).toBe("cut off");
  await bindAgain(told.ports);
  expect(listeners()).toEqual(before);
  const { turns, changes } = structuredClone({ turns: told.turns, changes: told.changes });
  await appendFile(path.join(watched, "two"), "x");
  for (let turn = 0; turn < 200; turn += 1) await aTurn();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect({ turns: told.turns, changes: told.changes }).toEqual({ turns, changes });
  expect(turns["unresolved"]).toBe(1);
  delete shared.__careless;
});

/**
 * The name of what was left open, with the place in the plugin's file, or in the network where Node opened it later.
 */
function exactly(name: string): RegExp {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(name.endsWith(":") ? `^${escaped}\\d+$` : `^${escaped} \\(index\\.js:\\d+\\)$`);
}
