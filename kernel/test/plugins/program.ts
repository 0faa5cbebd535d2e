import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { httpClient } from "./requests.js";

const program = fileURLToPath(import.meta.resolve("@longbox/kernel").replace(/index\.js$/, "bin/longbox.js"));

/** The `longbox` program as a process of its own, with its supervisor. */
export class Program implements AsyncDisposable {
  readonly process: ChildProcess;
  readonly url: string;
  readonly admin: ReturnType<typeof httpClient>;
  /** Everything that it wrote to standard error. */
  readonly log: string[];

  private constructor(child: ChildProcess, url: string, log: string[]) {
    this.process = child;
    this.url = url;
    this.log = log;
    this.admin = httpClient(url, { "x-setup-token": "let-me-in" });
  }

  /** Starts it, and waits for its line. */
  static async start(
    environment: Record<string, string>,
    parameters: readonly string[] = [],
    cwd = process.cwd(),
  ): Promise<Program> {
    const child = spawn(process.execPath, [program, ...parameters], {
      cwd,
      // These tests are about plugins that run in the server's process.
      env: {
        ...process.env,
        LONGBOX_PORT: "0",
        LONGBOX_SETUP_TOKEN: "let-me-in",
        LONGBOX_ISOLATED: "asked",
        ...environment,
      },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      detached: true,
    });
    const log: string[] = [];
    createInterface({ input: child.stderr! }).on("line", (line) => log.push(line));
    const ended = once(child, "exit").then(() =>
      Promise.reject(new Error(`The program ended before it listened:\n${log.join("\n")}`)),
    );
    const [line] = await Promise.race([once(createInterface({ input: child.stdout! }), "line"), ended]);
    ended.catch(() => undefined);
    return new Program(child, (JSON.parse(line as string) as { listening: string }).listening, log);
  }

  /** Ends the program and its kernel at this very instant. */
  async kill(): Promise<void> {
    const ended = once(this.process, "exit");
    process.kill(-this.process.pid!, "SIGKILL");
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      this.process.kill("SIGTERM");
      await once(this.process, "exit");
    }
    this.admin.failures.check();
  }
}
