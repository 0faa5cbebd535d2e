// `npm run pack -- [folder]`: writes the npm package `longbox`, which needs no checkout, to a folder.
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { packDistribution } from "../publishing/distribution.js";

const root = join(import.meta.dirname, "..", "..", "..");
const folder = resolve(process.argv[2] ?? ".");
try {
  const { manifest, tarball } = await packDistribution(root);
  const file = join(folder, `${manifest.name}-${manifest.version}.tgz`);
  await mkdir(folder, { recursive: true });
  await writeFile(file, tarball);
  process.stdout.write(`${file}\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
