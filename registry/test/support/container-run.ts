import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, readlink } from "node:fs/promises";
import { promisify } from "node:util";
import type { Image } from "./container-image.js";

/** Root in the image, where only the data folder and /tmp can be written. The last command becomes process 1. */
const script = `
set -eu
root=$1 data=$2 shown=$3
shift 3
mount --bind "$root" "$root"
for pair in $shown; do
  mount --bind "\${pair%%=*}" "$root\${pair#*=}"
done
mount --bind "$data" "$root/data"
mount -t tmpfs tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -o remount,bind,ro "$root"
exec chroot "$root" setpriv --no-new-privs --inh-caps=-all "$@"
`;

export interface ContainerOptions {
  readonly data: string;
  /** In place of the account of the image. */
  readonly user?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** What of root's rights is left, in lower case. */
  readonly capabilities?: readonly string[];
}

export interface Container extends AsyncDisposable {
  readonly said: () => string;
  /** The processes in it, by their number outside: the first is its process 1. */
  processes(): Promise<number[]>;
  stop(signal: NodeJS.Signals): Promise<void>;
  readonly ended: Promise<number | null>;
}

/**
 * Runs an image as a runtime of containers does, in namespaces of its own for mounts and processes; the network is
 * shared.
 */
export function runImage({ root, shown, config }: Image, options: ContainerOptions): Container {
  const [user, group] = (options.user ?? config.User).split(":");
  const bounds = ["-all", ...(options.capabilities ?? []).map((name) => `+${name}`)].join(",");
  const account = [`--reuid=${user}`, `--regid=${group}`, "--clear-groups", `--bounding-set=${bounds}`];
  const mounts = Object.entries(shown).map(([inside, outside]) => `${outside}=${inside}`);
  const inside = [root, options.data, mounts.join(" "), ...account, ...config.Entrypoint];
  const child = spawn("unshare", ["--mount", "--pid", "--fork", "sh", "-c", script, "sh", ...inside], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...environmentOf(config), ...options.environment },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(child, "close").then(([code]) => code as number | null);
  const first = () => firstChild(child.pid ?? 0);
  return {
    said: () => said,
    processes: async () => processesLike(await first()),
    stop: async (signal) => void process.kill(await first(), signal),
    ended,
    [Symbol.asyncDispose]: async () => {
      // A process that changed its account does not end with its parent.
      if (child.exitCode === null)
        await first().then(
          (id) => process.kill(id, "SIGKILL"),
          () => child.kill("SIGKILL"),
        );
      await ended;
    },
  };
}

/** Runs the health check of the image, and says whether it holds. */
export async function isHealthy(
  { root, config }: Image,
  environment: Readonly<Record<string, string>>,
): Promise<boolean> {
  const [, ...command] = config.Healthcheck.Test;
  const env = { ...environmentOf(config), ...environment };
  return await promisify(execFile)("chroot", ["--userspec=1000:1000", root, ...command], { env }).then(
    () => true,
    () => false,
  );
}

const environmentOf = ({ Env }: Image["config"]): Record<string, string> =>
  Object.fromEntries([
    ["PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
    ...Env.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  ]);

async function firstChild(parent: number): Promise<number> {
  const [first] = (await readFile(`/proc/${parent}/task/${parent}/children`, "utf8")).split(" ");
  if (!first) throw new Error("The container has ended.");
  return Number(first);
}

async function processesLike(first: number): Promise<number[]> {
  const namespaceOf = (id: number) => readlink(`/proc/${id}/ns/pid`).catch(() => undefined);
  const wanted = await namespaceOf(first);
  const found: number[] = [];
  for (const id of (await readdir("/proc")).map(Number).filter(Number.isInteger))
    if ((await namespaceOf(id)) === wanted) found.push(id);
  return found.sort((one, other) => one - other);
}
