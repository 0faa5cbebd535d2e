// Answers GET /api/hello/{name} with a small JSON, by the kernel (argument `kernel`) or by polka alone (argument
// `polka`). Prints its address on stdout, then for the kernel a key; ends when stdin does.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { definePlugin, defineRoute } from "@longbox/sdk";
import { startTestHost } from "@longbox/sdk/testing";
import polka from "polka";
import { z } from "zod";

const greeting = (name: string) => ({ greeting: `Good evening, ${name}.`, at: 12 });

async function serveByKernel(): Promise<{ url: string; key: string }> {
  const hello = definePlugin({
    activate(_, context) {
      context.routes([
        defineRoute({
          method: "GET",
          path: "/api/hello/{name}",
          summary: "Greets",
          params: z.object({ name: z.string().max(20) }),
          response: z.object({ greeting: z.string(), at: z.number() }),
          handle: ({ params }) => greeting(params.name),
        }),
      ]);
    },
  });
  const host = await startTestHost({
    plugins: [{ manifest: { id: "hello", title: "Hello", description: "Greets", sdk: "^1.0.0" }, plugin: hello }],
  });
  return { url: host.url, key: host.as("viewer").key ?? "" };
}

async function serveByPolka(): Promise<{ url: string; key: string }> {
  const server = createServer();
  const shell = polka({ server }).get("/api/hello/:name", (request, response) => {
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify(greeting(request.params["name"] ?? "")));
  });
  server.on("request", shell.handler as never);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: "" };
}

process.stdout.write(`${JSON.stringify(await (process.argv[2] === "kernel" ? serveByKernel() : serveByPolka()))}\n`);
process.stdin.resume().on("end", () => process.exit(0));
