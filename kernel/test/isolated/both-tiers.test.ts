// What contracts, extension points and documents promise, in the server's process and across the border of processes.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until, writePlugin, type TinyPlugin } from "../plugins/support.js";

/** Provides a contract, and opens an extension point. */
const desk: TinyPlugin = {
  id: "desk",
  manifest: { provides: { desk: "1.0.0" }, opens: { drawers: "1.0.0" } },
  head: `import { LongboxError } from "@longbox/sdk"; import { z } from "zod";`,
  activate: `
    const topic = context.topic("written");
    const drawers = context.open(extensionPoint("drawers", "1.0.0"), { schema: z.object({ name: z.string().regex(/^[a-z]+$/, "must be in lower case"), look: z.custom((value) => typeof value === "function") }), unique: "name" });
    context.provide(contract("desk", "1.0.0"), new (class Desk {
      #written = [];
      async write(text) { this.#written.push(text); topic.publish(text); return this.#written.length; }
      async echo(value) { return value; }
      async rights(viewer) { return [viewer.user.role, viewer.may("library.manage"), viewer.seesRestricted]; }
      async refuse() { throw new LongboxError("not-found", "desk/no-paper", "There is no paper.", { sheets: 0 }, { retryAfterSeconds: 7 }); }
      async pages() { return (async function* () { yield "one"; yield "two"; })(); }
      async wait(signal) { if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
        throw new LongboxError("conflict", "desk/aborted", "It was aborted."); }
      onWritten(listener) { return topic.subscribe(listener); }
    })());
    context.routes([defineRoute({ method: "GET", path: "/api/desk", access: "library.view", summary: "looks", handle: async () => ({
      drawers: await Promise.all(drawers.entries().map(async ({ plugin, contribution }) => ({ plugin, name: contribution.name, size: contribution.size, shown: contribution.shown, holds: await contribution.look("pen") }))),
    }) })]);`,
};

/** Uses it, and adds an object of a class to the point, whose private parts do not cross. */
const writer: TinyPlugin = {
  id: "writer",
  manifest: { requires: { desk: "^1.0.0" }, contributes: { drawers: "^1.0.0" } },
  head: `import { isLongboxError, publicViewer, withoutRestricted } from "@longbox/sdk"; import { z } from "zod";
    class Drawer { name = "top"; size = { wide: 3, since: new Date(0) }; constructor(desk, inside) { this.desk = desk; this.inside = inside; }
      get shown() { return this.inside.size; } async look(what) { return this.inside.has(what) && (await this.desk.echo("found " + what)); } }
    const failure = (work) => work.then(() => "no failure", (fault) => isLongboxError(fault) ? { code: fault.code, kind: fault.kind, message: fault.message, details: fault.details, after: fault.retryAfterSeconds } : String(fault));`,
  fields: `requires: { desk: contract("desk", "1.0.0") }`,
  activate: `
    const { desk } = capabilities;
    const heard = [];
    context.own(desk.onWritten((text) => heard.push(text)));
    context.contribute(extensionPoint("drawers", "1.0.0"), new Drawer(desk, new Map([["pen", 1]])));
    const notes = await context.storage.document("notes", z.object({ title: z.string(), lines: z.array(z.string()) }).default({ title: "Notes", lines: [] }));
    context.routes([
      defineRoute({ method: "POST", path: "/api/writer", access: "library.view", summary: "writes", body: z.object({ text: z.string() }), handle: async ({ body }) => {
        const pages = [];
        for await (const page of await desk.pages()) pages.push(page);
        const aborting = new AbortController();
        const waiting = failure(desk.wait(aborting.signal));
        aborting.abort();
        const value = { at: new Date(5), map: new Map([["a", new Set([1n, 2, NaN])]]), bytes: new Uint8Array([1, 2]), url: new URL("http://a/b"), nothing: undefined, none: null, __proto__: null };
        const echoed = await desk.echo(value);
        return { written: await desk.write(body.text), refused: await failure(desk.refuse()), pages, aborted: await waiting, missing: await failure(desk.erase()),
          echoed: { at: echoed.at.getTime(), map: [...echoed.map].map(([key, set]) => [key, [...set].map(String)]), bytes: [...echoed.bytes], url: echoed.url.href, has: "nothing" in echoed, none: echoed.none },
          notes: await notes.update(({ title, lines }) => ({ title, lines: [...lines, body.text] })) };
      } }),
      defineRoute({ method: "GET", path: "/api/writer", access: "library.view", summary: "looks", handle: () => ({ heard, notes: notes.read() }) }),
      defineRoute({ method: "GET", path: "/api/writer/rights", access: "library.view", summary: "looks", handle: async ({ viewer }) => {
        const back = await desk.echo(withoutRestricted(viewer));
        return Promise.all([viewer, withoutRestricted(viewer), withoutRestricted(back), publicViewer].map((each) => desk.rights(each)));
      } }),
    ]);`,
};

/** Holds viewers, and says what they may do now. */
const holder: TinyPlugin = {
  id: "holder",
  manifest: { requires: { "kernel.users": "^1.0.0" } },
  head: `import { KernelUsers, publicViewer } from "@longbox/sdk"; import { z } from "zod";`,
  fields: `requires: { users: KernelUsers }`,
  activate: `
    const held = [];
    const { users } = capabilities;
    const rights = (viewer) => [viewer.user.role, viewer.may("library.manage"), viewer.seesRestricted];
    context.routes([
      defineRoute({ method: "POST", path: "/api/holder", access: "library.view", summary: "holds", body: z.object({ userId: z.number() }),
        handle: async ({ body }) => { held.push(await users.viewerOf(body.userId)); return { held: held.length }; } }),
      defineRoute({ method: "GET", path: "/api/holder", access: "library.view", summary: "looks", handle: () => held.map(rights) }),
    ]);`,
};

let folder: string;
let plugins: string[];
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "longbox-tiers-"));
  plugins = [desk, writer].map(({ id }) => path.join(folder, id));
  for (const [at, plugin] of [desk, writer].entries()) await writePlugin(plugins[at]!, plugin);
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

const refused = { kind: "not-found", code: "desk/no-paper", message: "There is no paper.", details: { sheets: 0 } };
const gone = (host: KernelTestHost) => host.as("viewer").post("/api/writer", { text: "lost" });

describe.each([
  ["both in the server's process", []],
  ["the provider isolated", ["desk"]],
  ["the consumer isolated", ["writer"]],
  ["both isolated", ["desk", "writer"]],
])("with %s", (_, isolated) => {
  it("contracts pass values, errors, streams, signals and subscriptions, and documents begin as their schema says", async () => {
    await using host = await startKernelTestHost({ plugins, isolated });
    expect((await host.as("viewer").post("/api/writer", { text: "Dear" })).body).toEqual({
      written: 1,
      refused: { ...refused, after: 7 },
      pages: ["one", "two"],
      aborted: expect.objectContaining({ kind: "conflict", code: "desk/aborted" }),
      missing: expect.anything(),
      echoed: {
        at: 5,
        map: [["a", ["1", "2", "NaN"]]],
        bytes: [1, 2],
        url: "http://a/b",
        has: true,
        none: null,
      },
      notes: { title: "Notes", lines: ["Dear"] },
    });
    await until(async () => (await host.as("viewer").get("/api/writer")).body.heard.length === 1);
    expect((await host.as("viewer").get("/api/desk")).body).toEqual({
      drawers: [
        {
          plugin: "writer",
          name: "top",
          size: { wide: 3, since: new Date(0).toISOString() },
          shown: 1,
          holds: "found pen",
        },
      ],
    });
  });

  it("contributions are checked by the rules of their point, whichever of both plugins is there first", async () => {
    const careless = path.join(folder, "careless");
    await writePlugin(careless, {
      id: "careless",
      manifest: { contributes: { drawers: "^1.0.0" } },
      activate: `for (const name of ["left", "top", "Top"])
        context.contribute(extensionPoint("drawers", "1.0.0"), { name, size: {}, shown: 0, look: async () => "nothing" });`,
    });
    const shown = async (host: KernelTestHost) =>
      (await host.as("viewer").get("/api/desk")).body.drawers.map((drawer: { plugin: string; name: string }) => [
        drawer.plugin,
        drawer.name,
      ]);
    const both = isolated.length === 0 ? isolated : [...isolated, "careless"];
    await using host = await startKernelTestHost({ plugins: [...plugins, careless], isolated: both });
    // Of two with one name, that of the plugin that started later is left out.
    const faults = () => host.kernel.host.row("careless").faults + host.kernel.host.row("writer").faults;
    expect(await shown(host)).toHaveLength(2);
    await until(() => faults() === 2);
    await host.disable("desk");
    await host.enable("desk");
    expect((await shown(host)).map(([, name]: string[]) => name).toSorted()).toEqual(["left", "top"]);
    await until(() => faults() === 4);
  });

  it("viewers pass as they are, also without what is restricted", async () => {
    await using host = await startKernelTestHost({ plugins, isolated });
    const narrowed = ["admin", true, false];
    const rights = [["admin", true, true], narrowed, narrowed, ["", false, false]];
    expect((await host.as("admin").get("/api/writer/rights")).body).toEqual(rights);
  });

  it("what needs a contract stops and comes back with its provider, and keeps what it stored", async () => {
    await using host = await startKernelTestHost({ plugins, isolated });
    expect((await host.as("viewer").post("/api/writer", { text: "Dear" })).status).toBe(200);
    await host.disable("desk");
    expect((await gone(host)).status).toBe(404);
    expect(host.kernel.host.row("writer")).toMatchObject({ state: "unsatisfied" });
    await host.enable("desk");
    expect((await host.as("viewer").get("/api/writer")).body).toEqual({
      heard: [],
      notes: { title: "Notes", lines: ["Dear"] },
    });
    expect((await host.as("viewer").get("/api/desk")).body.drawers).toHaveLength(1);
  });
});

it.each([["in the server's process", []] as const, ["isolated", ["holder"]] as const])(
  "a viewer that a plugin holds follows its account, %s",
  async (_, isolated) => {
    const place = path.join(folder, "holder");
    await writePlugin(place, holder);
    await using host = await startKernelTestHost({ plugins: [place], isolated: [...isolated] });
    const admin = host.as("admin");
    const held = async () => (await host.as("viewer").get("/api/holder")).body;
    const account = { username: "ann", password: "correct horse", role: "admin" };
    const { id } = (await admin.post("/api/users", account)).body;
    expect((await host.as("viewer").post("/api/holder", { userId: id })).body).toEqual({ held: 1 });
    expect(await held()).toEqual([["admin", true, true]]);
    for (const [change, rights] of [
      [{ role: "viewer" }, ["viewer", false, false]],
      [{ role: "trusted" }, ["trusted", true, true]],
      [{ active: false }, ["trusted", false, false]],
    ] as const) {
      expect((await admin.patch(`/api/users/${id}`, change)).status).toBe(200);
      await expect.poll(held).toEqual([rights]);
    }
  },
);
