import type { BookChapter, ChaptersRequest } from "../chapters/epub-chapters.js";

/** A binary of a FictionBook. The descriptor is that of the server's open file, which all threads share. */
export interface BinaryRequest {
  readonly descriptor: number;
  readonly sizeBytes: number;
  readonly id: string;
  /** The document is packed in a ZIP. */
  readonly isPacked: boolean;
}

// A type, since an interface has no index signature.
export type CoverTasks = {
  readonly binary: { readonly input: BinaryRequest; readonly output: Uint8Array | undefined };
  readonly chapters: { readonly input: ChaptersRequest; readonly output: BookChapter[] };
};
