// The commands of the program `longbox`.
import { parseArgs } from "node:util";
import { kernelOptions, type KernelOptions } from "./kernel-options.js";
import { keepCompiledCode } from "./memory/compiled-code.js";
import { socketDescriptor, standbyVariable, supervisedVariable, type BeginMessage } from "./supervisor/protocol.js";
import { mayBeAnother } from "./upgrading/launched.js";
import { kernelVersion } from "./versions.js";

const usage = `longbox [start] [--plugin FOLDER]... [--ephemeral]   runs the server
longbox backup FILE                                  writes a backup of the data folder
longbox restore FILE                                 restores a backup into an empty data folder
longbox move --to postgres://… FOLDER                copies the data folder to a new one, with its tables in PostgreSQL
longbox accept                                       takes the databases of the data folder as they are
longbox upgrade [VERSION]                            installs a newer version, which the next start tries after a backup
longbox downgrade                                    undoes the last upgrade, with the data from before it`;

/**
 * Runs what the parameters of the process ask for.
 * @param program - the path of the module that was started, which a supervisor starts again
 * @param prepare - called before a server starts, in the process that supervises it; it may add to the environment
 */
export async function runCommandLine(program: string, prepare?: () => Promise<void>): Promise<void> {
  try {
    const { positionals, values } = parse();
    if (values.help) process.stderr.write(`${usage}\n`);
    else
      await run({
        program,
        prepare,
        positionals,
        plugins: values.plugin ?? [],
        ephemeral: values.ephemeral ?? false,
        to: values.to,
      });
  } catch (failure) {
    process.stderr.write(`${reasons(failure)}\n`);
    // The channel to a supervisor, or a half-opened store, would keep a process alive that serves no request.
    process.exit(1);
  }
}

const parse = () =>
  parseArgs({
    allowPositionals: true,
    options: {
      plugin: { type: "string", multiple: true },
      ephemeral: { type: "boolean" },
      to: { type: "string" },
      help: { type: "boolean" },
    },
  });

interface Parsed {
  readonly program: string;
  readonly prepare: (() => Promise<void>) | undefined;
  readonly positionals: readonly string[];
  readonly plugins: readonly string[];
  readonly ephemeral: boolean;
  /** Where tables are to move. */
  readonly to: string | undefined;
}

/** What went wrong, and below it why: the person who starts the server may know its paths, which no client may. */
function reasons(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure);
  return failure.cause === undefined ? failure.message : `${failure.message}\n  ${reasons(failure.cause)}`;
}

async function run({ program, prepare, positionals, plugins, ephemeral, to }: Parsed): Promise<void> {
  const [command = "start", file] = positionals;
  const options = () => kernelOptions(process.env, { plugins, ephemeral });
  switch (command) {
    case "start":
      if (process.env[supervisedVariable] !== undefined) return serveSupervised(options());
      await startAnother(program, options());
      await prepare?.();
      return start(program, options());
    case "backup":
      return (await import("./offline.js")).backUp(options(), named(file));
    case "restore":
      return (await import("./offline.js")).restore(options(), named(file));
    case "move":
      if (to === undefined) throw new Error(`Name the database with --to.\n${usage}`);
      return (await import("./offline.js")).move(options(), to, named(file));
    case "accept":
      return (await import("./offline.js")).accept(options());
    case "upgrade":
      return (await import("./upgrading/commands.js")).upgrade(options(), program, file);
    case "downgrade":
      return (await import("./upgrading/commands.js")).downgrade(options());
    default:
      throw new Error(`There is no command "${command}".\n${usage}`);
  }
}

/** Before the modules of the server are imported, so that they need not be compiled again at each start. */
async function serveSupervised(options: KernelOptions): Promise<void> {
  keepCompiledCode(options.dataFolder, `${kernelVersion} ${process.version}`);
  const begun = process.env[standbyVariable] === "1" ? toldToBegin() : undefined;
  const { serve } = await import("./serving.js");
  await begun;
  return serve({ ...options, socket: { fd: socketDescriptor } });
}

/**
 * Settles once this kernel is needed. A supervisor that needs it no more kills it, and one that is gone has closed the
 * channel.
 */
function toldToBegin(): Promise<void> {
  return new Promise((resolve) => {
    const gone = () => process.exit(0);
    process.once("disconnect", gone).once("message", ({ environment }: BeginMessage) => {
      process.off("disconnect", gone);
      Object.assign(process.env, environment, { [standbyVariable]: "" });
      resolve();
    });
  });
}

/** Runs the version that was chosen in place of this one, in its own environment. Returns when this one is to run. */
async function startAnother(program: string, options: KernelOptions): Promise<void> {
  if (options.storage === "memory" || !mayBeAnother(options.dataFolder)) return;
  const code = await (await import("./upgrading/launching.js")).launchChosen(options, program);
  if (code !== undefined) process.exit(code);
}

/** The kernel runs below a supervisor, which starts it again when it dies. */
async function start(program: string, options: KernelOptions): Promise<void> {
  const { supervise } = await import("./supervisor/supervise.js");
  const { linkedIds } = await import("./supervisor/linked-ids.js");
  await supervise({
    ...options,
    program,
    parameters: process.argv.slice(2),
    linked: linkedIds(options.linkedFolders),
  });
}

function named(path: string | undefined): string {
  if (path === undefined) throw new Error(`Name the file of the backup, or the new folder.\n${usage}`);
  return path;
}
