import type { TestOutcome } from "@longbox/downloads/contract";
import { isLongboxError } from "@longbox/sdk";
import { isWebAddress } from "../settings.js";
import type { AskingClient } from "./asking-client.js";
import { categories, destinationOf } from "./nzbget-folders.js";
import { NzbgetApi } from "./nzbget-api.js";
import { localPath, whyUnreadable } from "./path-mapping.js";
import { SabnzbdApi } from "./sabnzbd-api.js";

interface Found {
  readonly version: string;
  readonly categories: readonly string[];
  /** As the program sees it. */
  readonly folder: string;
}

/**
 * Whether a client answers, takes what it is signed in with, has the category, and leaves files where they can be read.
 */
export async function testClient(asking: AskingClient): Promise<TestOutcome> {
  const { kind, url } = asking.entry;
  if (!isWebAddress(url)) return { ok: false, message: "The address must begin with http:// or https://." };
  try {
    const found = await (kind === "sabnzbd" ? askSabnzbd(asking) : askNzbget(asking));
    const problem = categoryProblem(asking, found) ?? (await folderProblem(asking, found));
    const fine = `${asking.program} answers, and its finished downloads can be read.`;
    return { ok: problem === undefined, message: problem ?? fine, version: found.version };
  } catch (fault) {
    return { ok: false, message: isLongboxError(fault) ? fault.message : `${asking.program} cannot be asked.` };
  }
}

async function askSabnzbd(asking: AskingClient): Promise<Found> {
  const api = new SabnzbdApi(asking);
  const version = await api.version();
  // The version needs no key; the queue does, and the folder needs the full one.
  await api.queue({ limit: "1" });
  return { version, categories: await api.categories(), folder: await api.completeFolder() };
}

async function askNzbget(asking: AskingClient): Promise<Found> {
  const api = new NzbgetApi(asking);
  const version = await api.version();
  const options = await api.options();
  return { version, categories: categories(options), folder: destinationOf(options, asking.entry.category) };
}

function categoryProblem({ entry, program }: AskingClient, found: Found): string | undefined {
  if (entry.category === "" || found.categories.includes(entry.category)) return undefined;
  const others = found.categories.filter((name) => name !== "*").slice(0, 20);
  const has = others.length === 0 ? "It has none" : `It has ${others.join(", ")}`;
  return `${program} has no category "${entry.category}". ${has}. Add it there, or choose another.`;
}

async function folderProblem({ entry, program }: AskingClient, { folder }: Found): Promise<string | undefined> {
  if (folder === "") return undefined;
  const local = localPath(folder, entry.pathMap);
  const reason = await whyUnreadable(local);
  if (reason === undefined) return undefined;
  const mapped = local === folder ? "" : `, which is mapped to ${local}`;
  return `${program} leaves finished downloads in ${folder}${mapped}: that folder ${reason}. Set a path mapping.`;
}
