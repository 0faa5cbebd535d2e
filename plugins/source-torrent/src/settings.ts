import { listSetting, secretSetting } from "@longbox/sdk";
import { z } from "zod";

const name = (standard: string) => z.string().max(100).default(standard).meta({ title: "Name" });
const priority = z.number().int().min(0).max(1000).default(0).meta({
  title: "Priority",
  description: "The lowest number comes first",
});

const indexerEntry = z.object({
  name: name("Indexer"),
  url: z.string().max(2_000).default("").meta({
    title: "Address",
    description: "Of its Torznab feed, with or without /api at the end",
  }),
  apiKey: secretSetting({ title: "API key" }),
  categories: z
    .array(z.string().regex(/^\d{1,7}$/u, "must be the number of a category"))
    .max(50)
    .default([])
    .meta({ title: "Categories", description: "Numbers such as 7030; none: those of the type of the library" }),
  enabled: z.boolean().default(true).meta({ title: "Search it" }),
  priority,
});

const pathMapEntry = z.object({
  remote: z.string().max(4_096).default("").meta({ title: "Folder on the client" }),
  local: z.string().max(4_096).default("").meta({ title: "Same folder on this server" }),
});

const clientEntry = z.object({
  name: name("Torrent client"),
  kind: z
    .enum(["qbittorrent", "transmission"])
    .default("qbittorrent")
    .meta({ title: "Program", labels: { qbittorrent: "qBittorrent", transmission: "Transmission" } }),
  url: z.string().max(2_000).default("").meta({
    title: "Address",
    description: "Of its web interface, such as http://192.168.1.5:8080",
  }),
  username: z.string().max(200).default("").meta({ title: "User", description: "Empty where none is needed" }),
  password: secretSetting({ title: "Password" }),
  category: z
    .string()
    .max(100)
    .regex(/^[^,/\\]*$/u, "must have no commas and slashes")
    .default("longbox")
    .meta({ title: "Category", description: "In Transmission a label" }),
  enabled: z.boolean().default(true).meta({ title: "Use it" }),
  priority,
  pathMap: z.array(pathMapEntry).max(20).default([]).meta({
    title: "Path mappings",
    description: "For a client on another machine or in a container. Test reports a folder that cannot be read.",
  }),
});

export const torrentSettings = z
  .object({
    indexers: listSetting(indexerEntry, { title: "Indexers", most: 50, test: "/api/torznab/test" }),
    clients: listSetting(clientEntry, { title: "Download clients", most: 20, test: "/api/torrent-client/test" }),
  })
  .meta({ title: "Torrents", task: "getting" });
export type TorrentSettings = z.output<typeof torrentSettings>;
export type IndexerEntry = TorrentSettings["indexers"][number];
export type ClientEntry = TorrentSettings["clients"][number];

/** An entry as a form has it; one that is not saved yet has no id. */
export const indexerSchema = torrentSettings.shape.indexers.unwrap().element;
export const clientSchema = torrentSettings.shape.clients.unwrap().element;

/** Whether an entry's address is one of the web, without a name and a password in it, which would stand in logs. */
export function isUsable({ url }: { readonly url: string }): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return /^https?:$/u.test(protocol) && username === "" && password === "";
}
