import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { kernelDomains } from "../../../dist/events/event-hub.js";
import { kernelNames, wordsBesidePlugins } from "../../../dist/plugins/packages/kernel-names.js";
import { mistakeCases, packedCases, shell, uncompiledCases, type MistakeCase } from "./author-mistakes.js";
import { install } from "../support.js";
import { TarballRegistry } from "./tarball-registry.js";

const site = { "site/index.html": "<!doctype html>" };
const papers = { license: "MIT", repository: "https://example.org/lamps" };
const limits = {
  tarballBytes: 1e6,
  entries: 100,
  unpackedBytes: 1e6,
  fileBytes: 100_000,
  trialMs: 30_000,
};

describe("a mistake of an author", () => {
  let registry: TarballRegistry;
  let host: KernelTestHost;
  beforeAll(async () => {
    registry = await TarballRegistry.open();
    host = await startKernelTestHost({
      storage: "sqlite",
      registry: registry.url,
      kernel: { plugins: { packages: limits } },
    });
    registry.offer({ ...shell, files: site });
    await install(host, "@longbox-test/shell");
  });
  afterAll(async () => {
    await host[Symbol.asyncDispose]();
    await registry[Symbol.asyncDispose]();
  });

  const attempt = (named: string, { plugin, files, id = "lamps" }: Pick<MistakeCase, "plugin" | "files" | "id">) => {
    const { packageJson, ...fields } = plugin;
    const offered = { ...fields, id, package: named, packageJson: { ...papers, ...packageJson } };
    registry.offer(offered, { "README.md": "# Lamps", ...files });
    return host.as("admin").post("/api/plugins/install", { name: named, accept: true });
  };
  const installed = async () =>
    (await host.as("admin").get("/api/plugins")).body.map((row: { name: string }) => row.name);

  it("is not found in a plugin without any", async () => {
    const answer = await attempt("@longbox-test/honest", { plugin: {} });
    expect([answer.status, answer.body.state, answer.body.warnings]).toEqual([200, "active", undefined]);
    await host.as("admin").post("/api/plugins/uninstall", { name: "lamps", purge: true });
  });

  const refused = [...mistakeCases, ...uncompiledCases, ...packedCases].filter(({ warns }) => !warns);
  it.for(refused.map((each, at) => [each.number, each.title, each, at] as const))(
    "%i: one that %s is refused with a sentence that says where",
    async ([, , each, at]) => {
      const { status, body } = await attempt(`@longbox-test/refused-${at}`, each);
      const codes = [body.code, ...(body.details?.mistakes ?? []).map((mistake: { code: string }) => mistake.code)];
      expect([status < 500 || body.code.startsWith("kernel/file"), codes]).toEqual([
        true,
        expect.arrayContaining([each.code]),
      ]);
      expect(body.error).toMatch(each.names);
      expect(await installed()).toEqual(["shell"]);
    },
  );

  const warned = mistakeCases.filter(({ warns }) => warns);
  it.for(warned.map((each, at) => [each.number, each.title, each, at] as const))(
    "%i: one that %s is installed with a warning",
    async ([, , each, at]) => {
      const { status, body } = await attempt(`@longbox-test/warned-${at}`, each);
      expect([status, body.state, body.warnings]).toEqual([
        200,
        "active",
        [expect.objectContaining({ code: each.code, message: expect.stringMatching(each.names) })],
      ]);
      await host.as("admin").post("/api/plugins/uninstall", { name: "lamps", purge: true });
    },
  );

  it.each([
    [
      "has a worker",
      { manifest: { workers: { read: "worker.js" } }, files: { "worker.js": "" } },
      "cannot-isolate",
      /"read".*longbox\.workers/,
    ],
    [
      "transforms a setting",
      {
        head: `import { z } from "zod";`,
        fields: `settings: z.object({ kinds: z.string().default("").transform((text) => text.split(",")).meta({ title: "Kinds" }) })`,
      },
      "cannot-isolate",
      /the setting "kinds" has a transformation/,
    ],
    ["starts a worker", { activate: `context.worker("read");` }, "kernel/cannot-isolate", /context\.worker/],
    [
      "adds what cannot cross to a point",
      {
        manifest: { opens: { lamps: "1.0.0" }, contributes: { lamps: "^1.0.0" } },
        activate: `context.open(extensionPoint("lamps", "1.0.0")); context.contribute(extensionPoint("lamps", "1.0.0"), { kind: Symbol("lamp") });`,
      },
      "kernel/cannot-cross",
      /The contribution to lamps\.fields\.kind/,
    ],
  ] as const)("one that asks for a process of its own and %s is refused", async (title, plugin, code, names) => {
    const asking = { ...plugin, manifest: { isolation: "process", ...("manifest" in plugin && plugin.manifest) } };
    const { body } = await attempt(`@longbox-test/apart-${title.replaceAll(/[^a-z]+/g, "-")}`, { plugin: asking });
    const codes = [body.code, ...(body.details?.mistakes ?? []).map((mistake: { code: string }) => mistake.code)];
    expect(codes).toContain(code);
    expect(body.error).toMatch(names);
    expect(await installed()).toEqual(["shell"]);
  });

  it("is an id by which the server names permissions, routes, domains or contracts", async () => {
    const { body: permissions } = await host.as("admin").get("/api/permissions");
    const own = host.kernel.routes.list().filter(({ owner }) => owner.id === "kernel");
    const words = [
      ...(permissions as { key: string }[]).map(({ key }) => key.split(".")[0]!),
      ...own.map(({ route }) => route.path.split("/")[2] ?? "").map((word) => word.replace(/\..*/, "")),
      ...kernelDomains.map(({ domain }) => domain),
    ];
    const names = new Set(words.filter((word) => word !== "" && !word.startsWith("{")));
    expect([...names].filter((name) => !kernelNames.has(name))).toEqual([]);
    const beside = own.map(({ route }) => /^\/api\/plugins\/([a-z]+)/.exec(route.path)?.[1]);
    expect([...new Set(beside)].filter((word) => word !== undefined).sort()).toEqual([...wordsBesidePlugins].sort());
  });

  it("is not that a stranger has added the same before: what Longbox brings is kept, and that of the stranger left out", async () => {
    const lantern = `context.contribute(extensionPoint("lanterns", "1.0.0"), { id: "gate", colour: "green", light: async () => {} });`;
    const plugin = { manifest: { contributes: { lanterns: "^1.0.0" } }, activate: lantern };
    expect((await attempt("@longbox-test/squatter", { id: "squatter", plugin })).body.state).toBe("active");
    const { body } = await attempt("@longbox/lamplight", { id: "lamplight", plugin });
    expect([body.state, body.error]).toEqual(["active", undefined]);
    const faults = async (id: string) => (await host.as("admin").get(`/api/plugins/${id}`)).body.faults as number;
    await expect.poll(() => faults("squatter")).toBe(1);
    expect(await faults("lamplight")).toBe(0);
    expect((await attempt("@longbox-test/late", { id: "late", plugin })).body.error).toMatch(
      /"(?:squatter|lamplight)" has/,
    );
    for (const name of ["squatter", "lamplight"])
      await host.as("admin").post("/api/plugins/uninstall", { name, purge: true });
  });

  it("7: an interval without an owner is named once the plugin stops", async () => {
    const timer = { activate: "setInterval(() => {}, 60_000);" };
    expect((await attempt("@longbox-test/ticking", { plugin: timer })).body.state).toBe("active");
    const { body } = await host.as("admin").post("/api/plugins/lamps/enabled", { enabled: false });
    expect(body.leftOpen).toEqual([expect.stringMatching(/^an interval \(index\.js:\d+\)$/)]);
    await host.as("admin").post("/api/plugins/uninstall", { name: "lamps", purge: true });
  });

  it("is one of forty, each of which has a test", () => {
    const numbers = new Set([7, ...mistakeCases.map(({ number }) => number)]);
    numbers.delete(41); // Beyond the list.
    expect([...numbers].sort((one, other) => one - other)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  });
});
