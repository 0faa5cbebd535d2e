import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { startEmptyRegistry } from "@longbox/test/empty-registry";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The ids of the plugins of this checkout that are built. */
export const allPlugins = readdirSync(join(root, "plugins")).filter((id) => {
  const manifest = join(root, "plugins", id, "package.json");
  return (
    existsSync(manifest) &&
    existsSync(join(root, "plugins", id, "dist/index.js")) &&
    "longbox" in (JSON.parse(readFileSync(manifest, "utf8")) as object)
  );
});

/** A server as `npm start` runs it, supervisor and all, whose data folder outlives it. */
export interface WholeServer extends AsyncDisposable {
  readonly url: string;
  readonly log: () => string;
  /** The id of the process that serves now. */
  readonly pid: () => number;
  /** What the process that serves holds now. */
  readonly holds: () => { readonly megabytes: number; readonly descriptors: number };
  /** Ends it as a service manager does. */
  stop(): Promise<void>;
  /** Ends it and its supervisor at this very instant. */
  kill(): Promise<void>;
}

export interface ServerOptions {
  readonly plugins?: readonly string[];
  /** A program and its arguments that become the server, such as one that gives up privileges first. */
  readonly through?: readonly string[];
}

export async function startServer(data: string, options: ServerOptions = {}): Promise<WholeServer> {
  const { plugins = allPlugins, through = [] } = options;
  const parameters = plugins.flatMap((plugin) => ["--plugin", join(root, "plugins", plugin)]);
  const command = [...through, process.execPath, join(root, "kernel/dist/bin/longbox.js"), ...parameters];
  const registry = await startEmptyRegistry();
  const server = spawn(command[0]!, command.slice(1), {
    cwd: root,
    env: {
      ...process.env,
      LONGBOX_DATA: data,
      LONGBOX_PORT: "0",
      LONGBOX_HOST: "127.0.0.1",
      LONGBOX_REGISTRY: registry.url,
      LONGBOX_DEFAULT_PLUGINS: "",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  server.once("close", () => void registry[Symbol.asyncDispose]());
  let log = "";
  server.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()));
  const url = await listening(server, () => log);
  const stop = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill("SIGTERM");
    await ended;
  };
  const kill = async () => {
    const serving = servingChild(server.pid!);
    const ended = new Promise((resolve) => server.once("close", resolve));
    server.kill("SIGKILL");
    process.kill(serving, "SIGKILL");
    await ended;
  };
  const pid = () => servingChild(server.pid!);
  const holds = () => heldBy(pid());
  return { url, log: () => log, pid, holds, stop, kill, [Symbol.asyncDispose]: stop };
}

/** The first line on standard output. @throws with the log when the server ends before */
async function listening(server: ChildProcess, log: () => string): Promise<string> {
  const ended = new Promise<never>((_, reject) => {
    server.once("error", reject);
    server.once("close", (code) => reject(new Error(`The server ended with ${code}:\n${log()}`)));
  });
  ended.catch(() => undefined);
  const line = new Promise<string>((resolve) => createInterface(server.stdout!).once("line", resolve));
  return (JSON.parse(await Promise.race([line, ended])) as { listening: string }).listening;
}

function servingChild(supervisor: number): number {
  const [child] = readFileSync(`/proc/${supervisor}/task/${supervisor}/children`, "utf8").trim().split(" ");
  return Number(child);
}

function heldBy(pid: number): { megabytes: number; descriptors: number } {
  const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  return { megabytes: Math.round(kilobytes / 1024), descriptors: readdirSync(`/proc/${pid}/fd`).length };
}
