import type { ExternalIdentity } from "@longbox/sdk";
import { z } from "zod";
import { NotInGroup } from "./oidc-errors.js";
import { roleOf, type ProviderEntry } from "./settings.js";

/** The claims of the ID token and of the user info together. */
const claimsSchema = z.looseObject({
  iss: z.string().min(1),
  sub: z.string().min(1),
  email: z.string().optional(),
  email_verified: z.boolean().optional(),
  name: z.string().optional(),
});

/**
 * The user whom the claims describe. The subject holds the issuer, so that the users of another one are never taken for
 * those of this one after the settings were changed.
 * @throws {NotInGroup}
 */
export function identityOf(claimed: unknown, entry: ProviderEntry): ExternalIdentity {
  const claims = claimsSchema.parse(claimed);
  const groups = groupsOf(claims[entry.groupsClaim]);
  if (entry.requiredGroup !== "" && !groups.includes(entry.requiredGroup)) throw new NotInGroup(entry.requiredGroup);
  const role = roleOf(entry.roles, groups);
  const email = claims.email_verified === true ? claims.email : undefined;
  return {
    subject: `${claims.iss} ${claims.sub}`,
    username: textOf(claims[entry.usernameClaim]) ?? claims.name ?? email ?? claims.sub,
    ...(email !== undefined && { email }),
    ...(role !== undefined && { role }),
    // Who is in none of the groups any more loses the role of the group.
    ...(entry.rolesFollow && entry.roles.trim() !== "" && { roleFollows: true, role: role ?? "viewer" }),
  };
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined;

/** Providers send a list, or one name. */
const groupsOf = (value: unknown): string[] =>
  [value].flat().filter((group): group is string => typeof group === "string");
