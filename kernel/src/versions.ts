import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

function versionIn(file: string): string {
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}

/** The kernel's own version. */
export const kernelVersion = versionIn(require.resolve("@longbox/kernel/package.json"));

/** The version of the SDK that plugins run on. */
export const sdkVersion = versionIn(require.resolve("@longbox/sdk/package.json"));
