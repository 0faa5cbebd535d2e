import { definePlugin, defineRoute } from "@longbox/sdk";
import { z } from "zod";
import { StatsParts } from "./contract.js";
import { statsSchema } from "./shapes.js";
import { Statistics } from "./statistics.js";

const statsPart = z.object({ key: z.string().min(1), read: z.function() });

export default definePlugin({
  activate(_, context) {
    const parts = context.open(StatsParts, { schema: statsPart });
    const statistics = new Statistics(parts, context.log, { keepMs: 60_000 });
    context.own(parts.onChange(() => statistics.forget()));
    context.routes([
      defineRoute({
        method: "GET",
        path: "/api/stats",
        summary: "Read the statistics: files, collection, completion, provider, activity",
        description: "Counted at most once a minute.",
        response: statsSchema,
        handle: ({ viewer }) => statistics.read(viewer),
      }),
    ]);
  },
});
