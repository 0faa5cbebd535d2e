// What tests of copied installations share.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const plugins = join(import.meta.dirname, "../../../plugins");

export const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** The ids of all plugins that are built. */
export function builtPlugins(): string[] {
  return readdirSync(plugins).filter((id) => {
    const file = join(plugins, id, "package.json");
    return (
      existsSync(file) &&
      existsSync(join(plugins, id, "dist/index.js")) &&
      "longbox" in (JSON.parse(readFileSync(file, "utf8")) as object)
    );
  });
}

/** @throws when the server refused */
export async function accepted(asking: Promise<{ readonly status: number; readonly body: unknown }>): Promise<void> {
  const { status, body } = await asking;
  if (status >= 300) throw new Error(`It was refused with ${status}: ${JSON.stringify(body)}`);
}

/** @param tries - 50 a second */
export async function until(good: () => Promise<boolean>, tries = 3_000): Promise<void> {
  for (let tried = 0; tried < tries; tried += 1) {
    if (await good()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("It never came to that.");
}
