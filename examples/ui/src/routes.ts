import { defineRoute, type Route } from "@longbox/sdk";
import { z } from "zod";

const ids = z.array(z.number().int().positive()).min(1).max(500);
const badgesSchema = z.object({
  items: z.array(
    z.object({
      id: z.number().int(),
      badges: z.array(z.object({ kind: z.literal("count"), value: z.number().int(), label: z.string() })),
      facts: z.record(z.string(), z.union([z.boolean(), z.number(), z.string()])),
    }),
  ),
});
const access = "library.view";

/** @param changed - Called after a part was polished or broken */
export function kitRoutes(changed: () => void): Route[] {
  const polished = new Map<number, number>();
  return [
    defineRoute({
      method: "POST",
      path: "/api/kit/polish",
      access,
      summary: "Polish parts of the kit",
      body: z.object({ ids }),
      response: z.object({ polished: z.number().int() }),
      handle({ body }) {
        for (const id of body.ids) polished.set(id, (polished.get(id) ?? 0) + 1);
        changed();
        return { polished: body.ids.length };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/kit/break",
      access,
      summary: "Break parts of the kit",
      body: z.object({ ids }),
      response: z.object({ broken: z.number().int() }),
      handle({ body }) {
        for (const id of body.ids) polished.delete(id);
        changed();
        return { broken: body.ids.length };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/kit/badges",
      access,
      summary: "How often parts of the kit were polished",
      body: z.object({ kind: z.string(), ids }),
      response: badgesSchema,
      handle: ({ body }) => ({ items: body.ids.flatMap((id) => described(id, polished.get(id))) }),
    }),
  ];
}

function described(id: number, times: number | undefined) {
  if (times === undefined) return [];
  return [
    {
      id,
      badges: [{ kind: "count" as const, value: times, label: `polished ${times} times` }],
      facts: { polished: true },
    },
  ];
}
