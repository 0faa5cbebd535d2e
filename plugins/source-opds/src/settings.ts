import { listSetting, secretSetting } from "@longbox/sdk";
import { z } from "zod";

export const catalogEntry = z.object({
  name: z.string().max(100).default("Catalog").meta({ title: "Name" }),
  url: z.string().max(2_000).default("").meta({
    title: "Address",
    description: "Of the catalog's root, such as https://library.example/api/opds",
  }),
  username: z.string().max(200).default("").meta({ title: "User", description: "Empty where none is needed" }),
  password: secretSetting({ title: "Password" }),
  enabled: z.boolean().default(true).meta({ title: "Search it" }),
  asLibrary: z.boolean().default(false).meta({
    title: "Show its books",
    description: "All books of the catalog are shown in a library of books; each is fetched when it is first opened",
  }),
});

export const opdsSourceSettings = z
  .object({
    catalogs: listSetting(catalogEntry, { title: "Catalogs", most: 50 }),
  })
  .meta({ title: "Other catalogs", task: "getting" });
export type CatalogEntry = z.output<typeof opdsSourceSettings>["catalogs"][number];
