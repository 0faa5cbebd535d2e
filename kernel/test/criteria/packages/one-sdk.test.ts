// Criterion 15: there is one SDK and one zod, whatever packages bring along.
import { afterAll, beforeAll, expect, it } from "vitest";
import { Bench, install, type TinyPlugin } from "../../plugins/support.js";

let bench: Bench;
beforeAll(async () => void (bench = await Bench.open()));
afterAll(() => bench[Symbol.asyncDispose]());

/** A package below `node_modules` of a plugin. */
const carried = (name: string, version: string, code: string) => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, version, type: "module", exports: "./index.js" }),
  [`node_modules/${name}/index.js`]: code,
});
const neverLoaded = `throw new Error("the private copy was loaded");`;
/** Copies of what the host provides, and of the package with the contract, which the host does not know. */
const copies = (sdk: string, contractVersion: string) => ({
  ...carried("@longbox/sdk", sdk, neverLoaded),
  ...carried("zod", "3.0.0", neverLoaded),
  ...carried(
    "greeter-contract",
    contractVersion,
    `import { contract } from "@longbox/sdk"; export const Greeter = contract("greeter", "${contractVersion}");`,
  ),
});

const greeter: TinyPlugin = {
  id: "greeter",
  manifest: { provides: { greeter: "1.1.0" } },
  packageJson: { peerDependencies: { "@longbox/sdk": "^1.0.0" } },
  head: `import { BadInput } from "@longbox/sdk"; import { z } from "zod"; import { Greeter } from "greeter-contract";`,
  files: copies("1.0.0", "1.1.0"),
  activate: `context.provide(Greeter, { async greet(name) { if (name === "") throw new BadInput("greeter/no-name", "The name is empty.", { name: "is empty" }); return "Hello " + z.string().parse(name); }, async schema() { return z.object({ name: z.string() }).safeParse({}).success; } });`,
};
/** Built with an older version of the contract. */
const guest: TinyPlugin = {
  id: "guest",
  manifest: { requires: { greeter: "^1.0.0" } },
  head: `import { isLongboxError } from "@longbox/sdk"; import { z } from "zod"; import { Greeter } from "greeter-contract";`,
  files: copies("1.0.0-beta.1", "1.0.0"),
  fields: `requires: { greeter: Greeter }`,
  activate: `context.routes([defineRoute({ method: "GET", path: "/api/guest", summary: "greets", query: z.object({ name: z.string().default("") }), handle: ({ query }) => capabilities.greeter.greet(query.name) }),
    defineRoute({ method: "GET", path: "/api/guest/code", summary: "says what it caught", handle: () => capabilities.greeter.greet("").catch((fault) => ({ known: isLongboxError(fault), code: fault.code })) })]);`,
};
const future = (version: string, sdk: string): TinyPlugin => ({
  id: "future",
  version,
  manifest: { sdk },
  head: version === "2.0.0" ? `globalThis.__futureRan = true;` : "",
  files: copies("9.0.0", "2.0.0"),
});

it("criterion 15: plugins with private copies of the SDK, zod and a contract work with the host and with one another", async () => {
  await bench.publish(greeter);
  await bench.publish(guest);
  await using host = await bench.host();
  expect(await install(host, "@longbox-test/greeter")).toMatchObject({ state: "active" });
  expect(await install(host, "@longbox-test/guest")).toMatchObject({ state: "active" });
  const viewer = host.as("viewer");
  expect((await viewer.get("/api/guest?name=Ada")).body).toBe("Hello Ada");
  // An error that one of them made is known to the other and to the host.
  const refused = await viewer.get("/api/guest");
  expect(refused).toMatchObject({ status: 400, body: { error: expect.stringContaining("is empty") } });
  expect((await viewer.get("/api/guest/code")).body).toEqual({ known: true, code: refused.body.code });
});

it("criterion 15: a plugin for an incompatible SDK is refused before its code runs, with what it needs, what is here, and the newest version that fits", async () => {
  for (const [version, sdk] of [
    ["1.0.0", "^1.0.0"],
    ["1.1.0", "^1.0.0"],
    ["2.0.0", "^99.0.0"],
  ] as const)
    await bench.publish(future(version, sdk));
  await using host = await bench.host();
  const admin = host.as("admin");
  for (const door of ["install", "introduce"])
    expect(await admin.post(`/api/plugins/${door}`, { name: "@longbox-test/future", version: "2.0.0" })).toMatchObject({
      status: 409,
      body: {
        code: "kernel/sdk-too-different",
        error: expect.stringMatching(/SDK \^99\.0\.0; this is .* Version 1\.1\.0 fits\./),
        details: { required: "^99.0.0", actual: expect.stringMatching(/^1\./), newestCompatible: "1.1.0" },
      },
    });
  expect((await admin.get("/api/plugins")).body).toEqual([]);
  expect(Reflect.get(globalThis, "__futureRan")).toBeUndefined();
  expect(await install(host, "@longbox-test/future")).toMatchObject({ version: "1.1.0" });
});

it("criterion 15: a plugin that needs another major version of a contract does not start, and says which is here", async () => {
  await bench.publish({ ...greeter, id: "other-greeter", manifest: { provides: { greeter: "1.1.0" } } });
  await bench.publish({
    ...guest,
    id: "late-guest",
    manifest: { requires: { greeter: "^2.0.0" } },
    files: copies("1.0.0", "2.0.0"),
    activate: "globalThis.__lateGuestRan = true;",
  });
  await using host = await bench.host();
  await install(host, "@longbox-test/other-greeter");
  expect(await install(host, "@longbox-test/late-guest")).toMatchObject({
    state: "unsatisfied",
    reason: 'It needs "greeter" ^2.0.0, and "other-greeter" provides 1.1.0.',
  });
  expect(Reflect.get(globalThis, "__lateGuestRan")).toBeUndefined();
});
