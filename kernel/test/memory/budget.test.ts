import { definePlugin, defineRoute, type PluginContext, type Releasable } from "@longbox/sdk";
import { startKernelTestHost } from "@longbox/kernel/testing";
import { expect, it } from "vitest";
import { SharedMemory } from "../../dist/memory/shared-memory.js";

const megabyte = 1_000_000;

async function twoPlugins() {
  const contexts = new Map<string, PluginContext>();
  const plugin = (id: string) => ({
    manifest: { title: "T", description: "", sdk: "^1.0.0", id },
    plugin: definePlugin({
      activate(_, context) {
        contexts.set(id, context as PluginContext);
        const handle = async () => ({ held: await context.memory.reserve(200 * megabyte).then(() => true) });
        context.routes([defineRoute({ method: "GET", path: `/api/${id}`, summary: "Reserves", handle })]);
      },
    }),
  });
  const host = await startKernelTestHost({
    plugins: [plugin("one"), plugin("two")],
    settings: { server: { memoryMegabytes: 100 } },
  });
  return { host, contexts };
}

it("is one for all plugins, granted in the order of asking, and given back by a plugin that stops", async () => {
  const { host, contexts } = await twoPlugins();
  await using _ = host;
  const [one, two] = [contexts.get("one")!, contexts.get("two")!];
  expect(one.memory.limitBytes).toBe(100 * megabyte);
  const order: string[] = [];
  const take = async (who: PluginContext, bytes: number, name: string) => {
    const part = await who.memory.reserve(bytes);
    order.push(name);
    return part;
  };
  const first = await take(one, 60 * megabyte, "first");
  const large = take(two, 90 * megabyte, "large");
  const small = take(one, megabyte, "small");
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual(["first"]);
  await first.release();
  await first.release();
  await Promise.all([large, small]);
  expect(order).toEqual(["first", "large", "small"]);
  const waiting = take(one, 50 * megabyte, "after the other plugin");
  await host.disable("two");
  await waiting;
  await expect(two.memory.reserve(1)).rejects.toMatchObject({ code: "kernel/plugin-stopped" });
});

it("refuses what can never be had with 413, and says so to the client", async () => {
  const { host } = await twoPlugins();
  await using _ = host;
  const answer = await host.as("viewer").get("/api/one");
  expect(answer).toMatchObject({ status: 413, body: { code: "kernel/memory-too-large" } });
});

it("ends a wait with 503 and a time to come back, or with the signal, and lets the next ones through", async () => {
  const memory = new SharedMemory(() => 100, { waitLimitMs: 60 });
  const held = await memory.reserve(80);
  await expect(memory.reserve(50)).rejects.toMatchObject({
    kind: "unavailable",
    code: "kernel/memory-busy",
    retryAfterSeconds: 5,
  });
  const given = new AbortController();
  const left = memory.reserve(50, given.signal).catch((fault: Error) => fault.message);
  let behind: Releasable | undefined;
  const next = memory.reserve(20).then((part) => (behind = part));
  given.abort(new Error("gone"));
  expect(await left).toBe("gone");
  await next;
  await behind?.release();
  await held.release();
  expect([memory.usedBytes, memory.waiting]).toEqual([0, 0]);
});
