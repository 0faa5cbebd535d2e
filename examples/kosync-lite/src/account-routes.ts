import { defineRoute, type Route } from "@longbox/sdk";
import { z } from "zod";
import type { Passwords } from "./passwords.js";

const access = "library.view";
const path = "/api/kosync-lite/password";
const stateSchema = z.object({ username: z.string(), madeAt: z.iso.datetime().nullable() });

/** Where users make the password that their e-readers sign in with. */
export function accountRoutes(passwords: Passwords): Route[] {
  const stateOf = async ({ id, username }: { readonly id: number; readonly username: string }) => {
    const madeAt = await passwords.madeAt(id);
    return { username, madeAt: madeAt === undefined ? null : new Date(madeAt).toISOString() };
  };
  return [
    defineRoute({
      method: "GET",
      path,
      access,
      summary: "Whether the viewer has a password for e-readers",
      response: stateSchema,
      handle: ({ viewer }) => stateOf(viewer.user),
    }),
    defineRoute({
      method: "POST",
      path,
      access,
      summary: "Make a new password for the viewer's e-readers; the former one is refused from now on",
      response: stateSchema.extend({ password: z.string() }),
      async handle({ viewer }) {
        const password = await passwords.make(viewer.user.id);
        return { ...(await stateOf(viewer.user)), password };
      },
    }),
    defineRoute({
      method: "DELETE",
      path,
      access,
      summary: "Remove the password, so that no e-reader can sign in for the viewer",
      response: stateSchema,
      async handle({ viewer }) {
        await passwords.remove(viewer.user.id);
        return stateOf(viewer.user);
      },
    }),
  ];
}
