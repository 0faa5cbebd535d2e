// Starts the chosen version in place of the one that was started, and goes back when it does not serve.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { backUpFolder } from "../backup/index.js";
import { prepareRestore } from "../backup/restoring-at-start.js";
import type { KernelOptions } from "../kernel-options.js";
import { ServerLog } from "../logging/server-log.js";
import { whenAskedToEnd } from "../supervisor/supervise.js";
import { kernelVersion } from "../versions.js";
import {
  backupBefore,
  choose,
  choosePrevious,
  findChosen,
  isNewer,
  packageOf,
  type ChosenVersion,
} from "./chosen-version.js";
import { launchedVariable } from "./launched.js";
import { removeOthers } from "./installing.js";

/** How long a version may take until it serves, its migrations among it. */
const servesWithinMs = 30 * 60_000;

/**
 * Runs the chosen version below this process until it ends. The first time, a backup is made before; when the version
 * does not serve, that is put back, and the version before takes its place.
 * @param program - The program that was started
 * @returns its exit code; undefined when the version that was started is to run
 */
export async function launchChosen(options: KernelOptions, program: string): Promise<number | undefined> {
  const { dataFolder } = options;
  const own = await packageOf(program);
  for (;;) {
    const chosen = await findChosen(dataFolder);
    // A newer one was installed over the one that was started.
    if (chosen === undefined || !isNewer(chosen, own)) return undefined;
    if (chosen.state === "ready") {
      await prepareTrial(options, chosen);
      continue;
    }
    const { code, serves, asked } = await run(dataFolder, chosen);
    if (serves || asked || chosen.state === "kept") return code;
    say(
      `Version ${chosen.version} failed to start. The previous version is starting with the data from before the upgrade.`,
    );
    await goBack(dataFolder, chosen);
  }
}

/** Restores what was there before the chosen version got the data. A process that is killed meanwhile does it again. */
export async function goBack(dataFolder: string, chosen: ChosenVersion): Promise<void> {
  if (chosen.state !== "ready") await prepareRestore(dataFolder, backupBefore(dataFolder, chosen));
  await choosePrevious(dataFolder, chosen);
}

/** From here on the data may be those of the new version. */
async function prepareTrial(options: KernelOptions, chosen: ChosenVersion): Promise<void> {
  const file = backupBefore(options.dataFolder, chosen);
  await rm(file, { force: true });
  await backUpFolder(options.dataFolder, file, {
    log: new ServerLog({ level: "warn" }).logger("backup"),
    version: kernelVersion,
    storage: options.storage,
  });
  await choose(options.dataFolder, { ...chosen, state: "trying" });
}

interface Run {
  readonly code: number;
  /** It has said that it listens, with its plugins. */
  readonly serves: boolean;
  /** This process was asked to end. */
  readonly asked: boolean;
}

async function run(dataFolder: string, chosen: ChosenVersion): Promise<Run> {
  const [serving, ended] = [new AbortController(), new AbortController()];
  const child = spawn(
    process.execPath,
    [...process.execArgv, join(dataFolder, chosen.program), ...process.argv.slice(2)],
    {
      // It ends when its standard input does, and so with this process.
      env: { ...process.env, [launchedVariable]: chosen.version, LONGBOX_PARENT: "1" },
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  const late = setTimeout(() => child.kill("SIGKILL"), servesWithinMs);
  whenAskedToEnd(() => {
    ended.abort();
    child.kill("SIGTERM");
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    process.stdout.write(`${line}\n`);
    if (!line.startsWith('{"listening"') || serving.signal.aborted) return;
    clearTimeout(late);
    serving.abort();
    void keep(dataFolder, chosen).catch((fault: Error) => say(fault.message));
  });
  const [code] = (await once(child, "close")) as [number | null];
  clearTimeout(late);
  return { code: code ?? 1, serves: serving.signal.aborted, asked: ended.signal.aborted };
}

async function keep(dataFolder: string, chosen: ChosenVersion): Promise<void> {
  if (chosen.state === "kept") return;
  await choose(dataFolder, { ...chosen, state: "kept" });
  await removeOthers(dataFolder, [chosen, ...(chosen.previous ? [chosen.previous] : [])]);
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
