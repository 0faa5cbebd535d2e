import path from "node:path";
import { pathToFileURL } from "node:url";
import { LongboxError, within, type Contract, type PluginDefinition } from "@longbox/sdk";
import type { Manifest } from "@longbox/sdk/manifest";
import { runAs } from "../containment/attribution.js";
import { urlOfBuild } from "../linked/rebuilt-modules.js";
import { shareSingletonsWith } from "./host-singletons.js";
import type { PluginOnDisk } from "../packages/plugin-package.js";

/** The package's module does not export a plugin, or one that its manifest does not declare. */
export class BadPluginModule extends LongboxError {
  constructor(plugin: string, problem: string, cause?: unknown) {
    super(
      "bad-input",
      "kernel/bad-plugin-module",
      `The plugin "${plugin}" cannot be used: ${problem}`,
      { plugin, problem },
      { cause },
    );
  }
}

/** What has to be known of a plugin to load it. */
export type LoadedPlugin = Pick<PluginOnDisk, "id" | "folder" | "entry" | "manifest" | "build">;

/**
 * Imports the plugin's entry. The real path of a version never changes, so a version is imported once per process.
 * @throws {BadPluginModule} also when the module waits for something for longer than the limit
 */
export async function loadDefinition(
  plugin: LoadedPlugin,
  { limitMs, signal }: { readonly limitMs: number; readonly signal?: AbortSignal },
): Promise<PluginDefinition> {
  shareSingletonsWith(plugin.folder);
  const url =
    plugin.build === undefined
      ? pathToFileURL(path.join(plugin.folder, plugin.entry)).href
      : urlOfBuild(plugin.folder, plugin.entry, plugin.build);
  // Code that runs while the module is loaded is attributed to the plugin as well.
  const importing = runAs({ id: plugin.id }, () => import(url)) as Promise<{ default?: unknown }>;
  const module = await within(importing, {
    limitMs,
    signal,
    failure: () => new BadPluginModule(plugin.id, `its entry was not loaded within ${limitMs} ms`),
  });
  return checkDefinition(plugin.id, plugin.manifest, module.default);
}

/** Checks a definition against its manifest. @throws {BadPluginModule} */
export function checkDefinition(id: string, manifest: Manifest, exported: unknown): PluginDefinition {
  if (!isDefinition(exported)) throw new BadPluginModule(id, whyNoDefinition(exported));
  for (const field of ["requires", "optional"] as const)
    for (const [name, token] of Object.entries(exported[field]))
      checkToken(id, { field, name, token, declared: manifest[field] });
  return exported;
}

interface AskedFor {
  readonly field: "requires" | "optional";
  readonly name: string;
  /** Nothing has checked its type. */
  readonly token: unknown;
  readonly declared: Readonly<Record<string, string>>;
}

/** Checks what a definition asks for against what its manifest says of it. */
function checkToken(plugin: string, { field, name, token, declared }: AskedFor): void {
  const { id } = (token ?? {}) as Partial<Contract<unknown>>;
  if (typeof id !== "string")
    throw new BadPluginModule(
      plugin,
      `the field ${field} of definePlugin names "${name}" with what is not a contract: write contract("${name}", "1.0.0")`,
    );
  if (declared[id] !== undefined) return;
  const asks = field === "requires" ? "requires" : "uses";
  throw new BadPluginModule(plugin, `it ${asks} "${id}", which its manifest does not list under "${field}"`);
}

/** The sentence that names what is exported in the place of a definition. */
function whyNoDefinition(exported: unknown): string {
  const must = "its entry must export the result of definePlugin as default";
  if (typeof exported === "function") return `${must}, and exports a function or a class`;
  if (exported instanceof Promise) return `${must}, and exports a promise: await it`;
  if (typeof exported !== "object" || exported === null) return must;
  const { activate, deactivate, migrations, requires, optional } = exported as Partial<PluginDefinition>;
  for (const [field, value] of Object.entries({ requires, optional }))
    if (typeof activate === "function" && !isObject(value))
      return `the field ${field} of definePlugin must be an object, such as { library: Collection }`;
  if (migrations !== undefined && !Array.isArray(migrations))
    return "the field migrations of definePlugin must be a list";
  if (migrations !== undefined && typeof activate !== "function")
    return "the field activate of definePlugin must be a function";
  if (deactivate !== undefined && typeof deactivate !== "function")
    return "the field deactivate of definePlugin must be a function";
  return must;
}

function isDefinition(value: unknown): value is PluginDefinition {
  if (typeof value !== "object" || value === null) return false;
  const candidate = value as Partial<PluginDefinition>;
  return (
    typeof candidate.activate === "function" &&
    isObject(candidate.requires) &&
    isObject(candidate.optional) &&
    Array.isArray(candidate.migrations) &&
    ["undefined", "function"].includes(typeof candidate.deactivate)
  );
}

const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
