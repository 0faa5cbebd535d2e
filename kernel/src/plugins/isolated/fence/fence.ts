import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import type { CodeFolder } from "./code-folders.js";

/** What keeps an isolated plugin from everything else. */
export type FenceKind =
  /** Namespaces of the system, and Node's permission model inside of them. */
  | "bubblewrap"
  /** Node's permission model alone. */
  | "node";

/** The folders and limits of one process. */
export interface Grants {
  readonly code: readonly CodeFolder[];
  /** Folders that are read and written. */
  readonly writable: readonly string[];
  /** The limit of the JavaScript heap. */
  readonly heapMegabytes: number;
  /** Whether it may load native code, which Node's permission model does not hold back. */
  readonly allowsNative?: boolean;
}

export interface Command {
  readonly program: string;
  readonly arguments: readonly string[];
}

const systemFolders = ["/usr", "/bin", "/lib", "/lib32", "/lib64", "/sbin", "/etc/ld.so.cache"];
const probeLimitMs = 5_000;
/** Ends when the kernel ends, sees no other process and no network, and may not make namespaces of its own. */
const namespaces = [
  "--unshare-all",
  "--unshare-user",
  "--cap-drop",
  "ALL",
  "--disable-userns",
  "--die-with-parent",
  "--new-session",
  "--clearenv",
];

let probed: Promise<FenceKind> | undefined;

/** The best fence that this machine allows. It is tried once. */
export function probeFence(): Promise<FenceKind> {
  probed ??= tryBubblewrap().then((works) => (works ? "bubblewrap" : "node"));
  return probed;
}

function tryBubblewrap(): Promise<boolean> {
  const { program, arguments: given } = inNamespaces({ code: [], writable: [], heapMegabytes: 0 }, ["--version"]);
  return new Promise((resolve) => {
    execFile(program, given, { env: {}, timeout: probeLimitMs }, (failure) => resolve(failure === null));
  });
}

/**
 * The command that runs a module of the kernel behind a fence.
 * @param module - its file, and what it finds in its arguments
 */
export function commandFor(fence: FenceKind, grants: Grants, module: readonly string[]): Command {
  const options = [...nodeOptions(grants), ...module];
  return fence === "node" ? { program: process.execPath, arguments: options } : inNamespaces(grants, options);
}

function nodeOptions({ code, writable, heapMegabytes, allowsNative = false }: Grants): string[] {
  const readable = new Set([...code.flatMap(({ place, real }) => [place, real]), ...writable]);
  return [
    "--permission",
    ...[...readable].map((place) => `--allow-fs-read=${place}`),
    ...writable.map((place) => `--allow-fs-write=${place}`),
    ...(allowsNative ? ["--allow-addons"] : []),
    `--max-old-space-size=${heapMegabytes}`,
    "--max-semi-space-size=4",
    "--enable-source-maps",
    "--disable-warning=SecurityWarning",
    // It opens files past the permission model. The kernel runs the plugin's queries.
    "--no-experimental-sqlite",
  ];
}

function inNamespaces({ code, writable }: Grants, options: readonly string[]): Command {
  const system = systemFolders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => ["--ro-bind", folder, folder]);
  const read = code.flatMap(({ place, real }) => [
    "--ro-bind",
    real,
    real,
    ...(place === real ? [] : ["--ro-bind", real, place]),
  ]);
  const write = writable.flatMap((folder) => ["--bind", folder, folder]);
  const node = process.execPath;
  const mounts = [
    ...system,
    "--tmpfs",
    "/tmp",
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    ...read,
    ...write,
    "--ro-bind",
    node,
    node,
  ];
  const timeZone = ["--setenv", "TZ", Intl.DateTimeFormat().resolvedOptions().timeZone];
  return { program: "bwrap", arguments: [...namespaces, ...timeZone, ...mounts, "--chdir", "/", node, ...options] };
}
