import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** A server as `npm start` runs it, with its own registry. */
export interface SoakedServer extends AsyncDisposable {
  readonly url: string;
  readonly dataFolder: string;
  /** The first process of the tree. */
  readonly processId: number;
  /** How the server ended, once it has; it should not while it is soaked. */
  readonly ended: () => string | undefined;
}

/**
 * Starts the checkout's program; its log is written to a file. A first start publishes and installs every default
 * plugin.
 */
export async function startSoaked(root: string, dataFolder: string, logFile: string): Promise<SoakedServer> {
  const log = createWriteStream(logFile);
  const child = spawn(process.execPath, ["--max-semi-space-size=1", join(root, "registry/dist/bin/start.js")], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      LONGBOX_DATA: dataFolder,
      LONGBOX_HOST: "127.0.0.1",
      LONGBOX_PORT: "0",
      npm_lifecycle_event: undefined,
    },
  });
  child.stderr.pipe(log);
  let end: string | undefined;
  const exit = once(child, "exit").then(([code, signal]) => void (end = `with ${code ?? signal}`));
  const line = await Promise.race([
    once(createInterface({ input: child.stdout }), "line") as Promise<[string]>,
    exit.then(() => Promise.reject(new Error(`The server ended ${end} before it listened; see ${logFile}.`))),
  ]);
  return {
    url: (JSON.parse(line[0]) as { listening: string }).listening,
    dataFolder,
    processId: child.pid!,
    ended: () => end,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await exit;
    },
  };
}

/** Where the server's registry listens, and what may publish there. */
export async function registryOf(server: SoakedServer): Promise<{ url: string; token: string }> {
  const folder = join(server.dataFolder, "registry");
  const { url } = JSON.parse(await readFile(join(folder, "registry.json"), "utf8")) as { url: string };
  return { url, token: (await readFile(join(folder, "token"), "utf8")).trim() };
}

export interface TreeUse {
  readonly ids: readonly number[];
  readonly processes: number;
  /** Shared pages are divided among those that share them. */
  readonly proportionalMegabytes: number;
  /** Of the process that serves. */
  readonly residentMegabytes: number;
  readonly descriptors: number;
}

/** What the server's processes use now. Those that end meanwhile count as nothing. */
export async function useOfTree(root: number): Promise<TreeUse> {
  const children = await childrenOf(root);
  const kernel = await firstOf(children, runsKernel);
  const tree = [root, ...children, ...(kernel === undefined ? [] : await childrenOf(kernel))];
  const shares = await Promise.all(tree.map((id) => megabytesIn(`/proc/${id}/smaps_rollup`, /^Pss:\s+(\d+)/m)));
  return {
    ids: tree,
    processes: tree.length,
    proportionalMegabytes: shares.reduce((sum, share) => sum + share, 0),
    residentMegabytes: kernel === undefined ? 0 : await megabytesIn(`/proc/${kernel}/status`, /^VmRSS:\s+(\d+)/m),
    descriptors: kernel === undefined ? 0 : (await readdir(`/proc/${kernel}/fd`).catch(() => [])).length,
  };
}

async function firstOf<T>(ones: readonly T[], test: (one: T) => Promise<boolean>): Promise<T | undefined> {
  for (const one of ones) if (await test(one)) return one;
  return undefined;
}

async function runsKernel(id: number): Promise<boolean> {
  const parameters = await readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "");
  return parameters.split("\0").some((one) => one.endsWith("kernel/dist/bin/longbox.js"));
}

async function childrenOf(id: number): Promise<number[]> {
  const listed = await readFile(`/proc/${id}/task/${id}/children`, "utf8").catch(() => "");
  return listed.split(" ").filter(Boolean).map(Number);
}

async function megabytesIn(file: string, pattern: RegExp): Promise<number> {
  const text = await readFile(file, "utf8").catch(() => "");
  return Number(pattern.exec(text)?.[1] ?? 0) / 1024;
}
