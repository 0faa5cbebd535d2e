// A kernel with one plugin that announces a change when POST /api/ring is called. Prints its address and an admin's key;
// ends when stdin does.
import { definePlugin, defineRoute } from "@longbox/sdk";
import { startTestHost } from "@longbox/sdk/testing";

const bell = definePlugin({
  activate(_, context) {
    context.routes([
      defineRoute({
        method: "POST",
        path: "/api/ring",
        access: "library.view",
        summary: "Rings",
        handle() {
          context.changed("bell");
          return { at: performance.timeOrigin + performance.now() };
        },
      }),
      defineRoute({ method: "GET", path: "/api/held", access: "library.view", summary: "Resident bytes", handle: () => ({ bytes: process.memoryUsage().rss }) }),
    ]);
  },
});

const host = await startTestHost({
  plugins: [{ manifest: { id: "bell", title: "Bell", description: "Rings", sdk: "^1.0.0", events: [{ domain: "bell", access: "library.view" }] }, plugin: bell }],
});
process.stdout.write(`${JSON.stringify({ url: host.url, key: host.as("admin").key })}\n`);
process.stdin.resume().on("end", () => process.exit(0));
