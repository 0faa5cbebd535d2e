import { execFile } from "node:child_process";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { isLongboxError, LongboxError } from "@longbox/sdk";
import type { PluginOnDisk } from "../packages/plugin-package.js";
import { loadDefinition } from "../running/plugin-module.js";
import { examineDefinition } from "./definition.js";
import { observeImport, placeIn, type Place } from "./import-effects.js";
import type { Mistake } from "./mistakes.js";

/** The caller waits for the thread, with a time limit of its own. */
const loadLimitMs = 60_000;
const checkLimitMs = 10_000;

/** What a trial needs to know of a plugin. */
export type TriedPlugin = Pick<PluginOnDisk, "id" | "folder" | "entry" | "manifest">;

/** Loads a plugin in this thread, where nothing else runs, and examines what it defines. */
export async function tryPlugin(plugin: TriedPlugin): Promise<Mistake[]> {
  const effects = observeImport(plugin.folder);
  const definition = await loadDefinition(plugin, { limitMs: loadLimitMs }).catch(async (failure: unknown) => {
    throw located(plugin.folder, failure, failure instanceof SyntaxError ? await syntaxPlace(plugin) : undefined);
  });
  return [...(await effects()), ...examineDefinition({ definition, manifest: plugin.manifest, entry: plugin.entry })];
}

/** The same failure, with the file and line that it came from. */
function located(folder: string, failure: unknown, known: Place | undefined): unknown {
  if (!(failure instanceof Error) || isLongboxError(failure)) return failure;
  const place = known ?? placeIn(folder, failure.stack ?? "");
  const message = failure.message.replaceAll(`${folder}/`, "");
  const where = place === undefined ? "" : ` (${place.file}, line ${place.line})`;
  const details = place && { file: place.file, line: place.line };
  return new LongboxError("bad-input", "kernel/trial-import-failed", `${message}${where}`, details, { cause: failure });
}

/** Where the entry cannot be parsed: V8 only tells it to a program that checks the file. Undefined for other files. */
function syntaxPlace({ folder, entry }: TriedPlugin): Promise<Place | undefined> {
  const file = path.join(folder, entry);
  return new Promise((resolve) => {
    execFile(process.execPath, ["--check", file], { env: {}, timeout: checkLimitMs }, (_, __, told) => {
      const line = told.startsWith(`${pathToFileURL(file).href}:`) || told.startsWith(`${file}:`);
      resolve(line ? { file: entry, line: Number(/:(\d+)\n/.exec(told)?.[1]) } : undefined);
    });
  });
}
