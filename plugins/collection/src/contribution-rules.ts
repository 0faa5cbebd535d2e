// What the extension points of the collection take.
import type { ContributionRules } from "@longbox/sdk";
import { z } from "zod";
import type { CoverSource, IssueGetter, LibraryTypeContribution, SearchProvider, SeriesFacet } from "./contract.js";

const name = z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,99}$/, "must be letters, digits and hyphens");
const forms = z.object({ one: z.string().min(1), other: z.string().min(1) });
const words = z.object({
  unit: forms,
  length: z.enum(["pages", "seconds", "fraction"]),
  named: z.enum(["by-number", "by-title"]),
});

export const typeRules: ContributionRules<LibraryTypeContribution> = {
  schema: z.object({
    id: name.refine((id) => id !== "comic" && id !== "manga", "is a type of the collection itself"),
    label: z.string().min(1),
    words: words.optional(),
  }),
  unique: "id",
};

export const facetRules: ContributionRules<SeriesFacet> = {
  schema: z.object({
    name,
    label: z.string().min(1).optional(),
    findSeries: z.function(),
    listValues: z.function().optional(),
    findOthers: z.function().optional(),
  }),
  unique: "name",
};

export const searchRules: ContributionRules<SearchProvider> = {
  schema: z.object({ findsLibrary: z.boolean().optional(), search: z.function() }),
};

export const getterRules: ContributionRules<IssueGetter> = {
  schema: z.object({ queue: z.function(), findStates: z.function() }),
};

export const coverRules: ContributionRules<CoverSource> = {
  schema: z.object({
    rank: z.number(),
    isRemote: z.boolean().optional(),
    findCover: z.function(),
    validator: z.function(),
    findCovered: z.function().optional(),
  }),
};
