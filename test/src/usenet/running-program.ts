import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";

/** Whether this machine has a program. */
export function isInstalled(command: string): boolean {
  return (process.env["PATH"] ?? "").split(":").some((folder) => existsSync(join(folder, command)));
}

/** A port of loopback that nothing listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A program of this machine that runs until it is released. */
export class RunningProgram {
  #child: ChildProcess | undefined;
  #output = "";

  constructor(
    private readonly command: string,
    private readonly parameters: readonly string[],
    private readonly isReady: () => Promise<boolean>,
  ) {}

  async start(): Promise<void> {
    const child = spawn(this.command, this.parameters, { stdio: ["ignore", "pipe", "pipe"], detached: false });
    this.#child = child;
    this.#output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (this.#output = (this.#output + chunk.toString()).slice(-4_000)));
    const deadline = Date.now() + 60_000;
    while (!(await this.isReady().catch(() => false))) {
      if (child.exitCode !== null || Date.now() > deadline)
        throw new Error(`${this.command} did not start: ${this.#output}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Ends it in order, or after 15 seconds in any way. */
  stop(): Promise<void> {
    return this.#end("SIGTERM");
  }

  /** Ends it at once: nothing of what it keeps is used again. */
  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    const patience = setTimeout(() => child.kill("SIGKILL"), 15_000);
    await ended;
    clearTimeout(patience);
  }
}
