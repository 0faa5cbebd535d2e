// `npm run publish:local -- [folder …]`: puts built packages, or all of the checkout, into the registry that
// `npm start` runs.
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { publishAll } from "../publishing/publish-all.js";
import { publishBuilt, type Publication } from "../publishing/publish-folder.js";
import type { RegistryAddress } from "@longbox/plugin-cli/packing";

const root = join(import.meta.dirname, "..", "..", "..");
const folder = join(resolve(process.env["LONGBOX_DATA"] ?? join(root, ".longbox")), "registry");

async function runningRegistry(): Promise<RegistryAddress> {
  try {
    const { url } = JSON.parse(await readFile(join(folder, "registry.json"), "utf8")) as { url: string };
    const token = (await readFile(join(folder, "token"), "utf8")).trim();
    await fetch(`${url}/-/ping`);
    return { url, token };
  } catch (error) {
    throw new Error(`The registry of ${folder} does not answer; "npm start" runs it.`, { cause: error });
  }
}

try {
  const registry = await runningRegistry();
  const folders = process.argv.slice(2);
  const publications: Publication[] =
    folders.length === 0
      ? await publishAll(root, registry)
      : await Promise.all(folders.map((path) => publishBuilt(resolve(path), registry)));
  for (const { name, version, isNew } of publications)
    process.stdout.write(`${name}@${version}${isNew ? "" : " (was there)"}\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
