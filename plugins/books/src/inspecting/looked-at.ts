import type { InspectedFile } from "@longbox/files/contract";

/** What is read of a file. */
export type LookedAt = Pick<InspectedFile, "head" | "sizeBytes" | "read">;
