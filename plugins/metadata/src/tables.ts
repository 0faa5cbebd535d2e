import type { Kysely } from "kysely";

export interface MetadataTables {
  /** `body`: JSON. */
  answer: { key: string; body: string; fetched_at: number };
  /** `kind`: volume, issue or arc; with `open ` before it for users from whom items are hidden. */
  image: { kind: string; provider_id: number; url: string };
  /** What a search found for a series that waits for a person: JSON. */
  candidate: { series_id: number; looked_at: number; best: string };
}
export type MetadataDatabase = Kysely<MetadataTables>;
