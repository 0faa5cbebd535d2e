// The modules that the build has packed into a few files (`rolldown.config.mjs`), so that a start need not open a
// thousand.
import { existsSync, readFileSync, statSync } from "node:fs";
import { registerHooks } from "node:module";

const folder = new URL("../packed/", import.meta.url);
/** Whose imports find the packed modules: those of the kernel and of the SDK. Plugins get them through the kernel. */
const importers = [new URL("../", import.meta.url).href, new URL("./", import.meta.resolve("@longbox/sdk")).href];

/**
 * From now on this thread loads the packed modules where the kernel and the SDK import them. Call it before their
 * modules are imported. A kernel that was compiled and not packed since then loads its modules as they are.
 */
export function usePackedModules(): void {
  const table = new URL("table.json", folder);
  const compiled = new URL("../.tsbuildinfo", folder);
  if (!existsSync(table) || (existsSync(compiled) && statSync(compiled).mtimeMs > statSync(table).mtimeMs)) return;
  const files = new Map(Object.entries(JSON.parse(readFileSync(table, "utf8")) as Record<string, string>));
  registerHooks({
    resolve(specifier, context, next) {
      const file = files.get(specifier);
      if (file === undefined || !isOurs(context.parentURL) || context.conditions.includes("require"))
        return next(specifier, context);
      return { url: new URL(file, folder).href, format: "module", shortCircuit: true };
    },
  });
}

function isOurs(importer: string | undefined): boolean {
  return importer !== undefined && importers.some((place) => importer.startsWith(place));
}
