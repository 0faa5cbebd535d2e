// Answers GET /api/count/{million} by a query that counts so far, as a plugin's reader does it; and whatever the kernel
// answers. Prints its address and a key on stdout; ends when stdin does.
import { definePlugin, defineRoute, idParameter } from "@longbox/sdk";
import { startTestHost } from "@longbox/sdk/testing";
import { sql } from "kysely";
import { z } from "zod";

const counting = definePlugin({
  activate(_, context) {
    const reader = context.storage.reader();
    context.routes([
      defineRoute({
        method: "GET",
        path: "/api/count/{million}",
        summary: "Counts, slowly",
        params: z.object({ million: idParameter }),
        response: z.object({ counted: z.number() }),
        async handle({ params }) {
          const { rows } = await sql<{
            counted: number;
          }>`with recursive count(n) as (select 1 union all select n + 1 from count where n < ${params.million * 1_000_000}) select max(n) as counted from count`.execute(
            reader,
          );
          return rows[0]!;
        },
      }),
    ]);
  },
});
const host = await startTestHost({
  plugins: [
    { manifest: { id: "counting", title: "Counting", description: "Counts", sdk: "^1.0.0" }, plugin: counting },
  ],
  storage: "sqlite",
});
process.stdout.write(`${JSON.stringify({ url: host.url, key: host.as("viewer").key })}\n`);
process.stdin.resume().on("end", () => void host[Symbol.asyncDispose]().then(() => process.exit(0)));
