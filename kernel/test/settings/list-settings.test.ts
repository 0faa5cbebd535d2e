import { definePlugin, KernelInspection, listSetting, secretSetting, type PluginSettings } from "@longbox/sdk";
import { startTestHost, type TestHostOptions } from "@longbox/sdk/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const serverEntry = z.object({
  name: z.string().min(1).max(40).meta({ title: "Name" }),
  url: z.url().max(200).default("http://localhost/").meta({ title: "Address" }),
  apiKey: secretSetting({ title: "API key" }),
  folders: listSetting(z.object({ path: z.string().min(1), token: secretSetting({ title: "Token" }) }), {
    title: "Folders",
  }),
});
const settings = z.object({ servers: listSetting(serverEntry, { title: "Servers", most: 5 }) });
type Settings = z.output<typeof settings>;

/** A server with a plugin whose setting is a list. */
async function openServer(options: TestHostOptions = {}) {
  const reached: { settings?: PluginSettings<Settings> } = {};
  const heard: Settings[] = [];
  const plugin = definePlugin({
    settings,
    activate(_, context) {
      reached.settings = context.settings;
      context.own(context.settings.onChange((next) => void heard.push(next)));
    },
  });
  const manifest = { id: "feeds", title: "Feeds", description: "", sdk: "^1.0.0" };
  const host = await startTestHost({ plugins: [{ manifest, plugin }], ...options });
  const post = (servers: unknown) => host.as("admin").post("/api/settings", { feeds: { servers } });
  return {
    host,
    heard,
    post,
    settings: () => reached.settings!,
    /** What the server shows. */
    read: async () => (await host.as("admin").get("/api/settings")).body.feeds.servers,
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}

const mask = "********";

describe("a setting that is a list", () => {
  it("gives ids to new entries, and takes the whole list: changed, added, reordered, removed", async () => {
    await using server = await openServer();
    const first = await server.post([
      { name: "One", apiKey: "key of one" },
      { name: "Two", id: "" },
    ]);
    expect(first.body.feeds.servers).toEqual([
      { id: expect.stringMatching(/^[\w-]{12}$/), name: "One", url: "http://localhost/", apiKey: mask, folders: [] },
      { id: expect.stringMatching(/^[\w-]{12}$/), name: "Two", url: "http://localhost/", apiKey: "", folders: [] },
    ]);
    const [one, two] = first.body.feeds.servers;
    expect(one.id).not.toBe(two.id);
    const second = await server.post([{ ...two, name: "Second" }, { name: "Three" }, one]);
    expect(second.body.feeds.servers).toMatchObject([
      { id: two.id, name: "Second" },
      { name: "Three" },
      { id: one.id },
    ]);
    const third = await server.post([one]);
    expect(third.body.feeds.servers.map(({ id }: { id: string }) => id)).toEqual([one.id]);
    expect(server.heard).toHaveLength(3);
    expect(server.settings().current.servers).toEqual([
      { id: one.id, name: "One", url: "http://localhost/", apiKey: "key of one", folders: [] },
    ]);
  });

  it("keeps the secret of each id, wherever in the list it stands now, also within an entry", async () => {
    await using server = await openServer({ storage: "sqlite" });
    const names = ["One", "Two"];
    await server.post(
      names.map((name) => ({ name, apiKey: `key of ${name}`, folders: [{ path: "/a", token: `token of ${name}` }] })),
    );
    const [one, two] = await server.read();
    expect(one).toMatchObject({ apiKey: mask, folders: [{ token: mask }] });
    await server.post([{ name: "Zero", apiKey: "key of Zero" }, two, { ...one, apiKey: "another key" }]);
    const keys = () =>
      server.settings().current.servers.map(({ name, apiKey, folders }) => [name, apiKey, folders[0]?.token]);
    expect(keys()).toEqual([
      ["Zero", "key of Zero", undefined],
      ["Two", "key of Two", "token of Two"],
      ["One", "another key", "token of One"],
    ]);
    await server.post((await server.read()).toReversed());
    await server.host.restart();
    expect(keys()).toEqual([
      ["One", "another key", "token of One"],
      ["Two", "key of Two", "token of Two"],
      ["Zero", "key of Zero", undefined],
    ]);
    const cleared = (await server.read()).map((entry: object) => ({ ...entry, apiKey: "" }));
    expect((await server.post(cleared)).body.feeds.servers[0].apiKey).toBe("");
  });

  it("refuses ids that it does not have or has twice, masks of nothing, unknown fields and wrong values, by their place", async () => {
    await using server = await openServer();
    await server.post([{ name: "One", apiKey: "key of one" }]);
    const before = await server.read();
    const flawsOf = async (servers: unknown) => {
      const { status, body } = await server.post(servers);
      return [status, Object.keys(body.details ?? {}).sort()];
    };
    expect(await flawsOf([...before, { id: "made-up", name: "Two" }])).toEqual([400, ["feeds.servers.1.id"]]);
    expect(await flawsOf([...before, ...before])).toEqual([400, ["feeds.servers.1.id"]]);
    expect(await flawsOf([{ name: "Two", apiKey: mask }])).toEqual([400, ["feeds.servers.0.apiKey"]]);
    expect(await flawsOf([...before, { name: "Two", colour: "red" }])).toEqual([400, ["feeds.servers.1.colour"]]);
    expect(await flawsOf([{ url: "nowhere" }])).toEqual([400, ["feeds.servers.0.name", "feeds.servers.0.url"]]);
    expect(await flawsOf([{ name: "A", folders: [{ path: "/a", id: "x" }] }])).toEqual([
      400,
      ["feeds.servers.0.folders.0.id"],
    ]);
    expect(await flawsOf(Array.from({ length: 6 }, () => ({ name: "x" })))).toEqual([400, ["feeds.servers"]]);
    for (const servers of [
      "text",
      5,
      null,
      {},
      [5],
      [null],
      ["x"],
      [[]],
      [{ id: 7, name: "x" }],
      [{ id: {}, name: "x" }],
    ])
      expect([servers, (await server.post(servers)).status]).toEqual([servers, 400]);
    expect(await server.read()).toEqual(before);
  });

  it("is described so that a form can be made from it", async () => {
    await using server = await openServer();
    const { properties } = (await server.host.as("admin").get("/api/settings/schema")).body.properties.feeds;
    expect(properties.servers).toMatchObject({
      type: "array",
      title: "Servers",
      list: true,
      items: {
        type: "object",
        required: ["name"],
        properties: {
          id: { type: "string", readOnly: true },
          name: { title: "Name" },
          apiKey: { secret: true },
          folders: { list: true },
        },
      },
    });
  });

  it("leaves none of its secrets in what leaves the server", async () => {
    await using server = await openServer();
    await server.post([{ name: "One", apiKey: "swordfish-1", folders: [{ path: "/a", token: "swordfish-2" }] }]);
    const inspection = server.host.use(KernelInspection);
    expect(JSON.stringify(await inspection.settings())).not.toContain("swordfish");
    const told = await inspection.withoutSecrets({ text: "it said swordfish-1 to swordfish-2", in: ["swordfish-2"] });
    expect(told).toEqual({ text: `it said ${mask} to ${mask}`, in: [mask] });
  });

  it("puts stored secrets in the place of masks in a form that is not saved yet", async () => {
    await using server = await openServer();
    await server.post([
      { name: "One", apiKey: "key of one" },
      { name: "Two", apiKey: "key of two" },
    ]);
    const [, two] = await server.read();
    const form = { servers: [{ ...two, url: "http://new.example/" }] };
    expect(server.settings().unmasked(form).servers[0]).toMatchObject({
      apiKey: "key of two",
      url: "http://new.example/",
    });
    expect(server.settings().unmasked({ servers: [{ apiKey: mask }] }).servers[0]).toEqual({ apiKey: "" });
    expect(server.settings().unmasked({ servers: [{ ...two, apiKey: "typed" }] }).servers[0].apiKey).toBe("typed");
  });

  it("gives ids to entries that were stored without one, and keeps them", async () => {
    await using server = await openServer({ settings: { feeds: { servers: [{ name: "One", apiKey: "kept key" }] } } });
    const [one] = await server.read();
    expect(one).toMatchObject({ id: "1", apiKey: mask });
    expect((await server.post([{ ...one, name: "Still one" }])).status).toBe(200);
    expect(server.settings().current.servers).toMatchObject([{ id: "1", name: "Still one", apiKey: "kept key" }]);
  });
});
