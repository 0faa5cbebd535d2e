// A kernel with one plugin that announces a change when POST /api/ring is called. Prints its address, an admin's key
// and the keys of listeners, since one user may open only so many streams; ends when stdin does.
import { definePlugin, defineRoute } from "@longbox/sdk";
import { startTestHost } from "@longbox/sdk/testing";

/** Many changes at once, with long names, so that a client that does not read has its socket full before long. */
const peal = Array.from({ length: 48 }, (_, number) => `peal-${number}-${"ding-dong-".repeat(5)}`.replace(/-$/, ""));

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
      defineRoute({
        method: "POST",
        path: "/api/peal",
        access: "library.view",
        summary: "Rings all bells",
        handle() {
          for (const domain of [...peal, "bell"]) context.changed(domain);
          return { at: performance.timeOrigin + performance.now() };
        },
      }),
      defineRoute({
        method: "GET",
        path: "/api/held",
        access: "library.view",
        summary: "Resident bytes",
        handle: () => ({ bytes: process.memoryUsage().rss }),
      }),
    ]);
  },
});

const host = await startTestHost({
  plugins: [
    {
      manifest: {
        id: "bell",
        title: "Bell",
        description: "Rings",
        sdk: "^1.0.0",
        events: [...peal, "bell"].map((domain) => ({ domain, access: "library.view" })),
      },
      plugin: bell,
    },
  ],
});
/** Makes an account through the API, and a key for it. */
async function listenerKey(username: string): Promise<string> {
  const account = { username, password: "a bell rings" };
  await host.as("admin").post("/api/users", account);
  const signedIn = await host.as("anonymous").post("/api/auth/login", account);
  const cookie = signedIn.headers.getSetCookie()[0]!.split(";")[0]!;
  const made = await host.as("anonymous").post("/api/auth/apikey", undefined, { cookie, origin: host.url });
  return made.body.key as string;
}

const listenerKeys: string[] = [];
for (let number = 0; number < 20; number++) listenerKeys.push(await listenerKey(`listener-${number}`));
process.stdout.write(`${JSON.stringify({ url: host.url, key: host.as("admin").key, listenerKeys })}\n`);
process.stdin.resume().on("end", () => process.exit(0));
