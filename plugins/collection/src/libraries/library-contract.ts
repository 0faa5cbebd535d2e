import { extensionPoint } from "@longbox/sdk/light";

/** `comic`, `manga`, or a type that another plugin registered. */
export type LibraryType = string;

export interface Library {
  readonly id: number;
  readonly name: string;
  readonly type: LibraryType;
  /** An absolute path on the server. */
  readonly rootFolder: string;
  readonly folderPattern: string;
  readonly restricted: boolean;
  readonly sortOrder: number;
  readonly tagPlacement: "embed" | "sidecar";
}

/** The words for the works of a library type, used in every list, feed and page. English, lower case. */
export interface LibraryTypeWords {
  /** What one of them is called: issue, chapter, book, audiobook. */
  readonly unit: { readonly one: string; readonly other: string };
  /** How long they are: counted in pages, in seconds, or only by the share that was read. */
  readonly length: "pages" | "seconds" | "fraction";
  /** What people know them by: their number in the series, or their own title. */
  readonly named: "by-number" | "by-title";
}

/** A type that libraries can have. */
export interface DescribedLibraryType {
  readonly id: string;
  readonly label: string;
  readonly words: LibraryTypeWords;
}

/** A kind of library that another plugin brings. */
export interface LibraryTypeContribution {
  readonly id: string;
  readonly label: string;
  /** Default: those of comics. */
  readonly words?: LibraryTypeWords | undefined;
}

export const LibraryTypes = extensionPoint<LibraryTypeContribution>("libraryTypes", "1.0.0");
