import { LongboxError } from "@longbox/sdk";

const howToRestore =
  'Nothing was changed. Put the file back, or restore a backup into a new folder with "longbox restore"; ' +
  'to take the data as they are, stop the server and run "longbox accept".';

/** What is wrong with a database of an installation. */
export type Misfit = "missing" | "empty" | "older" | "foreign";

const words: Record<Misfit, string> = {
  missing: "is missing",
  empty: "is empty, or holds nothing that this server has written",
  older: "is older than the one that this server used last",
  foreign: "belongs to another installation, or to another plugin",
};

/** A database that is not the one that the installation had. The path is in the cause, which no client sees. */
export function unfit(owner: string, path: string, misfit: Misfit): LongboxError {
  const whose = owner === "kernel" ? "accounts" : `plugin "${owner}"`;
  return new LongboxError(
    "internal",
    `kernel/database-${misfit}`,
    `The database of the ${whose} ${words[misfit]}. ${howToRestore}`,
    { owner },
    { cause: new Error(path) },
  );
}
