import { systemViewer, type PluginContext } from "@longbox/sdk";
import type { CollectionContract } from "@longbox/collection/contract";
import type { Formats } from "../formats/formats.js";
import type { FilesSettings } from "../settings.js";
import type { Scanner } from "./scanner.js";
import type { Watching } from "./watching.js";

export interface StartingParts {
  readonly scanner: Scanner;
  readonly watching: Watching;
  readonly collection: CollectionContract;
  readonly formats: Formats;
}

/**
 * Begins scans by themselves: of everything at start, of a library whose folder was named or changed, and of folders
 * that change.
 */
export function startScans(
  { scanner, watching, collection, formats }: StartingParts,
  context: PluginContext<FilesSettings>,
): void {
  const roots = new Map<number, string>();
  /** Libraries whose scan was requested after the last format came: they need no other. */
  const fresh = new Set<number>();
  const later = (work: () => Promise<void>) => {
    work().catch((thrown: unknown) => {
      if (!context.signal.aborted) context.log.warn("A scan could not be started", { error: thrown });
    });
  };
  watching.switch(context.settings.current.watchFolders);
  later(async () => {
    for (const library of await collection.listLibraries(systemViewer)) roots.set(library.id, rootOf(library));
    // Formats come a moment later, each with its plugin; libraries that hold them are scanned then.
    await scanner.forgetLibrariesBut([...roots.keys()]);
  });
  scanNewFormats({ scanner, collection, formats, fresh, later }, context);
  context.own(
    context.settings.onChange((next, previous) => {
      watching.switch(next.watchFolders);
      if (next.watchFolders && !previous.watchFolders) later(() => scanner.scanAll());
    }),
  );
  context.own(
    collection.onLibrariesChanged((ids) =>
      later(async () => {
        const libraries = await collection.listLibraries(systemViewer);
        await scanner.forgetLibrariesBut(libraries.map((library) => library.id));
        for (const library of libraries) {
          if (!ids.includes(library.id) || roots.get(library.id) === rootOf(library)) continue;
          roots.set(library.id, rootOf(library));
          fresh.add(library.id);
          await scanner.scan(library.id);
        }
        watching.keepOnly(libraries.map((library) => library.rootFolder));
      }),
    ),
  );
}

function rootOf(library: { readonly type: string; readonly rootFolder: string }): string {
  return `${library.type}\n${library.rootFolder}`;
}

/** Plugins start one after the other: libraries are scanned once no format has come for so many milliseconds. */
const quietMs = 400;

/**
 * Scans libraries whose formats have come: at start when the settings say so, later always, since their files may have
 * changed while no plugin could read them.
 */
function scanNewFormats(
  parts: Pick<StartingParts, "scanner" | "collection" | "formats"> & {
    readonly fresh: Set<number>;
    readonly later: (work: () => Promise<void>) => void;
  },
  context: PluginContext<FilesSettings>,
): void {
  const { scanner, collection, formats, fresh, later } = parts;
  let present: ReadonlySet<string> = new Set();
  const seen = new Set<string>();
  /** The types of libraries to scan once no further format comes. */
  const types = new Set<string>();
  let soon: NodeJS.Timeout | undefined;
  const scan = async () => {
    const came = new Set(types);
    types.clear();
    await scanner.resumeLeft();
    for (const { id, type } of await collection.listLibraries(systemViewer))
      if (came.has(type) && !fresh.has(id)) await scanner.scan(id);
  };
  const look = () => {
    const now = formats.all();
    const added = now.filter(({ id }) => !present.has(id));
    present = new Set(now.map(({ id }) => id));
    if (added.length === 0) return;
    const isScanned = ({ id }: { readonly id: string }) => context.settings.current.scanAtStart || seen.has(id);
    for (const type of added.filter(isScanned).flatMap(({ libraryTypes }) => libraryTypes)) types.add(type);
    for (const { id } of added) seen.add(id);
    fresh.clear();
    clearTimeout(soon);
    soon = setTimeout(() => later(scan), quietMs);
  };
  context.own(formats.onChange(look));
  context.own({ release: () => clearTimeout(soon) });
  look();
}
