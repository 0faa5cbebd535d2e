// `longbox upgrade` and `longbox downgrade`.
import type { KernelOptions } from "../kernel-options.js";
import { lockDataFolder } from "../storage/index.js";
import { findChosen } from "./chosen-version.js";
import { installUpgrade } from "./installing.js";
import { goBack } from "./launching.js";

/** Installs a version beside the one that runs. A server may run meanwhile. */
export async function upgrade({ dataFolder }: KernelOptions, program: string, version = "latest"): Promise<void> {
  process.stderr.write(`${await installUpgrade(dataFolder, program, version)}\n`);
}

/** Undoes the last upgrade, with all that was written since. No server may run on the data folder. */
export async function downgrade({ dataFolder }: KernelOptions): Promise<void> {
  const lock = lockDataFolder(dataFolder);
  try {
    const chosen = await findChosen(dataFolder);
    if (chosen === undefined)
      throw new Error("There is no upgrade to undo: no version was chosen by `longbox upgrade`.");
    await goBack(dataFolder, chosen);
    process.stderr.write(
      `The server starts as ${chosen.previous?.version ?? "the version that is installed"} again. ` +
        "The data are those from before the upgrade; those of now are kept in the folder `replaced`.\n",
    );
  } finally {
    await lock.release();
  }
}
