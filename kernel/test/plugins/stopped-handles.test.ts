import { contract, definePlugin, extensionPoint, type FullText, type PluginContext } from "@longbox/sdk";
import { startKernelTestHost } from "@longbox/kernel/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";

interface Kept {
  readonly context: PluginContext;
  readonly calls: Readonly<Record<string, () => unknown>>;
}

const Provided = contract<{ ask(): Promise<number> }>("provided", "1.0.0");
const Other = contract<{ write(): Promise<number> }>("other", "1.0.0");
const Points = extensionPoint<{ name: string }>("points", "1.0.0");
const schema = z.object({ owner: z.string().default("nobody") });

/** Opens one of everything, and keeps a closure over each. */
function keepingPlugin(kept: Kept[]) {
  return definePlugin({
    requires: { other: Other },
    async activate({ other }, context) {
      const { storage } = context;
      const document = await storage.document("note", schema);
      const cache = await storage.cache("pages", { maxBytes: 1_000_000 });
      const build = async (database: any) =>
        void (await database.schema.createTable("word").addColumn("text", "text").execute());
      const index = await storage.index<any>("words", { version: "1", build });
      const fullText: FullText = await storage.fullText("texts", ["text"]);
      const topic = context.topic<number>("counted");
      const reader = storage.reader<any>();
      const database = storage.database<any>();
      await database.schema.createTable("row").ifNotExists().addColumn("n", "integer").execute();
      const transaction = await database.startTransaction().execute();
      const implementation = { ask: async () => 1 };
      context.provide(Provided, implementation);
      const write = async () => Buffer.from("stale");
      kept.push({
        context: context as PluginContext,
        calls: {
          "document.update": () => document.update(() => ({ owner: "stale" })),
          "document.read": () => document.read(),
          "storage.document": () => storage.document("note", schema),
          "cache.fetch": () => cache.fetch("key", write),
          "cache.find": () => cache.find("key"),
          "cache.clear": () => cache.clear(),
          "storage.cache": () => storage.cache("pages", { maxBytes: 1 }),
          "index.database": () => index.database.insertInto("word").values({ text: "stale" }).execute(),
          "index.rebuild": () => index.rebuild(),
          "index.save": () => index.save(),
          "storage.index": () => storage.index("words", { version: "1", build }),
          "fullText.put": () => fullText.put(database, [{ id: 1, text: "stale" }]),
          "storage.fullText": () => storage.fullText("texts", ["text"]),
          "database.insert": () => database.insertInto("row").values({ n: 1 }).execute(),
          "database.transaction": () =>
            database.transaction().execute((inside) => inside.insertInto("row").values({ n: 1 }).execute()),
          "an open transaction": () => transaction.insertInto("row").values({ n: 1 }).execute(),
          "its commit": () => transaction.commit().execute(),
          "reader.select": () => reader.selectFrom("row").selectAll().execute(),
          "storage.folder": () => storage.folder,
          "cache.remove": () => cache.remove("key"),
          "fullText.remove": () => fullText.remove(database, [1]),
          "fullText.clear": () => fullText.clear(database),
          "storage.temporaryFolder": () => storage.temporaryFolder(),
          "context.open": () => context.open(Points),
          "context.contribute": () => context.contribute(Points, { name: "stale" }),
          "context.worker": () => context.worker("none"),
          "context.onUserDeleted": () => context.onUserDeleted(async () => {}),
          "host.fetch": () => context.host("http://127.0.0.1:9/").fetch("http://127.0.0.1:9/"),
          "settings.onChange": () => context.settings.onChange(() => {}),
          "a contract of another plugin": () => other.write(),
          "topic.publish": () => topic.publish(1),
          "topic.subscribe": () => topic.subscribe(() => {}),
          "context.topic": () => context.topic("again"),
          "context.provide": () => context.provide(Provided, implementation),
          "context.routes": () => context.routes([]),
          "context.own": () => context.own({ release() {} }),
          "context.fetch": () => context.fetch("http://127.0.0.1:9/"),
          "host.run": () => context.host("http://127.0.0.1:9/").run(async () => 1),
          "memory.reserve": () => context.memory.reserve(1),
        },
      });
    },
  });
}

describe.each(["memory", "sqlite"] as const)("what a plugin kept from before it was switched off (%s)", (storage) => {
  it("refuses with a code, and overwrites nothing of the run that came after", async () => {
    const kept: Kept[] = [];
    let written = 0;
    await using host = await startKernelTestHost({
      storage,
      plugins: [
        {
          manifest: { id: "other", title: "Other", description: "", sdk: "^1.0.0", provides: { other: "1.0.0" } },
          plugin: definePlugin({
            activate: (_, context) => void context.provide(Other, { write: async () => (written += 1) }),
          }),
        },
        {
          manifest: {
            ...{ id: "keeper", title: "Keeper", description: "", sdk: "^1.0.0" },
            provides: { provided: "1.0.0" },
            requires: { other: "^1.0.0" },
            opens: { points: "1.0.0" },
            contributes: { points: "^1.0.0" },
          },
          plugin: keepingPlugin(kept),
        },
      ],
    });
    await host.disable("keeper");
    const stopped = await outcomes(kept[0]!);
    const codes = new Set(["kernel/storage-closed", "kernel/plugin-stopped", "kernel/capability-gone"]);
    expect(Object.entries(stopped).filter(([, outcome]) => !codes.has(outcome))).toEqual([]);
    await host.enable("keeper");
    const live = kept[1]!.context.storage;
    const document = await live.document("note", schema);
    await document.update(() => ({ owner: "live" }));
    await outcomes(kept[0]!);
    expect(document.read()).toEqual({ owner: "live" });
    // The transaction that the first run left open blocks no other, and left nothing behind.
    await kept[1]!.calls["its commit"]!();
    expect(await live.database<any>().selectFrom("row").selectAll().execute()).toEqual([]);
    expect(await host.use(Provided).ask()).toBe(1);
    expect(written).toBe(0);
  });
});

async function outcomes({ calls }: Kept): Promise<Record<string, string>> {
  const results: Record<string, string> = {};
  for (const [name, call] of Object.entries(calls)) {
    try {
      await call();
      results[name] = "it was let through";
    } catch (fault) {
      results[name] = (fault as { code?: string }).code ?? String(fault);
    }
  }
  return results;
}
