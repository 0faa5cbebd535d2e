import { createHash, randomUUID } from "node:crypto";
import type { PluginStorage } from "@longbox/sdk";
import { z } from "zod";

/** Permanent ids of feeds and entries. They differ from server to server: reading apps know several, and keep what they read by these ids. */
export interface Identifiers {
  /** The same URN for the same name, for ever: `issue:12`. */
  of(name: string): string;
}

const identitySchema = z.object({ server: z.uuid().optional() }).default({});

/** Opens the server's identity, which is made once. */
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
      const digest = createHash("sha1").update(space).update(name).digest().subarray(0, 16);
      digest[6] = (digest[6]! & 0x0f) | 0x50;
      digest[8] = (digest[8]! & 0x3f) | 0x80;
      return `urn:uuid:${digest.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")}`;
    },
  };
}
