import path from "node:path";
import { isPlainPath } from "./http/receiving/base-path.js";
import type { StorageKind } from "./storage/index.js";
import type { PluginHostTuning } from "./plugins/host-tuning.js";
import type { PackageLimits } from "./plugins/packages/package-limits.js";

/** How one kernel is run. */
export interface KernelOptions {
  readonly dataFolder: string;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** A listening socket that another process holds, instead of host and port. */
  readonly socket?: { readonly fd: number } | undefined;
  /** The npm registry that plugins come from. */
  readonly registry: string;
  /** The file with the token for publishing to the registry, where this server may publish. */
  readonly registryTokenFile?: string | undefined;
  /** The file with the trusted root of an own Sigstore, in place of the public one. */
  readonly trustedRootFile?: string | undefined;
  /** Plugins to bring along from the registry. */
  readonly defaultPlugins: ReadonlyArray<{ readonly package: string; readonly version: string }>;
  /** Folders under development that run in place of an installed package. */
  readonly linkedFolders: readonly string[];
  readonly setupToken: string | undefined;
  readonly trustProxy: string | undefined;
  /** Where paths of this server begin on its host, such as `/longbox`; undefined at the root. */
  readonly basePath?: string | undefined;
  /** Where other servers of the same library reach this one, if not at the address it listens on. */
  readonly peerUrl?: string | undefined;
  /** What requests that other servers forward carry; undefined where there are no other servers. */
  readonly peerSecret?: string | undefined;
  readonly storage: StorageKind;
  /** How long the event loop may stand still before the supervisor looks into it. */
  readonly blockedMs: number;
  /** Requests and queries that take as long are named in the log, in milliseconds; undefined: none are. */
  readonly slowMs?: number | undefined;
  /** Limits of the plugin host, where they differ from the usual. */
  readonly plugins?: PluginHostTuning;
}

const noRegistry = "http://127.0.0.1:4873/";

/** Reads the environment and the command line. */
export function kernelOptions(
  environment: NodeJS.ProcessEnv,
  command: { readonly plugins?: readonly string[]; readonly ephemeral?: boolean } = {},
): KernelOptions {
  return {
    dataFolder: path.resolve(environment["LONGBOX_DATA"] ?? ".longbox"),
    host: environment["LONGBOX_HOST"] ?? "127.0.0.1",
    port: parsePort(environment["LONGBOX_PORT"] ?? "8787"),
    registry: environment["LONGBOX_REGISTRY"] ?? noRegistry,
    registryTokenFile: environment["LONGBOX_REGISTRY_TOKEN_FILE"],
    trustedRootFile: environment["LONGBOX_TRUSTED_ROOT"],
    defaultPlugins: parseDefaults(environment["LONGBOX_DEFAULT_PLUGINS"] ?? ""),
    linkedFolders: command.plugins ?? [],
    setupToken: environment["LONGBOX_SETUP_TOKEN"],
    trustProxy: environment["TRUST_PROXY"],
    basePath: parseBasePath(environment["LONGBOX_BASE_PATH"] ?? ""),
    peerUrl: parsePeerUrl(environment["LONGBOX_PEER_URL"]),
    blockedMs: parseBlocked(environment["LONGBOX_BLOCKED_MS"] ?? "3000"),
    slowMs: parseSlow(environment["LONGBOX_SLOW_MS"] ?? "1000"),
    plugins: {
      isolation: { isolatesGuests: parseIsolated(environment["LONGBOX_ISOLATED"]) },
      packages: parsePatience(environment["LONGBOX_REGISTRY_MS"]),
    },
    storage: command.ephemeral ? "memory" : parseDatabase(environment["LONGBOX_DATABASE"]),
  };
}

/** Slashes at its ends do not matter: `longbox`, `/longbox` and `/longbox/` are the same. */
function parseBasePath(text: string): string | undefined {
  const inside = text.trim().replace(/^\/|\/$/g, "");
  if (inside === "") return undefined;
  if (!isPlainPath(`/${inside}`))
    throw new Error(
      `LONGBOX_BASE_PATH must be a path such as /longbox, of letters, digits, and "-", "_", "." or "~"; it is "${text}".`,
    );
  return `/${inside}`;
}

function parseIsolated(text: string | undefined): boolean | undefined {
  if (text === undefined || text === "") return undefined;
  if (text !== "guests" && text !== "asked")
    throw new Error(`LONGBOX_ISOLATED must be \`guests\` or \`asked\`; it is "${text}".`);
  return text === "guests";
}

/** @param from - What the text is the value of, for the message */
export function parseDatabase(text: string | undefined, from = "LONGBOX_DATABASE"): KernelOptions["storage"] {
  if (text === undefined || text === "" || text === "sqlite") return "sqlite";
  // The address may hold a password, so the message does not repeat it.
  if (!/^postgres(?:ql)?:\/\//.test(text))
    throw new Error(`${from} must be \`sqlite\`, or an address that begins with postgres://.`);
  return { postgres: text };
}

function parsePeerUrl(text: string | undefined): string | undefined {
  if (text === undefined || text === "") return undefined;
  const url = URL.parse(text);
  if (url?.protocol !== "http:" || url.pathname !== "/")
    throw new Error(`LONGBOX_PEER_URL must be an address such as http://10.0.0.2:8787; it is "${text}".`);
  return url.origin;
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`LONGBOX_PORT must be a number from 0 to 65535; it is "${text}".`);
  return port;
}

/** How long the registry is waited for. One that has to be started first needs longer than one that runs. */
function parsePatience(text: string | undefined): Partial<PackageLimits> {
  if (text === undefined || text === "") return {};
  const documentMs = Number(text);
  if (!Number.isInteger(documentMs) || documentMs < 1000)
    throw new Error(`LONGBOX_REGISTRY_MS must be a number of milliseconds from 1000; it is "${text}".`);
  return { documentMs, pingMs: documentMs };
}

function parseSlow(text: string): number | undefined {
  const milliseconds = Number(text);
  if (text === "" || !Number.isInteger(milliseconds) || milliseconds < 0)
    throw new Error(`LONGBOX_SLOW_MS must be a number of milliseconds, or 0 for no notices; it is "${text}".`);
  return milliseconds === 0 ? undefined : milliseconds;
}

function parseBlocked(text: string): number {
  const milliseconds = Number(text);
  if (!Number.isInteger(milliseconds) || milliseconds < 1000)
    throw new Error(`LONGBOX_BLOCKED_MS must be a number from 1000; it is "${text}".`);
  return milliseconds;
}

/** `@longbox/reader@1.0.0,@longbox/web@1.2.0` */
function parseDefaults(text: string): { package: string; version: string }[] {
  return text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .map((one) => {
      const at = one.lastIndexOf("@");
      if (at <= 0) throw new Error(`LONGBOX_DEFAULT_PLUGINS must list package@version; "${one}" names no version.`);
      return { package: one.slice(0, at), version: one.slice(at + 1) };
    });
}
