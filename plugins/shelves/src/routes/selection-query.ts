import { indexParameter } from "@longbox/sdk";
import { z } from "zod";
import { facetLabels, facetNames } from "../browsing/facets.js";
import { sorts } from "../thread/protocol.js";

/** A parameter that may be given more than once. */
const values = z.union([z.string(), z.array(z.string())]);

const facets = Object.fromEntries(
  facetNames.map((name) => [
    name,
    values.optional().meta({ description: `${facetLabels[name]}: may repeat; a value after \`-\` is left out` }),
  ]),
);

/** A selection in a query: one parameter for each facet; other names are facets of other plugins. */
export const selectionQuery = z
  .object({ ...facets, q: z.string().trim().max(200).optional() })
  .catchall(values.optional());

/** A page of a selection. */
export const pageQuery = selectionQuery.extend({
  page: indexParameter.pipe(z.number().max(1_000_000)).default(0),
  limit: indexParameter.pipe(z.number().min(1).max(120)).default(60),
  sort: z.enum(sorts).default("title"),
});
