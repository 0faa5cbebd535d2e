import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeWhole } from "../serving/whole-file.js";
import type { WorkspacePublication } from "../publishing/workspaces.js";

interface PublishedRecord {
  readonly build: string;
  readonly publications: WorkspacePublication[];
}

/** The record of the packages that were published from this build, with which bundling and comparing can be skipped. */
export async function recalledPublications(
  folder: string,
  build: string | undefined,
): Promise<WorkspacePublication[] | undefined> {
  const text = await readFile(file(folder), "utf8").catch(() => undefined);
  const record = text === undefined ? undefined : tryParse(text);
  return isRecord(record) && record.build === build ? record.publications : undefined;
}

export async function rememberPublications(
  folder: string,
  build: string | undefined,
  publications: readonly WorkspacePublication[],
): Promise<void> {
  if (build === undefined) return;
  await writeWhole(file(folder), `${JSON.stringify({ build, publications })}\n`);
}

const file = (folder: string) => join(folder, "published.json");

// Without a readable record, the packages are compared again, which takes a few seconds.
function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// By hand, because this program stays in memory beside the server, and a schema library would be a third of it.
function isRecord(value: unknown): value is PublishedRecord {
  const { build, publications } = (value ?? {}) as Partial<PublishedRecord>;
  return typeof build === "string" && Array.isArray(publications) && publications.every(isPublication);
}

function isPublication(value: unknown): value is WorkspacePublication {
  const { name, version, isNew, isDefault } = (value ?? {}) as Partial<WorkspacePublication>;
  return (
    [name, version].every((text) => typeof text === "string") &&
    [isNew, isDefault].every((is) => typeof is === "boolean")
  );
}
