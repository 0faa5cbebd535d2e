// What the extension points of downloads take. Names are what people wrote into settings, and may be anything.
import type { ContributionRules } from "@longbox/sdk";
import { z } from "zod";
import type { DownloadClient, DownloadSource, Indexer, SourceTest } from "./contract.js";

const id = z.string().min(1).max(100);
const entry = { id, name: z.string(), enabled: z.boolean() };
const protocol = z.enum(["usenet", "torrent"]);
const asked = { resting: z.function().optional() };
const searchable = {
  ...{ ...entry, ...asked },
  priority: z.number().optional(),
  search: z.function(),
  latest: z.function().optional(),
};

export const sourceRules: ContributionRules<DownloadSource> = {
  schema: z.object({ ...searchable, kind: z.enum(["site", "catalog"]), resolve: z.function() }),
  unique: "id",
};

export const indexerRules: ContributionRules<Indexer> = {
  schema: z.object({ ...searchable, protocol, grab: z.function() }),
  unique: "id",
};

export const clientRules: ContributionRules<DownloadClient> = {
  schema: z.object({
    ...{ ...entry, ...asked, protocol },
    shares: z.boolean(),
    removesImported: z.boolean(),
    add: z.function(),
    find: z.function(),
    poll: z.function(),
    remove: z.function(),
  }),
  unique: "id",
};

export const testRules: ContributionRules<SourceTest> = {
  schema: z.object({ id, test: z.function() }),
  unique: "id",
};
