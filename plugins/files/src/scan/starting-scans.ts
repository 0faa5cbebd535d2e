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
  scanNewFormats({ scanner, collection, formats, later }, context);
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

/**
 * Scans libraries whose formats have come: at start when the settings say so, later always, since their files may have
 * changed while no plugin could read them.
 */
function scanNewFormats(
  parts: Pick<StartingParts, "scanner" | "collection" | "formats"> & {
    readonly later: (work: () => Promise<void>) => void;
  },
  context: PluginContext<FilesSettings>,
): void {
  const { scanner, collection, formats, later } = parts;
  let present: ReadonlySet<string> = new Set();
  const seen = new Set<string>();
  let soon: NodeJS.Immediate | undefined;
  const look = () => {
    const now = formats.all();
    const isNew = now.some(({ id }) => !present.has(id));
    const came = now.filter(({ id }) => !present.has(id) && (context.settings.current.scanAtStart || seen.has(id)));
    present = new Set(now.map(({ id }) => id));
    for (const { id } of now) seen.add(id);
    if (!isNew) return;
    later(async () => {
      await scanner.resumeLeft();
      for (const { id, type } of await collection.listLibraries(systemViewer))
        if (came.some(({ libraryTypes }) => libraryTypes.includes(type))) await scanner.scan(id);
    });
  };
  // A plugin adds several formats one after the other; they make one scan.
  const lookSoon = () => {
    clearImmediate(soon);
    soon = setImmediate(look);
  };
  context.own(formats.onChange(lookSoon));
  context.own({ release: () => clearImmediate(soon) });
  lookSoon();
}
