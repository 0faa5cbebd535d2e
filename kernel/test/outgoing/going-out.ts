import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { definePlugin, type PluginContext } from "@longbox/sdk";
import { startKernelTestHost } from "@longbox/kernel/testing";

/** A server elsewhere, and two plugins that go there. */
export async function goOut(answer: RequestListener, settings: Record<string, unknown> = {}) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const contexts = new Map<string, PluginContext>();
  const plugin = (id: string) => ({
    manifest: { title: "T", description: "", sdk: "^1.0.0", id },
    plugin: definePlugin({ activate: (_, context) => void contexts.set(id, context as PluginContext) }),
  });
  const host = await startKernelTestHost({
    plugins: [plugin("fetcher"), plugin("other")],
    settings: { server: settings },
  });
  const { port } = server.address() as AddressInfo;
  return {
    host,
    port,
    context: contexts.get("fetcher")!,
    other: contexts.get("other")!,
    fetch: contexts.get("fetcher")!.fetch,
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
