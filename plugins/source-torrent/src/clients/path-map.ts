import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { isAbsolute } from "node:path";

export interface PathMapping {
  readonly remote: string;
  readonly local: string;
}

/** A client's path as this server calls it; the longest mapping that fits counts. */
export function localPath(remote: string, mappings: readonly PathMapping[]): string {
  const path = slashed(remote);
  const [best] = mappings
    .map((mapping) => ({ from: slashed(mapping.remote), to: mapping.local }))
    .filter(({ from, to }) => from !== "" && to !== "" && (path === from || path.startsWith(`${from}/`)))
    .toSorted((one, other) => other.from.length - one.from.length);
  return best ? `${best.to.replace(/\/+$/u, "")}${path.slice(best.from.length)}` : path;
}

/** With `/` also where the client runs on Windows, and without one at the end. */
function slashed(path: string): string {
  const plain = /^(?:[A-Za-z]:|\\)\\/u.test(path) ? path.replaceAll("\\", "/") : path;
  return plain.length > 1 ? plain.replace(/\/+$/u, "") : plain;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such folder on this server",
  EACCES: "the account that Longbox runs under may not read it",
  ENOTDIR: "a part of the path is a file",
};

/** Why a folder cannot be read here, as a part of a sentence; undefined when it can. */
export async function problemWith(folder: string): Promise<string | undefined> {
  if (!isAbsolute(folder)) return "it is not an absolute path of this server";
  try {
    await access(folder, constants.R_OK | constants.X_OK);
    return undefined;
  } catch (fault) {
    const code = fault instanceof Error && "code" in fault ? String(fault.code) : "";
    return reasons[code] ?? `the system says ${code}`;
  }
}
