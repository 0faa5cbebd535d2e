import { isBuiltin } from "node:module";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { rolldown, type OutputAsset, type OutputChunk, type Plugin } from "rolldown";
import { AuthorMistake } from "./author-mistake.js";
import { inSource, mistakeOf } from "./bundle-failures.js";
import { isHostSingleton } from "./host-singletons.js";
import type { PackageJson } from "./package-json.js";

/** How the modules of a plugin are bundled. */
export interface BundleOptions {
  /** Bundles the sources in `src`, TypeScript or not, in place of the compiled modules in `dist`. */
  readonly fromSource?: boolean;
  /** Writes source maps that name the sources by their absolute paths: for a plugin under development. */
  readonly sourceMaps?: boolean;
}

/**
 * V8 keeps the text of every module that is loaded, with one byte for a character, or with two for all of them when one
 * lies beyond Latin-1. So such characters are written as escapes, and comments are left out, but for those about
 * licences. Names and lines stay, for the stacks in the log.
 */
const economical = {
  comments: { legal: true, annotation: false, jsdoc: false },
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
} as const;

/**
 * Bundles the compiled modules of a plugin into `target`: its entry, what its exports name, and its workers, each with
 * the dependencies it needs. Tokens from other plugins' contracts are bundled too, since tokens are compared by id.
 * @returns the paths of the modules that went into it
 * @throws {Error} When something it imports is neither bundled, nor provided by the host, nor copied.
 */
export async function bundlePlugin(
  { folder, manifest, fromSource = false, sourceMaps = false }: BundledPlugin,
  target: string,
): Promise<string[]> {
  const kept = [...manifest.longboxBundle.copy.map(({ name }) => name), ...manifest.longboxBundle.external];
  const isKept = (specifier: string) => kept.some((name) => specifier === name || specifier.startsWith(`${name}/`));
  const stays = (specifier: string) => isBuiltin(specifier) || isHostSingleton(specifier) || isKept(specifier);
  const mistakes: AuthorMistake[] = [];
  await using bundle = await rolldown({
    cwd: folder,
    plugins: [refusingOtherPlugins(manifest.name, mistakes)],
    input: fromSource ? sourceEntries(manifest, folder) : builtEntries(manifest, folder),
    platform: "node",
    external: stays,
    onLog(level, log) {
      if (log.code === "UNRESOLVED_IMPORT") mistakes.push(mistakeOf(log));
      else if (level === "warn" && log.code !== "EVAL" && log.code !== "CIRCULAR_DEPENDENCY")
        process.stderr.write(`${manifest.name}: ${log.message}\n`);
    },
  });
  const writing = bundle.write({
    dir: join(target, "dist"),
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    ...economical,
    sourcemap: sourceMaps,
    sourcemapPathTransform: (source, map) => resolve(dirname(map), source),
  });
  const { output } = await writing.catch((failure: unknown) => {
    throw inSource(failure) ?? failure;
  });
  if (mistakes[0] !== undefined) throw mistakes[0];
  return modulesIn(output, manifest.name, stays);
}

/**
 * The paths of the modules in what was bundled.
 * @throws {AuthorMistake} when it imports what it neither contains nor may
 */
function modulesIn(
  output: readonly (OutputChunk | OutputAsset)[],
  plugin: string,
  stays: (specifier: string) => boolean,
): string[] {
  const chunks = output.filter((part): part is OutputChunk => part.type === "chunk");
  const left = chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports]);
  const made = new Set(output.map((part) => part.fileName));
  const unknown = left.filter((specifier) => !made.has(specifier) && !stays(specifier));
  if (unknown.length > 0)
    throw new AuthorMistake(
      "not-bundled",
      `${plugin} imports ${unknown.map((each) => `"${each}"`).join(", ")}, which neither the host provides nor the bundle contains.`,
    );
  return chunks.flatMap((chunk) => chunk.moduleIds);
}

interface BundledPlugin extends BundleOptions {
  readonly folder: string;
  readonly manifest: PackageJson;
}

// A contract's token is bundled; the code behind it belongs to the other plugin alone.
function refusingOtherPlugins(own: string, mistakes: AuthorMistake[]): Plugin {
  return {
    name: "refuse-other-plugins",
    resolveId(specifier, importer) {
      if (
        !specifier.startsWith("@longbox/") ||
        isHostSingleton(specifier) ||
        specifier.startsWith(`${own}/`) ||
        specifier.endsWith("/contract")
      )
        return;
      const message = `${own} imports the code of another plugin: ${specifier}. Only its /contract may be imported.`;
      mistakes.push(new AuthorMistake("imports-other-plugin", message, { file: importer }));
      return { id: specifier, external: true };
    },
  };
}

// All entry points, by path without `dist/` and `.js`.
function entries(manifest: PackageJson, folder: string): Record<string, string> {
  const exported = Object.values(manifest.exports).map((target) =>
    typeof target === "string" ? target : (target as { default?: string }).default,
  );
  const workers = Object.values((manifest.longbox?.["workers"] ?? {}) as Record<string, string>);
  const modules = [...exported, ...workers]
    .filter((path) => path !== undefined)
    .map((path) => path.replace(/^\.\//, ""))
    .filter((path) => /^dist\/.*\.js$/.test(path));
  return Object.fromEntries(modules.map((path) => [path.slice("dist/".length, -".js".length), join(folder, path)]));
}

function builtEntries(manifest: PackageJson, folder: string): Record<string, string> {
  const named = entries(manifest, folder);
  for (const [name, file] of Object.entries(named))
    if (!existsSync(file))
      throw new AuthorMistake(
        "entry-missing",
        `The field exports of package.json names "dist/${name}.js", which is not there, and there is no folder src to build it from.`,
        { file: "package.json" },
      );
  return named;
}

function sourceEntries(manifest: PackageJson, folder: string): Record<string, string> {
  const named = Object.keys(entries(manifest, folder));
  return Object.fromEntries(named.map((name) => [name, sourceOf(folder, name)]));
}

function sourceOf(folder: string, name: string): string {
  const found = [".ts", ".js"]
    .map((ending) => join(folder, "src", `${name}${ending}`))
    .find((file) => existsSync(file));
  if (found === undefined)
    throw new AuthorMistake(
      "entry-missing",
      `The field exports of package.json names "dist/${name}.js", and there is no src/${name}.ts for it.`,
      { file: "package.json" },
    );
  return found;
}
