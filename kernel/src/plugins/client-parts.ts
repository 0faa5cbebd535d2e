import { z } from "zod";
import { clientSchema } from "@longbox/sdk/manifest";
import type { Member } from "./installed/member.js";

/** One plugin's part of the web UI, with URLs whose content never changes. */
export const clientPartSchema = z
  .object({
    name: z.string(),
    title: z.string().meta({ description: "For users, in English" }),
    version: z.string(),
    js: z.string().optional(),
    css: z.string().optional(),
    nav: clientSchema.shape.nav,
    pages: clientSchema.shape.pages,
    slots: clientSchema.shape.slots,
    actions: clientSchema.shape.actions,
    badges: clientSchema.shape.badges,
    activity: clientSchema.shape.activity,
  })
  .meta({ id: "ClientPart" });

export type ClientPart = z.output<typeof clientPartSchema>;

/** The client parts of the plugins that run, in the order of their ids. */
export function clientParts(members: Iterable<Member>): ClientPart[] {
  const parts: ClientPart[] = [];
  for (const { plugin, running } of members) {
    const { client } = plugin.manifest;
    if (!client || !running) continue;
    const at = (file: string) => `/plugins/${plugin.id}/${plugin.hash}/${file}`;
    parts.push({
      name: plugin.id,
      title: plugin.manifest.title,
      version: plugin.version,
      ...(client.js === undefined ? {} : { js: at(client.js) }),
      ...(client.css === undefined ? {} : { css: at(client.css) }),
      nav: client.nav,
      pages: client.pages,
      slots: client.slots,
      actions: client.actions,
      badges: client.badges,
      activity: client.activity,
    });
  }
  return parts.sort((a, b) => (a.name < b.name ? -1 : 1));
}
