import { stat } from "node:fs/promises";
import type { FileHolder } from "@longbox/files/contract";
import type { FetchingBooks } from "./fetching-books.js";
import { remotePrefix } from "./remote-path.js";

/** The files of remote books, for all that send files of issues, such as catalogs. */
export function remoteFiles(fetching: FetchingBooks): FileHolder {
  return {
    prefix: remotePrefix,
    async send({ path, contentType }) {
      const fetched = await fetching.fetch(path);
      if (!fetched) return undefined;
      const { mtime } = await stat(fetched.path);
      const content = { kind: "file", path: fetched.path, contentType } as const;
      return { content, validator: fetched.validator, lastModified: mtime };
    },
  };
}
