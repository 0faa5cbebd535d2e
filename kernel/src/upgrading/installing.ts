// A newer version of the server, installed by npm beside the one that runs.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { syncPath, syncTree } from "../storage/index.js";
import {
  backupOf,
  choose,
  findChosen,
  folderOf,
  isNewer,
  packageOf,
  versionSchema,
  versionsFolder,
  type PackageVersion,
} from "./chosen-version.js";

/**
 * Installs a version, which takes the data at the next start.
 * @param program - The program that runs, whose package is installed
 * @param wanted - A version or a tag, such as `latest`
 * @returns what to tell people
 */
export async function installUpgrade(dataFolder: string, program: string, wanted: string): Promise<string> {
  const own = await packageOf(program);
  const chosen = await findChosen(dataFolder);
  if (chosen?.state === "trying")
    throw new Error(`Version ${chosen.version} has not served yet. Start the server before another upgrade.`);
  const upgraded = chosen !== undefined && isNewer(chosen, own) ? chosen : undefined;
  const present = upgraded ?? own;
  const installed = await install(dataFolder, own.name, wanted);
  if (!isNewer(installed, present))
    return `${present.name} ${present.version} runs, and ${installed.name} ${installed.version} is not newer. Nothing was changed.`;
  const previous = upgraded?.state === "ready" ? upgraded.previous : upgraded;
  const { name, version } = installed;
  await choose(dataFolder, {
    ...installed,
    state: "ready",
    ...(previous && { previous: versionSchema.parse(previous) }),
  });
  return (
    `${name} ${version} is installed. Restart the server: it makes a backup and starts as ${version}. ` +
    "When that does not serve, the version before starts again, with the data from before."
  );
}

async function install(dataFolder: string, name: string, wanted: string) {
  const temporary = join(versionsFolder(dataFolder), "installing");
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  // Without it, npm looks for a package in the folders above.
  await writeFile(join(temporary, "package.json"), '{ "private": true }\n');
  const options = ["--ignore-scripts", "--engine-strict", "--no-audit", "--no-fund", "--no-package-lock"];
  await run("npm", ["install", ...options, `${name}@${wanted}`], temporary);
  const path = join("node_modules", name, "dist", "bin", "longbox.js");
  const installed = await packageOf(join(temporary, path));
  // It can be loaded here, with this Node.
  await run(process.execPath, [path, "--help"], temporary);
  const folder = join(versionsFolder(dataFolder), folderOf(installed));
  await rm(folder, { recursive: true, force: true });
  await syncTree(temporary);
  await rename(temporary, folder);
  await syncPath(versionsFolder(dataFolder));
  return { ...installed, program: relative(dataFolder, join(folder, path)) };
}

async function run(command: string, parameters: readonly string[], folder: string): Promise<void> {
  const child = spawn(command, parameters, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, "close").catch((cause: Error) => {
    throw new Error(`${command} cannot be run; an upgrade needs it.`, { cause });
  })) as [number | null];
  if (code !== 0) throw new Error(`Nothing was changed: \`${command} ${parameters.join(" ")}\` failed.\n${said}`);
}

/** Removes versions that are neither run nor gone back to. */
export async function removeOthers(dataFolder: string, versions: readonly PackageVersion[]): Promise<void> {
  const kept = new Set(["chosen.json", ...versions.flatMap((version) => [folderOf(version), backupOf(version)])]);
  for (const name of await readdir(versionsFolder(dataFolder)))
    if (!kept.has(name)) await rm(join(versionsFolder(dataFolder), name), { recursive: true, force: true });
}
