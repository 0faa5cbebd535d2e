// What the extension points of the kernel take.
import type { AuthProvider, ContributionRules, CredentialProvider, StatusPart } from "@longbox/sdk";
import { z } from "zod";

const id = z.string().regex(/^[a-z0-9][a-z0-9:._-]{0,99}$/i, "must be letters, digits and hyphens");

export const authRules: ContributionRules<AuthProvider> = {
  schema: z.object({ id, label: z.string(), begin: z.function(), complete: z.function() }),
  unique: "id",
};

export const credentialRules: ContributionRules<CredentialProvider> = {
  schema: z.object({ id, verify: z.function() }),
  unique: "id",
};

export const statusRules: ContributionRules<StatusPart> = { schema: z.object({ read: z.function() }) };
