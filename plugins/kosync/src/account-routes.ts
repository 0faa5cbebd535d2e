import { defineRoute, type Route, type User } from "@longbox/sdk";
import { z } from "zod";
import type { Passwords } from "./passwords.js";
import type { Reports } from "./reports.js";

const access = "kosync.use";
const path = "/api/kosync/password";

export const syncAccountSchema = z.object({
  username: z.string(),
  /** When the password was created; null without one. */
  madeAt: z.iso.datetime().nullable(),
  /** The user's e-readers, the one that synchronised last first. */
  devices: z.array(z.object({ name: z.string(), lastAt: z.iso.datetime() })),
});
export const newPasswordSchema = syncAccountSchema.extend({ password: z.string() });

/** Routes by which users create and revoke the password of their e-readers. */
export function accountRoutes(passwords: Passwords, reports: Reports): Route[] {
  const stateOf = async ({ id, username }: User) => {
    const [madeAt, devices] = await Promise.all([passwords.madeAt(id), reports.devices(id)]);
    return {
      username,
      madeAt: madeAt === undefined ? null : iso(madeAt),
      devices: devices.map(({ name, lastAt }) => ({ name, lastAt: iso(lastAt) })),
    };
  };
  const state = defineRoute({
    method: "GET",
    path,
    access,
    summary: "Whether the viewer has a sync password, and the viewer's e-readers",
    response: syncAccountSchema,
    handle: ({ viewer }) => stateOf(viewer.user),
  });
  return [state, ...changingRoutes(passwords, stateOf)];
}

function changingRoutes(
  passwords: Passwords,
  stateOf: (user: User) => Promise<z.output<typeof syncAccountSchema>>,
): Route[] {
  return [
    defineRoute({
      method: "POST",
      path,
      access,
      summary: "Create a sync password for the viewer; the previous one stops working",
      response: newPasswordSchema,
      async handle({ viewer }) {
        const password = await passwords.make(viewer.user.id);
        return { ...(await stateOf(viewer.user)), password };
      },
    }),
    defineRoute({
      method: "DELETE",
      path,
      access,
      summary: "Revoke the viewer's sync password",
      response: syncAccountSchema,
      async handle({ viewer }) {
        await passwords.revoke(viewer.user.id);
        return stateOf(viewer.user);
      },
    }),
  ];
}

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();
