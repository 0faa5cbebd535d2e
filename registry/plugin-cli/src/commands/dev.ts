import { relative, resolve, sep } from "node:path";
import { TreeWatch } from "@longbox/kernel/watching";
import type { DevelopmentServer } from "../hosting/development-server.js";
import { AuthorMistake } from "../packing/author-mistake.js";
import { packPlugin } from "../packing/build.js";
import { readPackageJson } from "../packing/package-json.js";

export interface DevelopOptions {
  readonly folder: string;
  readonly server: DevelopmentServer;
  /** Called with a sentence about each build: what runs now, or what is wrong. */
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Editors write a file in several steps. */
const settleMs = 80;
const ignored = new Set(["node_modules", "dist", "types", ".git", ".longbox"]);

/**
 * Builds a plugin after each change and puts it into a server, in place of the version before, until the signal aborts.
 */
export async function develop({ folder, server, log, signal }: DevelopOptions): Promise<void> {
  const base = (await readPackageJson(folder)).version;
  let building = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let builds = 0;
  const build = () => {
    const version = `${nextPatch(base)}-dev.${Date.now()}.${(builds += 1)}`;
    building = building.then(() =>
      replace({ folder, server, version }).then(log, (failure) => log(told(failure, folder))),
    );
  };
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(build, settleMs);
  };
  const failed = (failure: Error) => log(`Changes are not seen any more: ${failure.message}`);
  const watching = new TreeWatch({ folder, ignores: isIgnored, changed, failed });
  build();
  await new Promise<void>((stop) => signal.addEventListener("abort", () => stop(), { once: true }));
  watching.release();
  clearTimeout(timer);
  await building;
}

const isIgnored = (file: string) => file.endsWith(".tgz") || file.split(sep).some((part) => ignored.has(part));

/** What is wrong, after the file and line where that is known. */
function told(failure: unknown, folder: string): string {
  if (!(failure instanceof Error)) return String(failure);
  const { file, line } = failure instanceof AuthorMistake ? failure.place : {};
  if (file === undefined) return failure.message;
  return `${relative(folder, resolve(folder, file))}${line === undefined ? "" : `:${line}`}: ${failure.message}`;
}

function nextPatch(version: string): string {
  const [major, minor, patch] = version.split(/[.+-]/).map(Number);
  return `${major}.${minor}.${patch! + 1}`;
}

interface Replacement {
  readonly folder: string;
  readonly server: DevelopmentServer;
  readonly version: string;
}

/** @returns what runs now. @throws {Error} with what the server says is wrong; then the version before runs on */
async function replace({ folder, server, version }: Replacement): Promise<string> {
  const began = performance.now();
  const packed = await packPlugin(folder, { version, sourceMaps: true });
  await server.offer(packed);
  const answer = await fetch(new URL("/api/plugins/install", server.url), {
    method: "POST",
    headers: { "content-type": "application/json", ...(server.key !== undefined && { "x-api-key": server.key }) },
    // Who develops a plugin knows what it asks for.
    body: JSON.stringify({ name: packed.manifest.name, version, accept: true }),
  });
  const row = (await answer.json()) as { name: string; state: string; reason?: string; error?: string };
  if (!answer.ok) throw new Error(row.error ?? `The server answered ${answer.status}.`);
  const took = `${Math.round(performance.now() - began)} ms`;
  return `${row.name} ${version} is ${row.state}${row.reason === undefined ? "" : `: ${row.reason}`} (${took})`;
}
