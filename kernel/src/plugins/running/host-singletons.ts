import { existsSync, realpathSync } from "node:fs";
import { createRequire, registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

/** Packages of which plugins get the host's copy, even when they contain their own. */
const singletons = ["@longbox/sdk", "zod", "kysely", "sharp", "@napi-rs/canvas", "reflect-metadata", "tsyringe"];

const hostRequire = createRequire(import.meta.url);
const pluginRoots = new Set<string>();
const bundled = new Map<string, string>();
let hooked = false;

/**
 * Makes every import from below `folder` find the host's copies of the singletons. The hook is one per thread, since
 * module resolution is; it costs nothing to imports from elsewhere.
 */
export function shareSingletonsWith(folder: string): void {
  const real = existsSync(folder) ? realpathSync(folder) : folder;
  pluginRoots.add(pathToFileURL(real).href + "/");
  hook();
}

/** The same for every import in this thread, where nothing but plugins' modules runs. */
export function shareSingletonsWithAll(): void {
  pluginRoots.add("");
  hook();
}

/**
 * Makes imports of these packages find files beside a module instead.
 * @param beside - the URL of the module
 */
export function shareBundledPackages(beside: string, files: Readonly<Record<string, string>>): void {
  for (const [name, file] of Object.entries(files)) bundled.set(name, new URL(file, beside).href);
}

function hook(): void {
  if (hooked) return;
  hooked = true;
  registerHooks({
    resolve(specifier, context, next) {
      if (!isSingleton(specifier) || !fromPlugin(context.parentURL)) return next(specifier, context);
      const url = bundled.get(specifier);
      if (url !== undefined) return { url, format: "module", shortCircuit: true };
      // `require` resolves from the calling module and ignores the context.
      if (context.conditions.includes("require")) return next(hostRequire.resolve(specifier), context);
      return next(specifier, { ...context, parentURL: import.meta.url });
    },
  });
}

function isSingleton(specifier: string): boolean {
  return singletons.some((name) => specifier === name || specifier.startsWith(name + "/"));
}

function fromPlugin(parentUrl: string | undefined): boolean {
  // The result is final: no other hook is asked.
  if (parentUrl === undefined || parentUrl === import.meta.url) return false;
  for (const root of pluginRoots) if (parentUrl.startsWith(root)) return true;
  return false;
}
