import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const file = createRequire(import.meta.url).resolve("@longbox/sdk/package.json");

/** The version of the SDK that the program was installed with. */
export const sdkVersion = (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
