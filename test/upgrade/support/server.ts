// A server of a checkout, of this commit or an earlier one, as a process of its own with all of the checkout's plugins.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

export interface ReleaseServer extends AsyncDisposable {
  readonly url: string;
  /** Asks with an API key, or without one. */
  as(key: string | undefined): Client;
}

export interface Answer {
  readonly status: number;
  readonly body: any;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

export interface Client {
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown): Promise<Answer>;
}

/** @param at - The moment at which its clock begins, in milliseconds since 1970 */
export async function startRelease(checkout: string, dataFolder: string, at: number): Promise<ReleaseServer> {
  const program = join(checkout, "kernel/dist/bin/longbox.js");
  const linked = builtPlugins(checkout).flatMap((folder) => ["--plugin", folder]);
  const server = spawn(process.execPath, [program, ...linked], {
    env: {
      ...process.env,
      NODE_OPTIONS: `--import=${join(import.meta.dirname, "clock.mjs")}`,
      LONGBOX_TEST_CLOCK: String(at - Date.now()),
      LONGBOX_DATA: dataFolder,
      LONGBOX_HOST: "127.0.0.1",
      LONGBOX_PORT: "0",
      LONGBOX_REGISTRY: "http://127.0.0.1:9/",
      LONGBOX_DEFAULT_PLUGINS: "",
      LONGBOX_DATABASE: "sqlite",
      // On a machine with much else to do, a plugin is not to blame for waiting.
      LONGBOX_BLOCKED_MS: "60000",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  server.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(server, "exit").then(() => {
    throw new Error(`The server of ${checkout} ended:\n${said}`);
  });
  const [line] = (await Promise.race([once(createInterface({ input: server.stdout }), "line"), ended])) as [string];
  ended.catch(() => undefined);
  const { listening: url } = JSON.parse(line) as { listening: string };
  return {
    url,
    as: (key) => ({ get: (path) => ask(url, key, { path }), post: (path, body = {}) => ask(url, key, { path, body }) }),
    async [Symbol.asyncDispose]() {
      const gone = once(server, "exit");
      if (server.kill("SIGTERM")) await gone;
    },
  };
}

async function ask(
  url: string,
  key: string | undefined,
  { path, body }: { readonly path: string; readonly body?: unknown },
): Promise<Answer> {
  const answer = await fetch(url + path, {
    redirect: "manual",
    method: body === undefined ? "GET" : "POST",
    headers: { ...(key && { authorization: `Bearer ${key}` }), "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw new Error(`${path} was not answered.`, { cause });
  });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  const isJson = answer.headers.get("content-type")?.includes("json") && text !== "";
  return { status: answer.status, headers: answer.headers, bytes, body: isJson ? JSON.parse(text) : text };
}

/** Asks until the answer is as wanted. */
export async function until(good: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1_500; tries += 1) {
    if (await good()) return;
    await pause(40);
  }
  throw new Error("It never came to that.");
}

function builtPlugins(checkout: string): string[] {
  const folders = readdirSync(join(checkout, "plugins")).map((id) => join(checkout, "plugins", id));
  return folders.filter(
    (folder) => existsSync(join(folder, "dist/index.js")) && isPlugin(join(folder, "package.json")),
  );
}

function isPlugin(file: string): boolean {
  return existsSync(file) && "longbox" in (JSON.parse(readFileSync(file, "utf8")) as object);
}
