import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const plugins = ["imaging", "operations", "collection", "files", "comics", "reading", "reader", "web"];

/** A server of its own for one test file, with the plugins of this checkout, on a free port of loopback. */
export interface RunningLongbox extends AsyncDisposable {
  readonly url: string;
  /** What the server wrote to its log; for when a test fails. */
  readonly log: () => string;
}

/** @param others - Ids of plugins to run; those of reading always do. */
export async function startLongbox(
  environment: Record<string, string> = {},
  others: readonly string[] = [],
): Promise<RunningLongbox> {
  const data = await mkdtemp(join(tmpdir(), "longbox-browser-"));
  const server = spawn(
    process.execPath,
    [
      join(root, "kernel/dist/bin/longbox.js"),
      ...[...new Set([...plugins, ...others])].flatMap((plugin) => ["--plugin", join(root, "plugins", plugin)]),
    ],
    {
      cwd: root,
      env: {
        ...process.env,
        LONGBOX_DATA: data,
        LONGBOX_PORT: "0",
        LONGBOX_HOST: "127.0.0.1",
        LONGBOX_REGISTRY: "http://127.0.0.1:9/",
        LONGBOX_DEFAULT_PLUGINS: "",
        ...environment,
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  // Where something else fails before the test has the server in its hands.
  const endToo = () => void server.kill("SIGTERM");
  process.once("exit", endToo);
  server.once("exit", () => process.off("exit", endToo));
  let log = "";
  server.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()));
  const url = await listening(server, () => log);
  return {
    url,
    log: () => log,
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      if (server.exitCode === null && server.kill("SIGTERM")) await ended;
      await rm(data, { recursive: true, force: true });
    },
  };
}

async function listening(server: ChildProcess, log: () => string): Promise<string> {
  const died = new Promise<never>((_, reject) =>
    server.once("exit", (code) => reject(new Error(`The server ended with ${code}:\n${log()}`))),
  );
  died.catch(() => undefined);
  const { stdout } = server;
  if (!stdout) throw new Error("The server has no standard output.");
  const line = new Promise<string>((resolve) => createInterface(stdout).once("line", resolve));
  return (JSON.parse(await Promise.race([line, died])) as { listening: string }).listening;
}
