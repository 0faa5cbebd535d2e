import type { Logger, Releasable } from "@longbox/sdk";
import type { CollectionContract, Library } from "@longbox/collection/contract";
import type { Formats } from "../formats/formats.js";
import type { InspectingThreads } from "../inspecting/inspecting-threads.js";
import type { ScanRoot } from "./messages.js";
import type { ScanControl } from "./scan-control.js";
import type { ScanIndex } from "./scan-index.js";
import type { ScanOrder } from "./scan-order.js";
import { ScanRun } from "./scan-run.js";
import type { ScanReview } from "./scan-review.js";
import type { BatchStoring } from "./storing-batch.js";

export interface ScanningLibraryParts {
  readonly collection: CollectionContract;
  readonly formats: Formats;
  readonly index: ScanIndex;
  readonly storing: BatchStoring;
  readonly review: Pick<ScanReview, "replaceIgnored">;
  readonly threads: InspectingThreads;
  /** Hears which folders a scan of these places found. */
  readonly foundFolders: (scope: readonly string[], folders: readonly string[]) => void;
  readonly log: Logger;
}

/** How many paths one line of the log names. */
const mostNamed = 20;

/** The scan changed nothing; the message says why, for users. */
class ScanRefused extends Error {}

/** One scan of a library: reads what changed, and removes what is gone from the collection. */
export class ScanningLibrary implements Releasable {
  readonly #run: ScanRun;

  constructor(private readonly parts: ScanningLibraryParts) {
    this.#run = new ScanRun(parts);
  }

  /** @returns what the scan did, for users @throws {Error} with the reason when nothing was changed */
  async perform(
    { library, order, rootFolders }: { library: Library; order: ScanOrder; rootFolders: readonly string[] },
    control: ScanControl,
  ): Promise<string> {
    const stop = () => this.#run.cancel();
    control.signal.addEventListener("abort", stop, { once: true });
    try {
      const tally = { placed: 0, moved: 0, removed: 0 };
      const outcome = await this.#run.perform({ root: rootOf(library, order), rootFolders, tally, control });
      if (outcome.ended === "refused") {
        this.parts.log.warn("A scan changed nothing", { library: library.name, reason: outcome.reason });
        throw new ScanRefused(outcome.reason);
      }
      control.signal.throwIfAborted();
      if (outcome.ended === "cancelled") throw new ScanRefused("The scan was stopped.");
      tally.removed = await this.#removeMissing(library, order, outcome.missing);
      this.parts.log.info("A library was scanned", { library: library.name, ...tally });
      await this.parts.review.replaceIgnored(library, order.scope, outcome.ignored);
      const rest = this.#tellUnreadable(library, outcome.unreadable);
      return `${library.name}: ${tally.placed} looked into, ${tally.moved} moved, ${tally.removed} gone${rest}`;
    } catch (thrown) {
      throw this.#failure(library, thrown, control);
    } finally {
      control.signal.removeEventListener("abort", stop);
    }
  }

  /** What users hear of a failure: details of the server are only in the log. */
  #failure(library: Library, thrown: unknown, { signal }: ScanControl): unknown {
    if (signal.aborted || thrown instanceof ScanRefused) return thrown;
    this.parts.log.error("A scan failed", { libraryId: library.id, error: thrown });
    return new Error("The scan failed; the log says why.");
  }

  async release(): Promise<void> {
    await this.#run.release();
  }

  /**
   * @returns how many files are gone. Those that were seen elsewhere are not: the index has them under their new paths
   * by now.
   */
  async #removeMissing(library: Library, { scope }: ScanOrder, unseen: readonly string[]): Promise<number> {
    const { index, collection } = this.parts;
    const outside = scope.length === 0 ? await index.listOutside(library.id, library.rootFolder) : [];
    const gone = [...(await index.findByPaths(unseen)).map((row) => row.path), ...outside];
    for (let at = 0; at < gone.length; at += 250) {
      const some = gone.slice(at, at + 250);
      await collection.removeFiles(some);
      await index.forget(some);
    }
    return gone.length;
  }

  /** @returns the end of the sentence that says what the scan did */
  #tellUnreadable(library: Library, paths: readonly string[]): string {
    if (paths.length === 0) return "";
    this.parts.log.warn("Some of a library could not be read", {
      library: library.name,
      count: paths.length,
      paths: paths.slice(0, mostNamed),
    });
    return `; ${paths.length} could not be read, the log names them`;
  }
}

function rootOf(library: Library, { scope, everything, acceptsEmpty }: ScanOrder): ScanRoot {
  return {
    libraryId: library.id,
    rootFolder: library.rootFolder,
    type: library.type,
    scope: scope.length > 0 ? scope : [library.rootFolder],
    everything,
    acceptsEmpty,
  };
}
