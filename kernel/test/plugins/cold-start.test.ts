import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { contract, definePlugin, defineRoute, extensionPoint, releasable, type PluginContext } from "@longbox/sdk";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { needsLongRun, runsLongTests } from "@longbox/test/needs";
import { undisturbedNow } from "@longbox/test/undisturbed";
import { describe, expect, it } from "vitest";
import { Program } from "./program.js";
import { residentKilobytes } from "./resident-memory.js";
import { answering, temporaryFolder, until, writePlugin } from "./support.js";

const base = { title: "T", description: "", sdk: "^1.0.0" };
const Clock = contract<{ now(): Promise<string> }>("clock", "1.0.0");
const count = runsLongTests ? 100 : 30;
/** What a hanging plugin may cost the others. In an ordinary run the machine has other work, which costs more. */
const mostMs = runsLongTests ? 100 : 1_500;
/** The limits of a server, not those of the test host. */
const kernel = { plugins: { limits: { patienceMs: 100 } } };

/** Independent plugins: each answers at a path of its own. */
function linkCalm(host: KernelTestHost): string[] {
  const ids = Array.from({ length: count }, (_, n) => `calm-${n}`);
  for (const id of ids) {
    const route = defineRoute({ method: "GET", path: `/api/${id}`, access: "public", summary: id, handle: () => id });
    const plugin = definePlugin({ activate: (_, context) => context.routes([route]) });
    host.kernel.host.linkDefinition({ ...base, id }, plugin);
  }
  return ids;
}

/** Starts them all at once, and says how long it took until all of the given ones were active. */
async function timeToActive(link: (host: KernelTestHost) => readonly string[]): Promise<number> {
  await using host = await startKernelTestHost({ kernel });
  const ids = link(host);
  const begun = undisturbedNow();
  const enabling = host.enable(ids[0]!);
  await until(() => ids.every((id) => host.kernel.host.row(id).state === "active"));
  const took = undisturbedNow() - begun;
  await host.stop();
  await enabling;
  return took;
}

/** A port of this machine that no program listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The least of three: what else the machine does only ever adds. */
async function least(measure: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 3; round += 1) times.push(await measure());
  return Math.min(...times);
}

describe("criterion 27: a cold start", () => {
  it(
    `is held up by no plugin that hangs in activate and none that throws, of ${count}`,
    { timeout: 120_000 },
    async () => {
      const alone = await least(() => timeToActive(linkCalm));
      const withBad = await least(() =>
        timeToActive((host) => {
          // They come first in the order, and one plugin would like to use what the hanging one provides.
          host.kernel.host.linkDefinition(
            { ...base, id: "a-hanging", provides: { clock: "1.0.0" } },
            definePlugin({ activate: () => new Promise<void>(() => {}) }),
          );
          host.kernel.host.linkDefinition(
            { ...base, id: "a-throwing" },
            definePlugin({ activate: () => Promise.reject(new Error("no luck")) }),
          );
          host.kernel.host.linkDefinition(
            { ...base, id: "likes", optional: { clock: "^1.0.0" } },
            definePlugin({ optional: { clock: Clock }, activate() {} }),
          );
          return [...linkCalm(host), "likes"];
        }),
      );
      expect(withBad - alone).toBeLessThan(mostMs);
    },
  );

  it("gives a route to the plugin that comes first, also when the other one was already active", async () => {
    await using host = await startKernelTestHost({ kernel });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const word = (text: string) =>
      defineRoute({ method: "GET", path: "/api/word", access: "public", summary: "A word", handle: () => text });
    host.kernel.host.linkDefinition(
      { ...base, id: "a-slow" },
      definePlugin({ activate: async (_, context) => (await released, context.routes([word("first")])) }),
    );
    host.kernel.host.linkDefinition(
      { ...base, id: "b-fast" },
      definePlugin({ activate: (_, context) => context.routes([word("second")]) }),
    );
    const enabling = host.enable("a-slow");
    await until(() => host.kernel.host.row("b-fast").state === "active");
    expect((await host.as("anonymous").get("/api/word")).body).toBe("second");
    release();
    await enabling;
    expect((await host.as("anonymous").get("/api/word")).body).toBe("first");
    expect(host.kernel.host.row("b-fast")).toMatchObject({
      state: "failed",
      code: "kernel/route-taken",
      reason: 'The plugin "b-fast" claims the route GET /api/word, which belongs to "a-slow".',
    });
  });

  it("shows a plugin after the one that declares the permission of its route, and stops it before the owner of its point", async () => {
    await using host = await startKernelTestHost({ kernel });
    const stopped: string[] = [];
    const noting = (id: string, activate: (context: PluginContext) => unknown) =>
      definePlugin({
        async activate(_, context) {
          if (id === "z-declares") await new Promise((resolve) => setTimeout(resolve, 50));
          context.own(releasable(() => void stopped.push(id)));
          await activate(context);
        },
      });
    const route = defineRoute({
      method: "GET",
      path: "/api/early",
      access: "lamps.light",
      summary: "",
      handle: () => 1,
    });
    const Lamps = extensionPoint<object>("lamps", "1.0.0");
    host.kernel.host.linkDefinition(
      { ...base, id: "a-uses", contributes: { lamps: "^1.0.0" } },
      noting("a-uses", (context) => {
        context.routes([route]);
        context.contribute(Lamps, {});
      }),
    );
    host.kernel.host.linkDefinition(
      {
        ...base,
        id: "z-declares",
        permissions: [{ key: "lamps.light", label: "Light", description: "", tier: "trusted" }],
        opens: { lamps: "1.0.0" },
      },
      noting("z-declares", (context) => context.open(Lamps)),
    );
    await host.enable("a-uses");
    await until(() => host.kernel.host.row("z-declares").state === "active");
    expect(host.kernel.host.row("a-uses").state).toBe("active");
    await host.stop();
    expect(stopped).toEqual(["a-uses", "z-declares"]);
  });

  it(
    "of 100 plugins takes at most 3 seconds, and 1.5 MB for each; its health is told within one; of none, at most one",
    { ...needsLongRun, timeout: 300_000 },
    async () => {
      await using folder = await temporaryFolder();
      const folders = Array.from({ length: 100 }, (_, n) => path.join(folder.path, `p${n}`));
      for (const [n, at] of folders.entries())
        await writePlugin(at, {
          id: `p${n}`,
          fields: `migrations: [statements("0001", ["CREATE TABLE note (text TEXT)"])]`,
          activate: `await context.storage.database().selectFrom("note").selectAll().execute(); ${answering(`/api/p${n}`, n)}`,
        });
      const data = path.join(folder.path, "data");
      const start = async (plugins: readonly string[]) => {
        const port = await freePort();
        const begun = undisturbedNow();
        const starting = Program.start(
          { LONGBOX_DATA: data, LONGBOX_PORT: String(port) },
          plugins.flatMap((one) => ["--plugin", one]),
        );
        await until(() =>
          fetch(`http://127.0.0.1:${port}/healthz`).then(
            ({ ok }) => ok,
            () => false,
          ),
        );
        const healthMs = undisturbedNow() - begun;
        const program = await starting;
        const tookMs = undisturbedNow() - begun;
        const kilobytes = await residentKilobytes(program.process.pid!);
        await program[Symbol.asyncDispose]();
        return { tookMs, healthMs, kilobytes };
      };
      await start(folders);
      let [none, all] = [await start([]), await start(folders)];
      const noneMs = await least(async () => (none = await start([])).tookMs);
      const allMs = await least(async () => (all = await start(folders)).tookMs);
      expect((all.kilobytes - none.kilobytes) / 100).toBeLessThan(1_536);
      const healthMs = await least(async () => (await start(folders)).healthMs);
      expect(
        { noneMs: noneMs < 1_000, allMs: allMs < 3_000, healthMs: healthMs < 1_000 },
        `${noneMs} ms, ${allMs} ms, health ${healthMs} ms`,
      ).toEqual({ noneMs: true, allMs: true, healthMs: true });
    },
  );
});
