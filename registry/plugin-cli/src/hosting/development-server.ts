import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { PackedPlugin } from "../packing/build.js";
import { publishThrough } from "../packing/publish-through.js";
import { developer, makeDeveloper } from "./developer-account.js";
import type { Neighbour } from "./neighbours.js";
import { PackageRegistry } from "./package-registry.js";

/** A server that a plugin under development is put into. */
export interface DevelopmentServer extends AsyncDisposable {
  readonly url: string;
  /** Makes a version available to the server's installation. */
  offer(packed: PackedPlugin): Promise<void>;
  /** The key of an admin; undefined on a server without accounts. */
  readonly key: string | undefined;
  /** What an author should know of it. */
  readonly advice?: string;
}

export interface RunningServer {
  readonly url: string;
  /** Of an admin. */
  readonly key: string;
  /** Of an author. */
  readonly token: string;
}

/** A server that runs already. */
export function runningServer({ url, key, token }: RunningServer): DevelopmentServer {
  return {
    url,
    key,
    offer: ({ tarball }) => publishThrough({ server: url, token, tag: "dev" }, tarball),
    async [Symbol.asyncDispose]() {},
  };
}

export interface OwnServerOptions {
  /** Where it keeps its files. */
  readonly dataFolder: string;
  /** Built plugins that run beside the one under development. */
  readonly beside: readonly Neighbour[];
  readonly port: number;
  /** Called with each line of the server's log. */
  readonly log: (line: string) => void;
}

/**
 * A server of the kernel that is installed with this program. It keeps its tables in memory, and has no accounts;
 * beside a web interface, which would ask for the first one, it has that of the developer.
 */
export async function ownServer({ dataFolder, beside, port, log }: OwnServerOptions): Promise<DevelopmentServer> {
  const registry = await PackageRegistry.open();
  const kernel = dirname(createRequire(import.meta.url).resolve("@longbox/kernel/package.json"));
  const linked = beside.flatMap(({ folder }) => ["--plugin", folder]);
  const child = spawn(process.execPath, [join(kernel, "dist/bin/longbox.js"), "start", "--ephemeral", ...linked], {
    env: {
      ...process.env,
      LONGBOX_DATA: dataFolder,
      LONGBOX_HOST: "127.0.0.1",
      LONGBOX_PORT: String(port),
      LONGBOX_REGISTRY: registry.url,
      // Stacks then name the lines of the sources.
      NODE_OPTIONS: "--enable-source-maps",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  createInterface(child.stderr).on("line", (line) => tellAuthor(line, log));
  const stop = async () => {
    await end(child);
    await registry[Symbol.asyncDispose]();
  };
  try {
    const url = await listening(child);
    const offer = async ({ manifest, tarball }: PackedPlugin) => registry.offer(manifest, tarball);
    const server = { url, offer, [Symbol.asyncDispose]: stop };
    if (!beside.some(({ hasSite }) => hasSite)) return { ...server, key: undefined };
    const { username, password } = developer;
    const advice = `Sign in at ${url} as "${username}" with the password "${password}".`;
    return { ...server, key: await makeDeveloper(url), advice };
  } catch (failure) {
    await stop();
    throw failure;
  }
}

/**
 * A line of the server's log, in which an author would look for options, and has no use for the token of a first
 * account.
 */
function tellAuthor(line: string, log: (line: string) => void): void {
  if (line.startsWith("There is no account yet.")) return;
  log(line.replace("another port with LONGBOX_PORT", "another one with --port"));
}

/** The address in the line that the server prints once it listens. */
async function listening(child: ChildProcess): Promise<string> {
  for await (const line of createInterface(child.stdout!)) return (JSON.parse(line) as { listening: string }).listening;
  throw new Error("The server ended before it listened.");
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}
