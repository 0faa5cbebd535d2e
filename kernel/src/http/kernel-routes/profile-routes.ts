import { defineRoute, type Route } from "@longbox/sdk";
import { z } from "zod";
import type { Access } from "../../access/access.js";
import { behind } from "../routing/route-call.js";

export const profileSchema = z.object({
  id: z.number().int(),
  username: z.string(),
  email: z.string().nullable(),
  role: z.string(),
  roleLabel: z.string(),
  createdAt: z.string(),
  lastSeenAt: z.string().nullable(),
  hideMature: z.boolean(),
  providers: z.array(z.string()),
});
export const keySchema = z.object({
  exists: z.boolean(),
  prefix: z.string().optional(),
  createdAt: z.string().optional(),
  lastUsedAt: z.string().optional(),
});

/** The routes for the user's own account and API key. */
export function profileRoutes(access: Access): Route[] {
  return [profileRoute(access), keyRoute(access), ...keyChangingRoutes(access)];
}

function profileRoute({ accounts, external, membership, roles }: Access): Route {
  return defineRoute({
    method: "GET",
    path: "/api/auth/profile",
    access: "signed-in",
    summary: "Your account",
    response: profileSchema,
    async handle(request) {
      const account = await accounts.get(membership.realId(behind(request).grant));
      const { id, username, role, createdAt, hideMature } = account;
      return {
        id,
        username,
        email: account.email ?? null,
        role,
        roleLabel: roles.list().find(({ name }) => name === role)?.label ?? role,
        createdAt,
        lastSeenAt: account.lastSeenAt ?? null,
        hideMature,
        providers: await external.providersOf(id),
      };
    },
  });
}

function keyRoute({ keys }: Access): Route {
  return defineRoute({
    method: "GET",
    path: "/api/auth/apikey",
    access: "signed-in",
    summary: "Whether you have an API key; never the key itself",
    response: keySchema,
    async handle(request) {
      const key = await keys.describe(request.viewer.user.id);
      return key === undefined
        ? { exists: false }
        : {
            exists: true,
            prefix: key.prefix,
            createdAt: key.createdAt,
            ...(key.lastUsedAt && { lastUsedAt: key.lastUsedAt }),
          };
    },
  });
}

function keyChangingRoutes({ membership }: Access): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/auth/apikey",
      access: "signed-in",
      summary: "Create your API key, which replaces the previous one; it is shown only once",
      response: z.object({ key: z.string() }),
      handle: async (request) => ({ key: await membership.replaceKey(behind(request).grant) }),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/auth/apikey",
      access: "signed-in",
      summary: "Revoke your API key",
      response: z.object({ revoked: z.boolean() }),
      handle: async (request) => ({ revoked: await membership.revokeKey(behind(request).grant) }),
    }),
  ];
}
