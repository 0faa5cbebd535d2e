import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

function versionIn(file: string): string {
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}

/** The kernel's own version. */
export const kernelVersion = versionIn(require.resolve("@longbox/kernel/package.json"));

/** The version of the SDK that plugins run on. */
export const sdkVersion = versionIn(require.resolve("@longbox/sdk/package.json"));

/** The versions of the other packages of which plugins get the host's copy. */
export const sharedVersions: Readonly<Record<string, string>> = Object.fromEntries(
  ["zod", "kysely"].map((name) => [name, versionIn(packageOf(require.resolve(name)))]),
);

/** The package.json above a module: not every package exports its own. */
function packageOf(module: string): string {
  let folder = dirname(module);
  while (!existsSync(join(folder, "package.json")) || versionless(join(folder, "package.json")))
    folder = dirname(folder);
  return join(folder, "package.json");
}

/** Within packages, such a file may say of a folder that its modules are ES modules, and nothing more. */
function versionless(file: string): boolean {
  return !("version" in (JSON.parse(readFileSync(file, "utf8")) as object));
}
