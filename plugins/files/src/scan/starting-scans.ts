import { systemViewer, type PluginContext } from "@longbox/sdk";
import type { CollectionContract } from "@longbox/collection/contract";
import type { FilesSettings } from "../settings.js";
import type { Scanner } from "./scanner.js";
import type { Watching } from "./watching.js";

/** Begins scans by themselves: of everything at start, of a library whose folder was named or changed, and of folders that change. */
export function startScans(scanner: Scanner, watching: Watching, collection: CollectionContract, context: PluginContext<FilesSettings>): void {
  const roots = new Map<number, string>();
  const later = (work: () => Promise<void>) => {
    work().catch((thrown: unknown) => {
      if (!context.signal.aborted) context.log.warn("A scan could not be started", { error: thrown });
    });
  };
  watching.switch(context.settings.current.watchFolders);
  later(async () => {
    for (const library of await collection.listLibraries(systemViewer)) roots.set(library.id, rootOf(library));
    await (context.settings.current.scanAtStart ? scanner.scanAll() : scanner.resume());
  });
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
