import type { Kysely } from "kysely";

export interface MetadataTables {
  /** `body`: JSON. */
  answer: { key: string; body: string; fetched_at: number };
  /** `kind`: volume, issue or arc; with `open ` before it for users from whom items are hidden. */
  image: { kind: string; provider_id: number; url: string };
  /** What a search found for a series that waits for a person: JSON. */
  candidate: { series_id: number; looked_at: number; best: string };
  /** Of covers, by what changes with the image. Empty: there is nothing to tell the image by. */
  cover_hash: { id: string; hash: string; kept_at: number };
}
export type MetadataDatabase = Kysely<MetadataTables>;
