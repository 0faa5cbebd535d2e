import type { UnreadableReason } from "../unreadable.js";

/** An entry of an archive that has to be unpacked to be read. */
export interface ListedEntry {
  readonly name: string;
  readonly sizeBytes: number;
  readonly encrypted: boolean;
}

export interface ListedArchive {
  readonly entries: readonly ListedEntry[];
  /** Entries can only be unpacked one after the other, from the first one. */
  readonly solid: boolean;
}

/** What the unpacking thread does. Paths are absolute. */
export type UnpackTask =
  | { readonly kind: "list"; readonly format: "rar" | "7z"; readonly path: string }
  /** Writes entries as files `0`, `1`, … in the order of `names` into an empty folder. */
  | { readonly kind: "extract"; readonly format: "rar" | "7z"; readonly path: string; readonly names: readonly string[]; readonly folder: string }
  /** Unpacks the only entry of a small ZIP. */
  | { readonly kind: "unzip"; readonly zip: Uint8Array; readonly sizeBytes: number }
  | { readonly kind: "count-pdf"; readonly path: string }
  /** Draws one page, counted from 0, as JPEG. */
  | { readonly kind: "pdf-page"; readonly path: string; readonly page: number };

export interface UnpackResults {
  readonly list: ListedArchive;
  readonly extract: undefined;
  readonly unzip: Uint8Array;
  readonly "count-pdf": number;
  readonly "pdf-page": Uint8Array;
}

export interface ToUnpackThread {
  readonly id: number;
  readonly task: UnpackTask;
}

export type FromUnpackThread =
  | { readonly id: number; readonly ok: true; readonly result: unknown }
  | { readonly id: number; readonly ok: false; readonly reason: UnreadableReason | undefined; readonly message: string };
