import type { Logger, Releasable } from "@longbox/sdk";
import type { CollectionContract } from "@longbox/collection/contract";
import type { FingerprintRecords } from "./fingerprint-records.js";

export interface FollowingParts {
  readonly collection: Pick<CollectionContract, "onIssuesMerged">;
  readonly fingerprintRecords: FingerprintRecords;
}

/** Where one issue became another, what is known of its files follows. */
export function followMerges({ collection, fingerprintRecords }: FollowingParts, log: Logger): Releasable {
  return collection.onIssuesMerged((merge) => {
    fingerprintRecords.reassign(merge).catch((thrown: unknown) => {
      log.warn("What is known of the files of a merged issue could not follow it", { error: thrown });
    });
  });
}
