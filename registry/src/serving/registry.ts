import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { preparePublisher, signIn } from "./publisher-account.js";
import { writeWhole } from "./whole-file.js";
import type { VerdaccioSettings } from "./verdaccio-configuration.js";

export interface RegistryOptions {
  /** Where packages, the publisher's secret and its token are kept. */
  folder: string;
  /** Default 0: any free port. */
  port?: number;
  /** The registry behind this one, for everything outside `@longbox`. Left out, there is none. */
  upstream?: string;
  /** Called with every line that Verdaccio writes. */
  log?: (line: string) => void;
}

/** A running registry on loopback. Disposing it stops its process. */
export interface Registry extends AsyncDisposable {
  readonly url: string;
  readonly folder: string;
  /** The token for publishing, sent as `Authorization: Bearer`. */
  readonly token: string;
  readonly processId: number;
  /** Settles when the process has ended, for whatever reason. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts Verdaccio as a process of its own, on 127.0.0.1. It stops with this process in every case.
 * @throws {Error} When the port is taken or the folder cannot be written.
 */
export async function startRegistry({
  folder,
  port = 0,
  upstream,
  log = () => {},
}: RegistryOptions): Promise<Registry> {
  const password = await preparePublisher(folder);
  const child = forkVerdaccio({ folder, port, upstream }, log);
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  try {
    const url = `http://127.0.0.1:${await listeningPort(child)}`;
    const token = await signIn(url, folder, password);
    await writeWhole(join(folder, "registry.json"), `${JSON.stringify({ url, processId: child.pid })}\n`);
    return { url, folder, token, processId: child.pid ?? 0, ended, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function forkVerdaccio(settings: VerdaccioSettings, log: (line: string) => void): ChildProcess {
  const child = fork(new URL("verdaccio-process.js", import.meta.url), [JSON.stringify(settings)], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    execArgv: ["--no-warnings"],
  });
  for (const stream of [child.stdout, child.stderr]) if (stream) createInterface({ input: stream }).on("line", log);
  return child;
}

async function listeningPort(child: ChildProcess): Promise<number> {
  const failed = once(child, "exit").then(([code]) => {
    throw new Error(`The registry ended before it listened (exit code ${code}); its log says why.`);
  });
  const [message] = await Promise.race([once(child, "message"), failed]);
  failed.catch(() => {}); // `ended` reports a later end.
  return (message as { port: number }).port;
}
