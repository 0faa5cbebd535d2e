// What V8 made of the modules of the kernel and its plugins is kept in the data folder, so that the next start need not
// compile them.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { enableCompileCache, flushCompileCache } from "node:module";
import { join } from "node:path";

const folderName = "compiled";
const stampName = "made-by";
/** An upgrade leaves the code of the version before behind; past this many modules the folder is begun again. */
const mostModules = 6_000;

/**
 * From now on modules of this process are compiled once, whatever the number of starts. Call it before the modules are
 * imported. Node writes what it compiled when the process ends in order; to do so while the server serves would hold up
 * its requests. A data folder on a disk that is full or read-only only makes the start slower.
 * @param by - what made the code; the code of another one is thrown away
 */
export function keepCompiledCode(dataFolder: string, by: string): void {
  const folder = join(dataFolder, folderName);
  try {
    const stamp = join(folder, stampName);
    if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== by || countModules(folder) > mostModules) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(stamp, by);
    }
    enableCompileCache(folder);
  } catch {
    // Whatever forbids to write there is told by what needs to write there.
  }
}

/**
 * Forgets all compiled code, as a part of a purge: constants of a plugin's source are in it. The next start compiles
 * again.
 */
export async function forgetCompiledCode(dataFolder: string): Promise<void> {
  // What is in the folder is not written again when the process ends; what is only in memory would be.
  flushCompileCache();
  await rm(join(dataFolder, folderName), { recursive: true, force: true });
}

function countModules(folder: string): number {
  return readdirSync(folder, { recursive: true }).length;
}
