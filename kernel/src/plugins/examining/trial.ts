import { setSourceMapsSupport } from "node:module";
import path from "node:path";
import { isLongboxError, LongboxError } from "@longbox/sdk";
import type { PluginOnDisk } from "../packages/plugin-package.js";
import { loadDefinition } from "../running/plugin-module.js";
import { examineDefinition } from "./definition.js";
import { observeImport, placeIn, type Place } from "./import-effects.js";
import { examineMessageFiles } from "./message-files.js";
import type { Mistake } from "./mistakes.js";
import { examineQueries } from "./sql/package-queries.js";

/** The caller waits for the process, with a time limit of its own. */
const loadLimitMs = 60_000;

/** What a trial needs to know of a plugin. */
export type TriedPlugin = Pick<PluginOnDisk, "id" | "folder" | "entry" | "manifest">;

/** Loads a plugin in this process, where nothing else runs, and examines what it defines. */
export async function tryPlugin(plugin: TriedPlugin): Promise<Mistake[]> {
  // Places are looked up in the package's own files, which say where their sources were.
  setSourceMapsSupport(false);
  const effects = observeImport(plugin.folder);
  const definition = await loadDefinition(plugin, { limitMs: loadLimitMs }).catch((failure: unknown) => {
    // Where it cannot be parsed, its file does not say by itself.
    throw failure instanceof SyntaxError ? failure : located(plugin.folder, failure);
  });
  return [
    ...(await effects()),
    ...(await examineDefinition({ definition, manifest: plugin.manifest, entry: plugin.entry })),
    ...(await examineMessageFiles(plugin.folder)),
    ...(await examineQueries(plugin.folder, clientFolderOf(plugin))),
  ];
}

function clientFolderOf({ manifest }: TriedPlugin): string | undefined {
  return manifest.client?.js === undefined ? undefined : path.posix.dirname(manifest.client.js);
}

const beyondTrial: Readonly<Record<string, string>> = {
  ChildProcess: "starts a process",
  FileSystemRead: "reads a file of the server",
  FileSystemWrite: "writes a file",
  WorkerThreads: "starts a thread",
  Addons: "loads native code",
};

/** What Node says in words that only make sense to who runs it. */
function inWords(failure: Error): string | undefined {
  const { code, permission = "" } = failure as Error & { readonly code?: string; readonly permission?: string };
  if (code === "ERR_ACCESS_DENIED")
    return `The module ${beyondTrial[permission] ?? "does what no plugin may"} when it is imported. Work begins in activate.`;
  const [, missing, name] =
    /^Package subpath '\.(\S*)' is not defined by "exports" in \S*?node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(
      failure.message,
    ) ?? [];
  return missing === undefined ? undefined : `The package "${name}" has no entry "${name}${missing}".`;
}

/** The same failure, with the file and line that it came from. */
export function located(folder: string, failure: unknown, known?: Place): unknown {
  if (!(failure instanceof Error) || isLongboxError(failure)) return failure;
  const place = known ?? placeIn(folder, failure.stack ?? "");
  const message = inWords(failure) ?? failure.message.replaceAll(`${folder}/`, "");
  const where = place === undefined ? "" : ` (${place.file}, line ${place.line})`;
  const details = place && { file: place.file, line: place.line };
  return new LongboxError("bad-input", "kernel/trial-import-failed", `${message}${where}`, details, { cause: failure });
}
