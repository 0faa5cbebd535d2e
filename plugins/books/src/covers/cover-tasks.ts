import type { BookChapter } from "../chapters/book-chapter.js";
import type { ChaptersRequest } from "../chapters/finding-chapters.js";
import type { CoverPlace } from "../details.js";
import type { OpenDescriptor } from "../inspecting/open-descriptor.js";

/** A binary of a FictionBook. */
export interface BinaryRequest extends OpenDescriptor {
  readonly id: string;
  /** The document is packed in a ZIP. */
  readonly isPacked: boolean;
}

/** A book that no scan has read. */
export interface PlaceRequest extends OpenDescriptor {
  readonly format: string;
}

// A type, since an interface has no index signature.
export type CoverTasks = {
  readonly binary: { readonly input: BinaryRequest; readonly output: Uint8Array | undefined };
  readonly place: { readonly input: PlaceRequest; readonly output: CoverPlace | undefined };
  readonly chapters: { readonly input: ChaptersRequest; readonly output: BookChapter[] };
};
