import { access, constants, opendir } from "node:fs/promises";
import { systemViewer } from "@longbox/sdk";
import type { HealthCheck, HealthFinding } from "@longbox/operations/contract";
import type { Library } from "../contract.js";
import type { Libraries } from "./libraries.js";

/** Whether the folder of every library is there, holds something, and can be written. */
export function rootHealth(libraries: Libraries): HealthCheck {
  return { check: async () => await Promise.all((await libraries.list(systemViewer)).map(checkRoot)) };
}

async function checkRoot(library: Library): Promise<HealthFinding> {
  const finding = { id: `library-root-${library.id}`, title: `Folder of ${library.name}` };
  const folder = library.rootFolder;
  const holds = await hasEntries(folder);
  if (holds === undefined)
    return {
      ...finding,
      level: "error",
      advice: `${folder} cannot be read: mount it, give the server the right to read it, or choose another folder for the library.`,
    };
  if (!holds)
    return {
      ...finding,
      level: "warning",
      advice: `${folder} is empty: if that is not meant, check whether a disk is missing.`,
    };
  const writable = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!writable)
    return {
      ...finding,
      level: "warning",
      advice: `${folder} cannot be written: reading works, but give the server the right to write if it should rename or tag files.`,
    };
  return { ...finding, level: "ok", advice: `${folder} can be read and written.` };
}

/** undefined when the folder cannot be read. */
async function hasEntries(folder: string): Promise<boolean | undefined> {
  try {
    await using entries = await opendir(folder);
    return (await entries.read()) !== null;
  } catch {
    return undefined;
  }
}
