import { hash, randomUUID } from "node:crypto";
import type { PluginStorage } from "@longbox/sdk";
import { z } from "zod";

/**
 * Permanent ids of feeds and entries. They differ between servers, because reading apps store progress by these ids for
 * several servers.
 */
export interface Identifiers {
  /** The permanent URN of a name such as `issue:12`. */
  of(name: string): string;
}

const identitySchema = z.object({ server: z.uuid().optional() }).default({});

/** Opens the server's identity, which is created once. */
export async function openIdentifiers(storage: PluginStorage): Promise<Identifiers> {
  const document = await storage.document("identity", identitySchema);
  const { server = randomUUID() } = document.read();
  if (document.read().server === undefined) await document.update(() => ({ server }));
  return namedIdentifiers(server);
}

/** UUIDs made from names (version 5 of RFC 9562), in the server's own name space. */
export function namedIdentifiers(server: string): Identifiers {
  const space = Buffer.from(server.replaceAll("-", ""), "hex");
  return {
    of(name) {
      const digest = hash("sha1", Buffer.concat([space, Buffer.from(name)]), "hex");
      const variant = ((Number.parseInt(digest[16]!, 16) & 0x3) | 0x8).toString(16);
      return `urn:uuid:${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
    },
  };
}
