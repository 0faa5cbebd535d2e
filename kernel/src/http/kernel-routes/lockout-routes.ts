import { defineRoute, NotFound, type Logger, type Route } from "@longbox/sdk";
import { z } from "zod";
import type { Access } from "../../access/access.js";
import { usernameKey } from "../../access/accounts/accounts.js";
import { okSchema } from "../../access/accounts/account-schemas.js";
import { digest } from "../../access/credentials/secrets.js";

const lockoutSchema = z
  .object({
    id: z.string(),
    kind: z.enum(["pair", "address", "name", "device"]).meta({
      description:
        "The subject of the count: an account at an address, an address, an account at any address, or an account on a known device (which is delayed, but not refused).",
    }),
    username: z
      .string()
      .nullable()
      .meta({ description: "Null when there is no such account, or when the name does not count." }),
    address: z.string().nullable().meta({ description: "An IPv4 address or the first half of an IPv6 address." }),
    failures: z.number().int(),
    until: z.string(),
  })
  .meta({ id: "Lockout" });

const params = z.object({ id: z.string().regex(/^[0-9a-f]{32}$/, "must be the id of a lockout") });

/** The routes for lockouts after failed sign-ins, for users who manage accounts. */
export function lockoutRoutes({ accounts, signInThrottle }: Access, log: Logger): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/users/lockouts",
      access: "users.manage",
      summary: "Accounts and addresses that are refused or delayed after failed sign-ins",
      response: z.array(lockoutSchema),
      async handle() {
        const names = new Map((await accounts.list()).map(({ username }) => [digest(usernameKey(username)), username]));
        return signInThrottle.list().map(({ id, kind, nameHash, place, failures, expiresAt }) => ({
          id,
          kind,
          username: names.get(nameHash) ?? null,
          address: kind === "pair" || kind === "address" ? place : null,
          failures,
          until: new Date(expiresAt).toISOString(),
        }));
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/users/lockouts/{id}",
      access: "users.manage",
      summary: "Lift a lockout",
      params,
      response: okSchema,
      async handle({ params: { id }, viewer }) {
        if (!(await signInThrottle.lift(id)))
          throw new NotFound("kernel/lockout-not-found", "There is no such lockout; it may have expired.");
        log.info("A lockout was lifted.", { by: viewer.user.username });
        return { ok: true as const };
      },
    }),
  ];
}
