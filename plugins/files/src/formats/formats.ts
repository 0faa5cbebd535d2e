import type { Contributions, Releasable } from "@longbox/sdk";
import type { FileFormat } from "../contract.js";
import { companionPaths, extensionOf, isLeftover } from "./format-names.js";

/** What the thread that inspects files is told of a format. */
export type FormatDescription = Pick<FileFormat, "id" | "extensions" | "inspector"> & {
  readonly companions: readonly string[];
};

/** The formats that plugins have added, as they are now. */
export class Formats {
  constructor(private readonly contributions: Pick<Contributions<FileFormat>, "all" | "onChange">) {}

  all(): readonly FileFormat[] {
    return this.contributions.all();
  }

  ofType(libraryType: string): readonly FileFormat[] {
    return this.all().filter(({ libraryTypes }) => libraryTypes.includes(libraryType));
  }

  find(id: string | undefined): FileFormat | undefined {
    return this.all().find((format) => format.id === id);
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

  onChange(listener: () => void): Releasable {
    return this.contributions.onChange(listener);
  }
}

export function describeFormats(formats: readonly FileFormat[]): FormatDescription[] {
  return formats.map(({ id, extensions, companions = [], inspector }) => ({ id, extensions, companions, inspector }));
}
