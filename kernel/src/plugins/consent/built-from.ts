import { z } from "zod";

/** Where and by what a package was built, as the certificate of the build service says. */
export const builtFromSchema = z.object({
  repository: z.string(),
  /** The file that describes the build, with its branch or tag. */
  workflow: z.string(),
  /** The service that vouches for both. */
  issuer: z.string(),
});
export type BuiltFrom = z.output<typeof builtFromSchema>;

/** What the statements that say so are of. */
export const provenanceType = /^https:\/\/slsa\.dev\/provenance\//;
