import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { launch, serving, starting } from "./launching.ts";

/** A server as users run it: its modules packed, its plugins installed from the registry. */
export interface Served extends AsyncDisposable {
  readonly url: string;
  /** Of a request by its admin. */
  readonly headers: Readonly<Record<string, string>>;
  /** The process that answers. */
  readonly processId: number;
}

/**
 * Starts everything once, so that these plugins are published and installed, and then the server alone.
 * @param plugins - Those that the tree does not have are left out
 * @param data - An empty data folder
 * @param prepare - Works on the data folder in between, when the plugins have their databases and nothing runs
 */
export async function startServed(
  plugins: readonly string[],
  data: string,
  prepare?: () => Promise<void>,
): Promise<Served> {
  const environment = {
    LONGBOX_DATA: data,
    LONGBOX_HOST: "127.0.0.1",
    LONGBOX_PORT: "0",
    LONGBOX_DEFAULT_PLUGINS: (await Promise.all(plugins.map(versioned))).filter(Boolean).join(),
  };
  const whole = launch(starting, environment);
  await whole.ready;
  await whole.stop();
  await prepare?.();
  const server = launch(serving, environment);
  try {
    const url = (JSON.parse(await server.ready) as { listening: string }).listening;
    return {
      url,
      headers: { cookie: await becomeAdmin(url), origin: url },
      processId: await largestProcess(server.process.pid!),
      [Symbol.asyncDispose]: () => server.stop(),
    };
  } catch (fault) {
    await server.stop();
    throw fault;
  }
}

async function versioned(plugin: string): Promise<string | undefined> {
  const path = join(import.meta.dirname, "../../../../plugins", plugin, "package.json");
  if (!existsSync(path)) return undefined;
  const { name, version } = JSON.parse(await readFile(path, "utf8")) as { name: string; version: string };
  return `${name}@${version}`;
}

async function becomeAdmin(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/register`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify({ username: "admin", email: "admin@example.org", password: "correct horse battery 9" }),
  });
  if (!answer.ok) throw new Error(`The first account was refused: ${await answer.text()}`);
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

/** A supervisor, and what runs beside the server, need less memory than the server. For Linux. */
async function largestProcess(root: number): Promise<number> {
  const processes = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = new Map(await Promise.all(processes.map(async (id) => [id, await parentOf(id)] as const)));
  const isBelow = (id: number | undefined): boolean => id === root || (id !== undefined && isBelow(parents.get(id)));
  const below = await Promise.all(processes.filter(isBelow).map(async (id) => ({ id, bytes: await residentOf(id) })));
  return below.reduce((most, one) => (one.bytes > most.bytes ? one : most)).id;
}

async function parentOf(id: number): Promise<number | undefined> {
  const text = await readFile(`/proc/${id}/stat`, "utf8").catch(() => "");
  return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[1]) || undefined;
}

async function residentOf(id: number): Promise<number> {
  const text = await readFile(`/proc/${id}/status`, "utf8").catch(() => "");
  return Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? 0) * 1024;
}
