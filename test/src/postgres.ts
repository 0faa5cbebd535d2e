import { execFile, execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, readdirSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { endWithParent } from "./ending-with-parent.js";
import { needs, type Needs } from "./needs.js";

const run = promisify(execFile);

/** Where Debian keeps the programs of each version. */
const debian = "/usr/lib/postgresql";
const oldest = 15;

/** A PostgreSQL server that a test has for itself. */
export interface TestPostgres extends AsyncDisposable {
  /** The address of a database on it. */
  readonly url: string;
  /** Starts it again after it was stopped or killed. */
  start(): Promise<void>;
  /** Ends it in order, without waiting for those who are connected. */
  stop(): Promise<void>;
  /** Kills all its processes, as a power failure would. */
  kill(): Promise<void>;
}

/** The folder of the newest programs that Longbox can use; undefined where there are none. */
export const postgresPrograms = findPrograms();

/** For tests that start a PostgreSQL. */
export const needsPostgres: Needs = needs(postgresPrograms, `PostgreSQL ${oldest} or newer is not installed`);

function findPrograms(): string | undefined {
  if (!existsSync(debian)) return undefined;
  const versions = readdirSync(debian)
    .map(Number)
    .filter((version) => version >= oldest);
  const newest = versions.sort((one, other) => other - one)[0];
  return newest === undefined ? undefined : join(debian, String(newest), "bin");
}

/**
 * Starts a server on a socket in a temporary folder, as a user of its own, because it refuses to run as root. It ends
 * with the process that started it, however that ends.
 * @param durability - "durable" writes through to the disk, for tests that kill it; "fast" does not
 */
export async function startPostgres(durability: "durable" | "fast" = "fast"): Promise<TestPostgres> {
  if (postgresPrograms === undefined) throw new Error("PostgreSQL is not installed.");
  const folder = await mkdtemp(join(tmpdir(), "longbox-postgres-"));
  // Servers that tests start as other users reach the socket, too.
  await chmod(folder, 0o711);
  const user = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const initdb = ["-D", data, "-U", "longbox", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8"];
  await run(join(postgresPrograms, "initdb"), initdb, { ...user, cwd: folder });
  const server = new Server({ folder, data, durability, user });
  await server.start();
  return server;
}

interface ServerParts {
  readonly folder: string;
  readonly data: string;
  readonly durability: "durable" | "fast";
  readonly user: { readonly uid: number; readonly gid: number } | undefined;
}

class Server implements TestPostgres {
  readonly #parts: ServerParts;
  #process: ChildProcess | undefined;
  #releaseWatcher: (() => void) | undefined;

  constructor(parts: ServerParts) {
    this.#parts = parts;
  }

  get url(): string {
    return `postgres://longbox@localhost/postgres?host=${encodeURIComponent(this.#parts.folder)}`;
  }

  async start(): Promise<void> {
    const { folder, data, durability, user } = this.#parts;
    const isFast = durability === "fast";
    const settings = {
      listen_addresses: "",
      unix_socket_directories: folder,
      shared_buffers: "64MB",
      fsync: isFast ? "off" : "on",
      full_page_writes: isFast ? "off" : "on",
      max_connections: "200",
      max_locks_per_transaction: "256",
      autovacuum: "on",
    };
    const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const program = join(postgresPrograms ?? "", "postgres");
    const child = spawn(program, ["-D", data, ...options], {
      ...user,
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.#process = child;
    if (child.pid !== undefined) this.#releaseWatcher = endWithParent(child.pid, folder);
    await untilReady(child);
  }

  stop(): Promise<void> {
    return this.#end("SIGINT");
  }

  /** On its own, the first process is killed as children notice only later; they end with the group of their leader. */
  async kill(): Promise<void> {
    const children = childrenOf(this.#process?.pid);
    for (const pid of children) killQuietly(pid);
    await this.#end("SIGKILL");
    await rm(join(this.#parts.data, "postmaster.pid"), { force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end("SIGINT");
    await rm(this.#parts.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #end(signal: "SIGINT" | "SIGKILL"): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    this.#releaseWatcher?.();
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }
}

/** Resolves when it accepts connections, and rejects with what it said when it ends before. */
function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (said.includes("ready to accept connections")) resolve();
      if (said.length > 100_000) said = said.slice(-1_000);
    });
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`PostgreSQL ended: ${said}`)));
  });
}

function unprivilegedUser(): { uid: number; gid: number } {
  const name = (() => {
    try {
      execFileSync("id", ["postgres"], { stdio: "ignore" });
      return "postgres";
    } catch {
      return "daemon";
    }
  })();
  const ask = (what: string) => Number(execFileSync("id", [what, name], { encoding: "utf8" }));
  return { uid: ask("-u"), gid: ask("-g") };
}

function childrenOf(pid: number | undefined): number[] {
  if (pid === undefined) return [];
  const tasks = `/proc/${pid}/task/${pid}/children`;
  return execFileSync("cat", [tasks], { encoding: "utf8" }).split(" ").filter(Boolean).map(Number);
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== "ESRCH") throw fault;
  }
}
