import { hash } from "node:crypto";
import type { RemoteBook } from "./remote-contract.js";
import type { SourceKey } from "./remote-records.js";

export const remotePrefix = "remote:/";

/** Whether a path of the collection is that of a remote book. Those of files on disk begin with a slash. */
export const isRemote = (path: string): boolean => path.startsWith(remotePrefix);

/** Unique and stable, whatever a source calls its books; the last part is the name under which the book is given. */
export function pathOf({ plugin, source }: SourceKey, { id, format, reading }: RemoteBook): string {
  // oxlint-disable-next-line no-control-regex
  const name = reading.title
    .replaceAll(/[/\\\u0000-\u001f]/gu, " ")
    .trim()
    .slice(0, 120);
  return `${remotePrefix}${plugin}/${source}/${hash("sha256", id, "base64url").slice(0, 27)}/${name || "Book"}.${format}`;
}
