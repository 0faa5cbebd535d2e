import { addressOf, language, t } from "@longbox/sdk/ui";
import type { ClientPart } from "@longbox/kernel/api";
import { deleteFrom, fetchInto } from "./fetching-into.js";

/** What every page asks for at its start. */
const startAddresses = [
  "/",
  "/theme.js",
  "/favicon.svg",
  "/site.webmanifest",
  "/api/auth/me",
  "/api/plugins/client",
  ...(language === "en" ? [] : [`/api/plugins/texts?language=${encodeURIComponent(language)}`]),
];
/** The key of this record in the cache; not an address of the server. */
const recordAddress = addressOf("/offline/start.json");

/** The interface itself: its files, those of the plugins, and the answers that it begins with. */
export interface StartFiles {
  readonly addresses: readonly string[];
  /** Where the client of each plugin lies; the address changes with its version. */
  readonly folders: Readonly<Record<string, string>>;
}

type BuiltFiles = Readonly<
  Record<string, { readonly file: string; readonly src?: string; readonly css?: readonly string[] }>
>;

/** The messages of a language, as `clientMessages` of the SDK names them. */
const messages = /longbox-messages\/(?<language>[\w-]+)\.js$/;

/** Saves the interface as it is now; what is of a former version stays until `forgetStart`. */
export async function saveStart(cache: Cache): Promise<StartFiles> {
  const start = await findStart();
  for (const address of start.addresses) {
    const saved = await cache.match(addressOf(address), { ignoreVary: true });
    const isForever = saved?.headers.get("Cache-Control")?.includes("immutable") ?? false;
    if (!isForever) await fetchInto(cache, address);
  }
  return start;
}

export async function readStart(cache: Cache): Promise<StartFiles> {
  const record = await cache.match(recordAddress);
  return record ? ((await record.json()) as StartFiles) : { addresses: [], folders: {} };
}

/** Records what is saved, and deletes what was of a former version. @param needed - addresses that stay */
export async function replaceStart(cache: Cache, start: StartFiles, needed: readonly string[]): Promise<void> {
  const former = await readStart(cache);
  await cache.put(recordAddress, new Response(JSON.stringify(start)));
  const kept = new Set([...start.addresses, ...needed]);
  for (const address of former.addresses) if (!kept.has(address)) await deleteFrom(cache, address);
}

/** Addresses of a plugin's own files are others after an update. */
export function movedAddress(address: string, former: StartFiles, start: StartFiles): string {
  for (const [name, folder] of Object.entries(former.folders))
    if (address.startsWith(folder)) return `${start.folders[name] ?? folder}${address.slice(folder.length)}`;
  return address;
}

async function findStart(): Promise<StartFiles> {
  const [own, parts] = await Promise.all([
    readJson<BuiltFiles>("/assets.json"),
    readJson<readonly ClientPart[]>("/api/plugins/client"),
  ]);
  const folders = Object.fromEntries(
    parts.flatMap(({ name, js }) => (js === undefined ? [] : [[name, js.slice(0, js.lastIndexOf("/") + 1)]])),
  );
  const contributed = parts.flatMap(({ js, css }) => [js, css].filter((address) => address !== undefined));
  const chunks = await Promise.all(Object.values(folders).map(filesIn));
  return {
    addresses: [...new Set([...startAddresses, ...namedIn("/", own), ...contributed, ...chunks.flat()])],
    folders,
  };
}

/** The files that a plugin loads when they are needed. Its build names them; without that it has none. */
async function filesIn(folder: string): Promise<string[]> {
  const answer = await fetch(addressOf(`${folder}assets.json`));
  return answer.ok ? namedIn(folder, (await answer.json()) as BuiltFiles) : [];
}

function namedIn(folder: string, built: BuiltFiles): string[] {
  return Object.values(built)
    .filter(({ src = "" }) => isUsed(messages.exec(src)?.groups?.["language"]))
    .flatMap(({ file, css = [] }) => [file, ...css].map((name) => `${folder}${name}`));
}

/** Of the messages only those of the language that is shown are needed. */
function isUsed(of: string | undefined): boolean {
  return of === undefined || of === language;
}

async function readJson<T>(address: string): Promise<T> {
  const answer = await fetch(addressOf(address), { headers: { accept: "application/json" } });
  if (!answer.ok) throw new Error(t("startFiles.theServerAnswered", { status: String(answer.status) }));
  return (await answer.json()) as T;
}
