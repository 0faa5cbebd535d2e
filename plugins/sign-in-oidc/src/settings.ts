import { listSetting, secretSetting } from "@longbox/sdk";
import { z } from "zod";

const key = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "must be lower-case letters, digits and hyphens");

export const providerEntry = z.object({
  label: z.string().trim().min(1).max(100).default("Single sign-on").meta({
    title: "Name",
    description: "On the button of the sign-in page",
  }),
  key: key.default("oidc").meta({
    title: "Key",
    description:
      "Part of the redirect address to register at the provider: https://server/api/auth/providers/KEY/callback. Different for each provider; accounts belong to it",
  }),
  issuer: z.string().trim().max(2000).default("").meta({
    title: "Issuer",
    description: "The address of the provider, exactly as its discovery document states it",
  }),
  clientId: z.string().trim().max(500).default("").meta({ title: "Client ID" }),
  clientSecret: secretSetting({ title: "Client secret", description: "Empty for a public client" }),
  scopes: z.string().trim().max(500).default("openid profile email").meta({ title: "Scopes" }),
  usernameClaim: z.string().trim().min(1).max(100).default("preferred_username").meta({
    title: "Claim of the user name",
    description: "Only for new accounts",
  }),
  groupsClaim: z.string().trim().max(100).default("groups").meta({ title: "Groups claim" }),
  roles: z
    .string()
    .max(5000)
    .regex(/^(\s*[^=,\n]+=\s*[a-z][a-z0-9-]*\s*([,\n]|$))*$/, "must look like: editors = trusted, owners = admin")
    .default("")
    .meta({
      title: "Roles of groups",
      description:
        "Group = role, divided by commas; the first that fits decides. Users in none of the groups are viewers",
    }),
  rolesFollow: z.boolean().default(false).meta({
    title: "Apply the roles at each sign-in",
    description: "Otherwise only new accounts get their role from the groups. The last administrator stays one",
  }),
  requiredGroup: z.string().trim().max(200).default("").meta({
    title: "Required group",
    description: "Others are refused. Empty: everyone whom the provider knows",
  }),
  enabled: z.boolean().default(true).meta({ title: "Offer it" }),
});
export type ProviderEntry = z.output<typeof providerEntry>;

export const oidcSettings = z
  .object({
    providers: listSetting(providerEntry, {
      title: "OpenID Connect providers",
      description: "Users sign in there instead of with a password of this server",
      test: "/api/sign-in-oidc/test",
      most: 10,
    }),
  })
  .meta({ title: "Signing in with OpenID Connect", task: "people" });

/** The role of a user with these groups; undefined when no rule fits. */
export function roleOf(rules: string, groups: readonly string[]): string | undefined {
  for (const rule of rules.split(/[,\n]/)) {
    const [group = "", role] = rule.split("=").map((text) => text.trim());
    if (role !== undefined && groups.includes(group)) return role;
  }
  return undefined;
}
