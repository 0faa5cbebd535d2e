import { defineRoute, idParameter, type Route } from "@longbox/sdk";
import { z } from "zod";
import { lockableFields } from "../series/lockable-fields.js";
import { detailsSchema, writeDetails, type DetailsParts } from "../series/series-details.js";
import type { SeriesReading } from "../series/series-reading.js";

export interface DetailsRouteParts extends DetailsParts {
  readonly series: SeriesReading;
}

/** What a person writes about a series. */
export function detailsRoutes({ series, ...parts }: DetailsRouteParts): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/collection/{id}/details",
      access: "library.manage",
      summary: "Change the title, publisher, year, description or cover of a series",
      description:
        "What is left out stays. What is given is locked: scans and the metadata provider do not overwrite it.",
      params: z.object({ id: idParameter }),
      body: detailsSchema,
      response: z.object({ locked: z.array(z.enum(lockableFields)) }),
      async handle({ params: { id }, body, viewer }) {
        const { id: seriesId } = await series.get(id, viewer);
        return { locked: await writeDetails(parts, seriesId, body) };
      },
    }),
  ];
}
