import { defineRoute, reply, type Route } from "@longbox/sdk";
import { z } from "zod";
import {
  newRoleSchema,
  okSchema,
  permissionEntrySchema,
  roleEditSchema,
  roleSchema,
} from "../../access/accounts/account-schemas.js";
import { BeyondOwnRights, RoleNotFound } from "../../access/access-errors.js";
import type { Access } from "../../access/access.js";
import type { Grant } from "../../access/identifying/grant.js";
import { behind } from "../routing/route-call.js";

const params = z.object({ name: z.string().min(1).max(64) });

/** Roles and the catalog of permissions, for those who manage accounts. */
export function roleRoutes(access: Access): Route[] {
  return [...listingRoutes(access), creatingRoute(access), changingRoute(access), deletingRoute(access)];
}

function listingRoutes(access: Access): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/roles",
      access: "users.manage",
      summary: "All roles",
      response: z.array(roleSchema),
      handle: () => listRoles(access),
    }),
    defineRoute({
      method: "GET",
      path: "/api/permissions",
      access: "users.manage",
      summary: "The catalog of permissions, including those of plugins",
      response: z.array(permissionEntrySchema),
      handle: () => access.catalog.list(),
    }),
  ];
}

function creatingRoute(access: Access): Route {
  return defineRoute({
    method: "POST",
    path: "/api/roles",
    access: "users.manage",
    summary: "Create a role",
    body: newRoleSchema,
    response: roleSchema,
    async handle(request) {
      const { name, label, permissions } = request.body;
      requireHeld(behind(request).grant, permissions);
      await access.roles.add({ name, label: label ?? name, permissions: [...new Set(permissions)] });
      return reply.created(await getRole(access, name));
    },
  });
}

function changingRoute(access: Access): Route {
  const { accounts, authentication, roles } = access;

  return defineRoute({
    method: "PATCH",
    path: "/api/roles/{name}",
    access: "users.manage",
    summary: "Change the permissions of a role",
    params,
    body: roleEditSchema,
    response: roleSchema,
    async handle(request) {
      const { name } = request.params;
      const { grant } = behind(request);
      if (!grant.rights.covers(roles.rights(name))) throw new BeyondOwnRights();
      requireHeld(grant, request.body.permissions ?? []);
      const permissions = request.body.permissions && [...new Set(request.body.permissions)];
      await roles.change(name, { label: request.body.label, permissions }, (database) =>
        accounts.requireActive(roles.holding("users.manage"), database),
      );
      authentication.forget();
      return getRole(access, name);
    },
  });
}

function deletingRoute({ roles }: Access): Route {
  return defineRoute({
    method: "DELETE",
    path: "/api/roles/{name}",
    access: "users.manage",
    summary: "Delete an unused role",
    params,
    response: okSchema,
    async handle(request) {
      if (!behind(request).grant.rights.covers(roles.rights(request.params.name))) throw new BeyondOwnRights();
      await roles.remove(request.params.name);
      return { ok: true as const };
    },
  });
}

function requireHeld(grant: Grant, permissions: readonly string[]): void {
  if (!permissions.every((permission) => grant.may(permission))) throw new BeyondOwnRights();
}

async function listRoles({ accounts, roles }: Access): Promise<Array<z.output<typeof roleSchema>>> {
  const users = await accounts.countByRole();
  return roles
    .list()
    .map((role) => ({ ...role, permissions: [...role.permissions], users: users.get(role.name) ?? 0 }));
}

async function getRole(access: Access, name: string): Promise<z.output<typeof roleSchema>> {
  const role = (await listRoles(access)).find((one) => one.name === name);
  if (role === undefined) throw new RoleNotFound(name);
  return role;
}
