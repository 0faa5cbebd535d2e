import type { Contributions, Releasable } from "@longbox/sdk";
import type { FileFormat } from "../contract.js";
import { companionPaths, extensionOf, isLeftover } from "./format-names.js";

/** What the thread that inspects files is told of a format. */
export type FormatDescription = Pick<FileFormat, "id" | "extensions" | "inspector"> & {
  readonly companions: readonly string[];
};

/**
 * Milliseconds after the start that work which a restart cut off waits for plugins of formats, which start at the same
 * time.
 */
const formatsComeMs = 30_000;

/** The formats that plugins have added, as they are now. */
export class Formats {
  readonly #startedAtMs = performance.now();
  #known: readonly FileFormat[] = [];
  #byId: ReadonlyMap<string, FileFormat> = new Map();

  constructor(private readonly contributions: Pick<Contributions<FileFormat>, "all" | "onChange">) {}

  all(): readonly FileFormat[] {
    return this.contributions.all();
  }

  ofType(libraryType: string): readonly FileFormat[] {
    return this.all().filter(({ libraryTypes }) => libraryTypes.includes(libraryType));
  }

  find(id: string | undefined): FileFormat | undefined {
    const all = this.all();
    if (all !== this.#known) {
      this.#byId = new Map(all.toReversed().map((format) => [format.id, format]));
      this.#known = all;
    }
    return id === undefined ? undefined : this.#byId.get(id);
  }

  /** Whether a file's name promises one of the formats. */
  promise(name: string): boolean {
    const extension = extensionOf(name);
    return extension !== "" && !isLeftover(name) && this.all().some(({ extensions }) => extensions.includes(extension));
  }

  /** Where files may lie that belong to this one. */
  companionsOf(path: string): string[] {
    const extension = extensionOf(path);
    const endings = this.all().flatMap(({ extensions, companions = [] }) =>
      extensions.includes(extension) ? companions : [],
    );
    return companionPaths(path, [...new Set(endings)]);
  }

  /**
   * Waits until a format reads files of such libraries, but only soon after the start: later, its plugin is not there.
   * @throws what the signal says once it aborts
   */
  async untilOfType(libraryType: string, signal: AbortSignal): Promise<void> {
    const longestMs = this.#startedAtMs + formatsComeMs - performance.now();
    if (longestMs <= 0 || this.ofType(libraryType).length > 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const listening = this.onChange(() => {
      if (this.ofType(libraryType).length > 0) resolve();
    });
    const timer = setTimeout(resolve, longestMs);
    signal.addEventListener("abort", () => resolve(), { once: true });
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      await listening.release();
    }
    signal.throwIfAborted();
  }

  onChange(listener: () => void): Releasable {
    return this.contributions.onChange(listener);
  }
}

export function describeFormats(formats: readonly FileFormat[]): FormatDescription[] {
  return formats.map(({ id, extensions, companions = [], inspector }) => ({ id, extensions, companions, inspector }));
}
