import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import type { VerdaccioSettings } from "./verdaccio-configuration.js";

export interface DoorOptions {
  readonly settings: VerdaccioSettings;
  /** After so long without a connection Verdaccio's process ends. */
  readonly idleMs: number;
  readonly log: (line: string) => void;
}

interface Running {
  readonly child: ChildProcess;
  /** Where it listens; rejects when it ends before. */
  readonly port: Promise<number>;
  readonly ended: Promise<void>;
}

/**
 * The address of the registry. Verdaccio starts with the first connection to it, and ends when there was none for a
 * while; when it dies, the next connection starts it again.
 */
export class RegistryDoor {
  readonly #server: Server;
  readonly #options: DoorOptions;
  readonly #open = new Set<Socket>();
  #running: Running | undefined;
  #ending: Promise<void> = Promise.resolve();
  #idleTimer: NodeJS.Timeout | undefined;
  #closed = false;

  private constructor(options: DoorOptions) {
    this.#options = options;
    this.#server = createServer({ allowHalfOpen: true }, (socket) => void this.#pass(socket));
  }

  /**
   * Listens on 127.0.0.1; port 0 takes any free one.
   * @throws {Error} When the port is taken.
   */
  static async open(port: number, options: DoorOptions): Promise<RegistryDoor> {
    const door = new RegistryDoor(options);
    door.#server.listen(port, "127.0.0.1");
    await once(door.#server, "listening");
    return door;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The id of Verdaccio's process, while there is one. */
  get processId(): number | undefined {
    return this.#running?.child.pid;
  }

  /** Starts Verdaccio if it does not run. @throws {Error} When it does not start; its log says why. */
  async wake(): Promise<void> {
    await this.#run().port;
    this.#endWhenIdle();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idleTimer);
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
    this.#endVerdaccio();
    await this.#ending;
  }

  async #pass(socket: Socket): Promise<void> {
    clearTimeout(this.#idleTimer);
    this.#open.add(socket);
    // A client may leave while Verdaccio starts.
    socket.on("error", () => socket.destroy());
    try {
      const inner = connect({ port: await this.#run().port, host: "127.0.0.1", allowHalfOpen: true });
      await Promise.all([pipeline(socket, inner), pipeline(inner, socket)]);
    } catch {
      socket.destroy(); // One side has ended early. If Verdaccio did, the log has said so.
    } finally {
      this.#open.delete(socket);
      this.#endWhenIdle();
    }
  }

  #endWhenIdle(): void {
    clearTimeout(this.#idleTimer);
    if (this.#closed || this.#open.size > 0) return;
    this.#idleTimer = setTimeout(() => this.#endVerdaccio(), this.#options.idleMs).unref();
  }

  #run(): Running {
    if (this.#closed) throw new Error("The registry is closed.");
    this.#running ??= this.#start();
    return this.#running;
  }

  #start(): Running {
    const { settings, log } = this.#options;
    const child = fork(new URL("verdaccio-process.js", import.meta.url), [JSON.stringify(settings)], {
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      execArgv: ["--no-warnings"],
    });
    for (const stream of [child.stdout, child.stderr]) if (stream) createInterface({ input: stream }).on("line", log);
    const port = Promise.withResolvers<number>();
    const ended = Promise.withResolvers<void>();
    const running: Running = { child, port: port.promise, ended: ended.promise };
    child.once("message", (message) => port.resolve((message as { port: number }).port));
    child.once("exit", (code, signal) => {
      if (this.#running === running) this.#running = undefined;
      port.reject(new Error(`The registry ended before it listened (${code ?? signal}); its log says why.`));
      if (!child.killed) log(`Verdaccio ended (${code ?? signal}); the next request starts it again.`);
      ended.resolve();
    });
    // Each connection that waits for it sees the failure; there may be none.
    port.promise.catch(() => {});
    return running;
  }

  #endVerdaccio(): void {
    const running = this.#running;
    if (!running) return;
    this.#running = undefined;
    running.child.kill("SIGTERM");
    this.#ending = Promise.all([this.#ending, running.ended]).then(() => {});
  }
}
