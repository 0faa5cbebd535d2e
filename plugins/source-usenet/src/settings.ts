import { listSetting, secretSetting } from "@longbox/sdk";
import { z } from "zod";

const address = (description: string) =>
  z.string().trim().max(2_000).default("").meta({ title: "Address", description });
const text = (title: string, description?: string) =>
  z
    .string()
    .max(1_000)
    .default("")
    .meta({ title, ...(description !== undefined && { description }) });

/** Also takes them in one text, divided by commas. */
const categories = z
  .preprocess(
    (given) => (typeof given === "string" ? given.split(/[\s,]+/u).filter(Boolean) : given),
    z.array(z.coerce.string().regex(/^\d{1,7}$/u, "must be a number, such as 7030")).max(50),
  )
  .default([])
  .meta({ title: "Categories", description: "Numbers, such as 7030. Empty: chosen by the type of the library" });

export const indexerEntry = z.object({
  name: z.string().trim().min(1).max(100).default("Indexer").meta({ title: "Name" }),
  url: address("Of the indexer, such as https://indexer.example; /api is added"),
  apiKey: secretSetting({ title: "API key" }),
  categories,
  enabled: z.boolean().default(true).meta({ title: "Search it" }),
  priority: z.number().int().min(0).max(1_000).default(25).meta({
    title: "Priority",
    description: "Among several indexers, the lower number comes first",
  }),
});

export const clientKinds = { sabnzbd: "SABnzbd", nzbget: "NZBGet" } as const;

const pathMapping = z.object({
  remote: z.string().min(1).max(4_000).meta({ title: "Folder on the client" }),
  local: z.string().min(1).max(4_000).meta({ title: "Same folder on this server" }),
});
export type PathMapping = z.output<typeof pathMapping>;

export const clientEntry = z.object({
  name: z.string().trim().min(1).max(100).default("Client").meta({ title: "Name" }),
  kind: z.enum(["sabnzbd", "nzbget"]).default("sabnzbd").meta({ title: "Program", labels: clientKinds }),
  url: address("Of the program, such as http://127.0.0.1:8080, with its base path where it has one"),
  apiKey: secretSetting({
    title: "API key",
    description: "Of SABnzbd; the full key, not the one for adding NZB files",
  }),
  username: text("User", "Of NZBGet"),
  password: secretSetting({ title: "Password", description: "Of NZBGet" }),
  category: text("Category", "A category that the program has; empty for its default"),
  enabled: z.boolean().default(true).meta({ title: "Download with it" }),
  removeImported: z.boolean().default(true).meta({
    title: "Remove what was imported",
    description: "From the history of the program, with its files",
  }),
  pathMap: z.array(pathMapping).max(50).default([]).meta({
    title: "Path mappings",
    description: "For a client on another machine or in a container. Test reports a folder that cannot be read.",
  }),
});

export const usenetSettings = z
  .object({
    indexers: listSetting(indexerEntry, { title: "Indexers", most: 50, test: "/api/indexers/test" }),
    clients: listSetting(clientEntry, { title: "Download clients", most: 20, test: "/api/clients/test" }),
  })
  .meta({ title: "Usenet", task: "getting" });
export type UsenetSettings = z.output<typeof usenetSettings>;
export type IndexerEntry = UsenetSettings["indexers"][number];
export type ClientEntry = UsenetSettings["clients"][number];

/** Whether an address can be asked at all. */
export function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/u.test(new URL(url).protocol);
}
