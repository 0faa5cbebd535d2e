import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { publisher } from "../serving/verdaccio-configuration.js";

const patienceMs = 4000;
/** The registry that is asked may have to start Verdaccio first. */
const answerMs = 20_000;

/**
 * The last port of the registry if it is free, else any free one. It is known before Verdaccio listens.
 * @throws {Error} When the registry of this folder runs already.
 */
export async function registryPort(folder: string): Promise<number> {
  const last = await lastUrl(folder);
  if (last === undefined) return anyPort();
  const port = Number(new URL(last).port);
  // The registry of a killed run may need a moment to stop.
  for (const until = performance.now() + patienceMs; performance.now() < until; await delay(100)) {
    if (await isFree(port)) return port;
    if (!(await answers(last, folder))) return anyPort();
  }
  throw new Error(`Longbox is already running on this data folder: its registry answers at ${last}.`);
}

async function lastUrl(folder: string): Promise<string | undefined> {
  const text = await readFile(join(folder, "registry.json"), "utf8").catch(() => undefined); // This is the first start.
  return text === undefined ? undefined : (JSON.parse(text) as { url: string }).url;
}

/** Whether the answering registry is that of this folder: only that one knows the folder's token. */
async function answers(url: string, folder: string): Promise<boolean> {
  const token = await readFile(join(folder, "token"), "utf8").catch(() => "");
  const answer = await fetch(`${url}/-/whoami`, {
    headers: { authorization: `Bearer ${token.trim()}` },
    signal: AbortSignal.timeout(answerMs),
  }).catch(() => undefined);
  const who = (await answer?.json().catch(() => undefined)) as { username?: string } | undefined;
  return who?.username === publisher;
}

async function isFree(port: number): Promise<boolean> {
  return (await listenOnce(port)) !== undefined;
}

async function anyPort(): Promise<number> {
  const port = await listenOnce(0);
  if (port === undefined) throw new Error("This machine has no free port on 127.0.0.1.");
  return port;
}

async function listenOnce(port: number): Promise<number | undefined> {
  const server = createServer();
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  } catch {
    return undefined; // The port is taken; the caller decides what that means.
  } finally {
    server.close();
  }
}
