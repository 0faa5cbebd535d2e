import { systemViewer, type PluginContext } from "@longbox/sdk";
import type { CollectionContract } from "@longbox/collection/contract";
import type { Scanner } from "./scanner.js";

/** Begins scans by themselves: of everything at start, and of a library whose folder was named or changed. */
export function startScans(scanner: Scanner, collection: CollectionContract, context: PluginContext): void {
  const roots = new Map<number, string>();
  const later = (work: () => Promise<void>) => {
    work().catch((thrown: unknown) => {
      if (!context.signal.aborted) context.log.warn("A scan could not be started", { error: thrown });
    });
  };
  later(async () => {
    for (const library of await collection.listLibraries(systemViewer)) roots.set(library.id, `${library.type}\n${library.rootFolder}`);
    await scanner.scanAll();
  });
  context.own(
    collection.onLibrariesChanged((ids) =>
      later(async () => {
        const libraries = await collection.listLibraries(systemViewer);
        await scanner.forgetLibrariesBut(libraries.map((library) => library.id));
        for (const library of libraries) {
          const root = `${library.type}\n${library.rootFolder}`;
          if (!ids.includes(library.id) || roots.get(library.id) === root) continue;
          roots.set(library.id, root);
          await scanner.scan(library.id);
        }
      }),
    ),
  );
}
