import { defineRoute, idParameter, NotFound, type Route } from "@longbox/sdk";
import { z } from "zod";
import type { FormPlace, ReadingContract } from "../contract.js";

const params = z.object({ id: idParameter });
/** The name under which a place is taken over. */
const device = "Another form";

const placeSchema = z.object({
  id: z.number().int().meta({ description: "The other form: its `id`" }),
  cvIssueId: z.number().int(),
  type: z.string(),
  title: z.string(),
  at: z.string().meta({ description: "ISO 8601 in UTC: when it was last read" }),
  readFraction: z.number().meta({ description: "How much of the other form has been read, 0 to 1" }),
  fraction: z.number().meta({ description: "Where that is in this one, 0 to 1" }),
  seconds: z.number().optional(),
  page: z.number().int().optional().meta({ description: "Counted from 0" }),
  by: z.enum(["chapter", "fraction"]).meta({ description: "How the place was found" }),
  chapter: z.string().optional(),
  isFurther: z.boolean().meta({ description: "Whether that is further than the viewer is in this one" }),
});
export const placesSchema = z.object({ places: z.array(placeSchema) });

/** Going on in one form of a work where another was left. */
export function formRoutes(reading: ReadingContract): Route[] {
  return [placesRoute(reading), takeOverRoute(reading)];
}

function placesRoute(reading: ReadingContract): Route {
  return defineRoute({
    method: "GET",
    path: "/api/reading/forms/{id}",
    access: "library.view",
    summary: "Where the viewer is in the other forms of a work, such as its audiobook, and where that is in this one",
    description: "The id is the field `id` of an issue. The form that was read last comes first.",
    params,
    response: placesSchema,
    handle: async ({ params: { id }, viewer }) => ({
      places: (await reading.findFormPlaces(viewer, id)).map(toRow),
    }),
  });
}

function takeOverRoute(reading: ReadingContract): Route {
  return defineRoute({
    method: "POST",
    path: "/api/reading/forms/{id}",
    access: "library.view",
    summary: "Take over the place from another form of the work",
    description: "Without `from`, from the form that was read last.",
    params,
    body: z.object({ from: z.number().int().positive().optional() }).default({}),
    response: placeSchema,
    async handle({ params: { id }, body, viewer }) {
      const places = await reading.findFormPlaces(viewer, id);
      const place = body.from === undefined ? places[0] : places.find(({ issue }) => issue.id === body.from);
      if (!place)
        throw new NotFound("reading/no-place", "No other form of this work has been started.", { issueId: id });
      await reading.report(viewer, id, { position: place.position, device, mayGoBack: true });
      return toRow(place);
    },
  });
}

function toRow({ issue, state, position, fraction, by, chapter, isFurther }: FormPlace): z.output<typeof placeSchema> {
  return {
    id: issue.id,
    cvIssueId: issue.cvIssueId,
    type: issue.type,
    title: issue.label.full,
    at: state.at,
    readFraction: state.fraction,
    fraction,
    ...(position.kind === "time" && { seconds: position.seconds }),
    ...(position.kind === "page" && { page: position.page }),
    by,
    ...(chapter !== undefined && { chapter }),
    isFurther,
  };
}
