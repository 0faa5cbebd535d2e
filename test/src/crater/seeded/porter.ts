import type { SeededPlugin } from "./plugin.js";

const entry = `import { definePlugin, defineRoute, inProtocol, reply, TaskThread } from "@longbox/sdk";
import { z } from "zod";

const protocol = {
  onError: ({ code, message }) => ({ body: code + ": " + message, contentType: "text/plain" }),
};

export default definePlugin({
  activate(_, context) {
    const thread = context.own(new TaskThread({ start: () => context.worker("count") }));
    context.routes([
      defineRoute({
        method: "GET",
        path: "/porter/door",
        access: "public",
        summary: "What is written on the door",
        responseType: "text/plain",
        handle: () => reply.text("Come in.", "text/plain"),
      }),
      ...inProtocol(protocol, [
        defineRoute({
          method: "GET",
          path: "/porter/letters",
          summary: "How many letters",
          response: z.number(),
          handle: () => thread.run("count", ["a letter", "another"]),
        }),
      ]),
    ]);
  },
});
`;

const count = `import { answerTasks } from "@longbox/sdk/worker";

answerTasks({ count: (letters) => letters.length });
`;

/** A protocol below a base path of its own, and a worker. */
export const porter: SeededPlugin = {
  name: "porter",
  id: "porter",
  versions: ["1.0.0", "1.0.1"].map((version) => ({
    version,
    longbox: { basePaths: ["/porter"], publicRoutes: ["GET /porter/door"], workers: { count: "dist/count.js" } },
    files: { "dist/index.js": entry, "dist/count.js": count },
  })),
};
