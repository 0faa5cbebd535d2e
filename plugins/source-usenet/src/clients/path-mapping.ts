import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { posix } from "node:path";
import type { PathMapping } from "../settings.js";

const withSlashes = (path: string) => path.replaceAll("\\", "/");
const withoutEnd = (path: string) => path.replace(/\/+$/u, "") || "/";

/**
 * Where a path of the client is on this server: by the longest mapping that fits, otherwise the same path. Windows'
 * paths are compared without regard to case.
 */
export function localPath(path: string, mappings: readonly PathMapping[]): string {
  const isWindows = /^(?:[A-Za-z]:|\\\\)/u.test(path);
  const plain = (text: string) => posix.normalize(isWindows ? withSlashes(text) : text);
  const remote = plain(path);
  const same = (text: string) => (isWindows ? text.toLowerCase() : text);
  const fitting = mappings
    .map((mapping) => ({ ...mapping, remote: withoutEnd(plain(mapping.remote)) }))
    .filter(({ remote: prefix }) => same(`${remote}/`).startsWith(same(prefix === "/" ? "/" : `${prefix}/`)))
    .toSorted((one, other) => other.remote.length - one.remote.length)[0];
  if (!fitting) return withoutEnd(remote);
  return withoutEnd(posix.join(fitting.local, remote.slice(fitting.remote === "/" ? 0 : fitting.remote.length)));
}

/** Why a folder cannot be read here, as the end of a sentence; undefined when it can. */
export async function whyUnreadable(path: string): Promise<string | undefined> {
  if (!path.startsWith("/")) return "is not a path of this server";
  try {
    if (!(await stat(path)).isDirectory()) return "is not a folder";
    await access(path, constants.R_OK | constants.X_OK);
    return undefined;
  } catch (fault) {
    const code = fault instanceof Error && "code" in fault ? String(fault.code) : "";
    if (code === "ENOENT" || code === "ENOTDIR") return "does not exist on this server";
    return code === "EACCES" || code === "EPERM" ? "may not be read by this server" : `cannot be read (${code})`;
  }
}
