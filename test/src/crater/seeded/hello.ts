import type { SeededPlugin } from "./plugin.js";

const entry = (greeting: string) => `import { definePlugin, defineRoute } from "@longbox/sdk";
import { z } from "zod";

export default definePlugin({
  activate(_, context) {
    context.routes([
      defineRoute({
        method: "GET",
        path: "/api/hello",
        summary: "Greet",
        response: z.object({ message: z.string() }),
        handle: ({ viewer }) => ({ message: "${greeting}, " + viewer.user.username }),
      }),
    ]);
  },
});
`;

/** The example, as it was before its first release: it is upgraded to that of the checkout. */
export const hello: SeededPlugin = {
  name: "@longbox/example-hello",
  id: "hello",
  versions: ["0.8.0", "0.9.0"].map((version) => ({
    version,
    files: { "dist/index.js": entry(`Hello from ${version}`) },
  })),
};
