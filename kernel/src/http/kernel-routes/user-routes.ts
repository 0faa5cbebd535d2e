import { defineRoute, idParameter, reply, type Route } from "@longbox/sdk";
import { z } from "zod";
import { newUserSchema, okSchema, userEditSchema, userSchema } from "../../access/accounts/account-schemas.js";
import type { Access } from "../../access/access.js";
import type { Account } from "../../access/accounts/account.js";
import { behind } from "../routing/route-call.js";

const params = z.object({ id: idParameter });

/** Accounts, for those who manage them. */
export function userRoutes(access: Access): Route[] {
  return [listingRoutes(access), ...changingRoutes(access)];
}

function listingRoutes({ accounts }: Access): Route {
  return defineRoute({
    method: "GET",
    path: "/api/users",
    access: "users.manage",
    summary: "All accounts",
    response: z.array(userSchema),
    handle: async () => (await accounts.list()).map(describe),
  });
}

function changingRoutes({ membership }: Access): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/users",
      access: "users.manage",
      summary: "Create an account",
      body: newUserSchema,
      response: userSchema,
      handle: async (request) => reply.created(describe(await membership.create(behind(request).grant, request.body))),
    }),
    defineRoute({
      method: "PATCH",
      path: "/api/users/{id}",
      access: "users.manage",
      summary: "Change an account's role, password or address, or disable it",
      params,
      body: userEditSchema,
      response: userSchema,
      handle: async (request) =>
        describe(await membership.change(behind(request).grant, request.params.id, request.body)),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/users/{id}",
      access: "users.manage",
      summary: "Delete an account and its data in plugins",
      params,
      response: okSchema,
      async handle(request) {
        await membership.remove(behind(request).grant, request.params.id);
        return { ok: true as const };
      },
    }),
  ];
}

function describe({ id, username, email, role, active, createdAt, lastSeenAt }: Account): z.output<typeof userSchema> {
  return { id, username, email: email ?? null, role, active, createdAt, lastSeenAt: lastSeenAt ?? null };
}
