import { basename } from "node:path";
import type { Library } from "@longbox/collection/contract";
import { z } from "zod";

/** A scan that was asked for; the input of its job, so that a restart does not lose it. */
export const scanOrderSchema = z.object({
  libraryId: z.number().int(),
  /** Absolute paths; empty for the whole library. */
  scope: z.array(z.string()),
  /** Files that look unchanged are read as well. */
  everything: z.boolean(),
  /** A person said that the library has really become empty. */
  acceptsEmpty: z.boolean(),
});
export type ScanOrder = z.output<typeof scanOrderSchema>;

export interface ScanOptions {
  readonly scope?: readonly string[];
  readonly everything?: boolean;
  readonly acceptsEmpty?: boolean;
}

export function orderOf(libraryId: number, options: ScanOptions): ScanOrder {
  const { scope = [], everything = false, acceptsEmpty = false } = options;
  return { libraryId, scope: [...scope], everything, acceptsEmpty };
}

/** The kinds of jobs: scans that were asked for, and those of folders that changed, which are small and frequent. */
export const scanKind = "files.scan";
export const changesKind = "files.scan-changes";

/** A folder that changes often must not push everything else out of the list of jobs. */
const keptOfChanges = 20;

export function kindOf({ scope, everything }: ScanOrder): { readonly kind: string; readonly keepNewest?: number } {
  return scope.length === 0 || everything ? { kind: scanKind } : { kind: changesKind, keepNewest: keptOfChanges };
}

export function titleOf({ scope }: ScanOrder, { name }: Library): string {
  return scope.length === 0 ? `Scan ${name}` : `Scan ${scope.map((folder) => basename(folder)).join(", ")} in ${name}`;
}
