import { defineRoute, idParameter, type Route, type Viewer } from "@longbox/sdk";
import { z } from "zod";
import type { Choices } from "../choosing/choices.js";
import type { OfferedShelves } from "../choosing/offered-shelves.js";
import type { Devices } from "../devices/devices.js";
import { UnknownShelf } from "../kobo-errors.js";
import { access } from "./common.js";

export interface AccountParts {
  readonly devices: Devices;
  readonly choices: Choices;
  readonly offered: OfferedShelves;
}

export const koboAccountSchema = z.object({
  /** The newest first. */
  devices: z.array(
    z.object({
      id: z.number().int(),
      name: z.string(),
      madeAt: z.iso.datetime(),
      /** Null before it synchronised for the first time. */
      lastAt: z.iso.datetime().nullable(),
    }),
  ),
  shelves: z.array(z.object({ id: z.string(), title: z.string(), chosen: z.boolean() })),
});
export const newKoboSchema = koboAccountSchema.extend({
  /** The path of the new e-reader's address, with its secret token; never shown again. */
  path: z.string(),
});

/** Routes by which users connect e-readers, revoke them, and choose what is synchronised. */
export function accountRoutes(parts: AccountParts): Route[] {
  return [stateRoute(parts), ...deviceRoutes(parts), choiceRoute(parts)];
}

async function accountOf({ devices, choices, offered }: AccountParts, viewer: Viewer) {
  const [listed, chosen, shelves] = await Promise.all([
    devices.list(viewer.user.id),
    choices.find(viewer.user.id),
    offered.list(viewer),
  ]);
  return {
    devices: listed.map(({ id, name, made_at, last_at }) => ({
      id,
      name,
      madeAt: iso(made_at),
      lastAt: last_at === null ? null : iso(last_at),
    })),
    shelves: shelves.map(({ id, title }) => ({ id, title, chosen: chosen.includes(id) })),
  };
}

function stateRoute(parts: AccountParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/kobo",
    access,
    summary: "The viewer's e-readers, and the shelves that they synchronise",
    response: koboAccountSchema,
    handle: ({ viewer }) => accountOf(parts, viewer),
  });
}

function deviceRoutes(parts: AccountParts): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/kobo/devices",
      access,
      summary: "Create the address for another e-reader of the viewer",
      body: z.object({ name: z.string().trim().min(1).max(100) }),
      response: newKoboSchema,
      async handle({ viewer, body }) {
        const token = await parts.devices.add(viewer.user.id, body.name);
        return { ...(await accountOf(parts, viewer)), path: `/kobo/${token}` };
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/kobo/devices/{id}",
      access,
      summary: "Revoke the address of an e-reader, and forget the e-reader",
      params: z.object({ id: idParameter }),
      response: koboAccountSchema,
      async handle({ viewer, params }) {
        await parts.devices.remove(viewer.user.id, params.id);
        return accountOf(parts, viewer);
      },
    }),
  ];
}

function choiceRoute(parts: AccountParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/kobo/shelves",
    access,
    summary: "Choose what the viewer's e-readers synchronise",
    body: z.object({ shelves: z.array(z.string().max(40)).max(500) }),
    response: koboAccountSchema,
    async handle({ viewer, body }) {
      const offered = new Set((await parts.offered.list(viewer)).map(({ id }) => id));
      const unknown = body.shelves.find((id) => !offered.has(id));
      if (unknown !== undefined) throw new UnknownShelf(unknown);
      await parts.choices.replace(viewer.user.id, body.shelves);
      return accountOf(parts, viewer);
    },
  });
}

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();
