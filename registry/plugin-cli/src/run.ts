import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { check } from "./commands/check.js";
import { develop } from "./commands/dev.js";
import { pack } from "./commands/pack.js";
import { publish } from "./commands/publish.js";
import { test } from "./commands/test.js";
import { asJson, asText, hasError, type CheckResult } from "./findings/printing.js";
import { ownServer, runningServer, type DevelopmentServer } from "./hosting/development-server.js";
import { readPackageJson } from "./packing/package-json.js";
import { neighbours } from "./hosting/neighbours.js";

const usage = `longbox-plugin dev [--port PORT] [--server URL]   builds after each change, and runs the plugin in a server of its own
                                               or in the server at URL, with LONGBOX_KEY and LONGBOX_REGISTRY_TOKEN
longbox-plugin check [--json]                  says what an installation would refuse, what to improve, and the level of quality
longbox-plugin test [-- OPTIONS]               runs test/**/*.test.ts with Node's test runner
longbox-plugin pack                            writes the package as a file
longbox-plugin publish [--server URL | --registry URL] [--tag TAG]
                                               checks and publishes it through a server, or to a registry, with the token
                                               in LONGBOX_REGISTRY_TOKEN

All take --folder FOLDER; the current folder is the default.`;

const options = {
  folder: { type: "string", default: "." },
  registry: { type: "string" },
  tag: { type: "string" },
  server: { type: "string" },
  port: { type: "string", default: "8787" },
  json: { type: "boolean", default: false },
} as const;

type Values = ReturnType<typeof parse>["values"];
const parse = (given: readonly string[]) => parseArgs({ args: [...given], allowPositionals: true, options });
const say = (line: string) => process.stderr.write(`${line}\n`);

/** Runs a command. @returns the exit code: 1 when something is wrong with the plugin, 2 when the command is not one */
export async function run(given: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parse(given);
    const [command, ...more] = positionals;
    for (const option of ["server", "registry"] as const) refuseBadAddress(option, values[option]);
    return await perform(command, { ...values, folder: resolve(values.folder) }, more);
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    if (code?.startsWith("ERR_PARSE_ARGS")) return misused((failure as Error).message.replace(/\. .*$/s, "."));
    say(reasons(failure));
    return 1;
  }
}

function misused(sentence: string): number {
  say(`${sentence}\n\n${usage}`);
  return 2;
}

function refuseBadAddress(option: string, address: string | undefined): void {
  if (address === undefined || /^https?:$/.test(URL.parse(address)?.protocol ?? "")) return;
  throw new Error(`--${option} must be an address such as http://127.0.0.1:8787; it is "${address}".`);
}

/** What went wrong, and behind it why: that a server cannot be reached stands in the cause. */
function reasons(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure);
  const { message, cause } = failure;
  if (message === "fetch failed") return `The server cannot be reached: ${reasons(cause)}`;
  return message === "" && failure instanceof AggregateError ? failure.errors.map(reasons).join("; ") : message;
}

async function perform(command: string | undefined, values: Values, more: readonly string[]): Promise<number> {
  const { folder, registry, tag } = values;
  switch (command) {
    case "check":
      return printed(await check(folder), values.json);
    case "test":
      return test(folder, more);
    case "pack":
      process.stdout.write(`${await pack(folder)}\n`);
      return 0;
    case "publish": {
      const token = process.env["LONGBOX_REGISTRY_TOKEN"];
      const { findings, published } = await publish(folder, { registry, server: values.server, token, tag });
      const code = printed({ findings });
      if (published !== undefined) process.stdout.write(`${published}\n`);
      return code;
    }
    case "dev":
      return dev(values);
    case undefined:
      say(usage);
      return 2;
    default:
      return misused(`There is no command "${command}".`);
  }
}

/** @returns 1 when there is an error */
function printed(result: CheckResult, json = false): number {
  if (json) process.stdout.write(`${asJson(result)}\n`);
  else say(asText(result));
  return hasError(result) ? 1 : 0;
}

async function dev(values: Values): Promise<number> {
  await readPackageJson(values.folder);
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.abort());
  await using server = await developmentServer(values);
  process.stdout.write(`${JSON.stringify({ listening: server.url })}\n`);
  if (server.advice !== undefined) say(server.advice);
  await develop({ folder: values.folder, server, log: say, signal: stopping.signal });
  return 0;
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Infinity;
  if (port <= 65_535) return port;
  throw new Error(`--port must be a number from 0 to 65535; it is "${text}".`);
}

async function developmentServer({ folder, server, port }: Values): Promise<DevelopmentServer> {
  if (server === undefined) {
    const dataFolder = join(folder, ".longbox");
    return ownServer({ dataFolder, beside: await neighbours(folder), port: portOf(port), log: say });
  }
  const { LONGBOX_KEY: key, LONGBOX_REGISTRY_TOKEN: token } = process.env;
  if (key === undefined || token === undefined)
    throw new Error(
      "With --server, set LONGBOX_KEY to an admin's key and LONGBOX_REGISTRY_TOKEN to an author's token.",
    );
  return runningServer({ url: server, key, token });
}
