import { definePlugin, defineRoute } from "@longbox/sdk";
import { z } from "zod";

const helloSchema = z.object({ message: z.string() });

export default definePlugin({
  settings: z.object({
    greeting: z
      .string()
      .min(1)
      .max(100)
      .default("Hello")
      .meta({ title: "Greeting", description: "The word before the name" }),
  }),
  activate(_, context) {
    context.routes([
      defineRoute({
        method: "GET",
        path: "/api/hello",
        summary: "Greet the user",
        response: helloSchema,
        handle: ({ viewer }) => ({ message: `${context.settings.current.greeting}, ${viewer.user.username}!` }),
      }),
    ]);
  },
});
