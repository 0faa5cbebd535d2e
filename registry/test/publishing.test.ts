import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { publishBuilt, publishFolder, startRegistry, type Registry } from "@longbox/registry";
import { extract } from "tar";
import { afterAll, beforeAll, expect, it } from "vitest";
import { temporaryFolder, writeFiles } from "./support/folders.js";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let registry: Registry;
beforeAll(async () => {
  folder = await temporaryFolder();
  registry = await startRegistry({ folder: join(folder.path, "registry") });
});
afterAll(async () => {
  await registry.stop();
  await folder[Symbol.asyncDispose]();
});

// A built plugin in a workspace of its own: what it imports is installed beside it.
function pluginFiles(id: string, changes: { manifest?: object; packageJson?: object; index?: string } = {}) {
  return {
    "package.json": {
      name: `@longbox/${id}`,
      version: "1.0.0",
      type: "module",
      keywords: ["longbox-plugin"],
      exports: {
        ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
        "./contract": { types: "./dist/contract.d.ts", default: "./dist/contract.js" },
      },
      files: ["dist"],
      longbox: {
        id,
        title: id,
        description: "",
        sdk: "^1.0.0",
        workers: { count: "dist/count-worker.js" },
        ...changes.manifest,
      },
      scripts: { postinstall: "exit 1" },
      peerDependencies: { "@longbox/sdk": "^1.0.0" },
      dependencies: { "tiny-dependency": "2.3.4" },
      devDependencies: { "@longbox/neighbour": "^1.0.0" },
      ...changes.packageJson,
    },
    "dist/index.js":
      changes.index ??
      `import { z } from "zod"; import { tiny } from "tiny-dependency"; import { Neighbour } from "@longbox/neighbour/contract";\nexport const seen = [typeof z.string, tiny, Neighbour.id];\n`,
    "dist/index.d.ts": "export declare const seen: string[];\n",
    "dist/index.js.map": "{}",
    "dist/contract.js": "export const Own = { id: 'own' };\n",
    "dist/contract.d.ts": "export declare const Own: { id: string };\n",
    "dist/count-worker.js": `import { tiny } from "tiny-dependency"; export const counted = tiny.length;\n`,
    "node_modules/tiny-dependency/package.json": {
      name: "tiny-dependency",
      version: "2.3.4",
      type: "module",
      exports: "./index.js",
      license: "BSD-3-Clause",
      dependencies: { "tinier-dependency": "1.0.0" },
    },
    "node_modules/tiny-dependency/LICENSE": "Copyright (c) the author of tiny\n",
    "node_modules/tiny-dependency/index.js": `import { tiny as base } from "tinier-dependency";\nexport const tiny = base.concat("");\n`,
    "node_modules/tinier-dependency/package.json": {
      name: "tinier-dependency",
      version: "1.0.0",
      type: "module",
      exports: "./index.js",
    },
    "node_modules/tinier-dependency/index.js": `export const tiny = "tiny";\n`,
    "node_modules/@longbox/neighbour/package.json": {
      name: "@longbox/neighbour",
      version: "1.0.0",
      type: "module",
      exports: { "./contract": "./contract.js", ".": "./index.js" },
    },
    "node_modules/@longbox/neighbour/contract.js": "export const Neighbour = { id: 'neighbour' };\n",
    "node_modules/@longbox/neighbour/index.js": "export default 'code of another plugin';\n",
  };
}

async function unpack(name: string, version: string): Promise<{ manifest: Record<string, any>; folder: string }> {
  const packument = (await (await fetch(`${registry.url}/${encodeURIComponent(name)}`)).json()) as {
    versions: Record<string, Record<string, any>>;
  };
  const manifest = packument.versions[version] ?? {};
  const target = join(folder.path, "unpacked", `${name.replace("/", "-")}-${version}`);
  await mkdir(target, { recursive: true });
  await writeFile(`${target}.tgz`, Buffer.from(await (await fetch(manifest["dist"].tarball)).arrayBuffer()));
  await extract({ file: `${target}.tgz`, cwd: target, strip: 1 });
  return { manifest, folder: target };
}

it("packs a plugin with everything it needs but what the host provides", async () => {
  const source = await writeFiles(join(folder.path, "bundled"), pluginFiles("bundled"));
  expect(await publishBuilt(source, registry)).toEqual({ name: "@longbox/bundled", version: "1.0.0", isNew: true });
  const { manifest, folder: unpacked } = await unpack("@longbox/bundled", "1.0.0");
  expect(manifest).toMatchObject({ longbox: { id: "bundled" }, peerDependencies: { "@longbox/sdk": "^1.0.0" } });
  expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(["scripts"]));
  expect(manifest["dependencies"] ?? {}).toEqual({});
  expect(manifest["devDependencies"]).toBeUndefined();
  // Far from any node_modules, only the host's own packages have to be found.
  await writeFiles(unpacked, {
    "node_modules/zod/package.json": { name: "zod", version: "0.0.0", type: "module", exports: "./index.js" },
    "node_modules/zod/index.js": "export const z = { string() {} };\n",
  });
  const program = `const { seen } = await import(${JSON.stringify(pathToFileURL(join(unpacked, "dist/index.js")).href)});
    const { counted } = await import(${JSON.stringify(pathToFileURL(join(unpacked, "dist/count-worker.js")).href)});
    const { Own } = await import(${JSON.stringify(pathToFileURL(join(unpacked, "dist/contract.js")).href)});
    console.log(JSON.stringify([seen, counted, Own.id]));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: unpacked,
  });
  expect(JSON.parse(stdout)).toEqual([["function", "tiny", "neighbour"], 4, "own"]);
});

/** Of a package whose contract leads to other declarations in every way that there is. */
const declarations = {
  "dist/contract.d.ts": `/// <reference path="./global.d.ts" />
import type { Shape } from "./shapes/shape.js";
export * from "./again.js";
export declare const Own: Shape & import("./typed").Typed;
`,
  "dist/shapes/shape.d.ts": `import other = require("../required.js"); export type Shape = typeof other;`,
  "dist/again.d.ts": `export { again } from "./contract.js"; export type From = "dist/internal.js";`,
  "dist/typed/index.d.ts": "export interface Typed {}",
  "dist/required.d.ts": "declare const required: number; export = required;",
  "dist/global.d.ts": "declare const anywhere: number;",
  // No export leads here, whatever a text or a comment says.
  "dist/internal.d.ts": "export {};",
};

it("packs the declarations that the exports of a plugin lead to", async () => {
  const files = { ...pluginFiles("declared"), ...declarations };
  await publishBuilt(await writeFiles(join(folder.path, "declared"), files), registry);
  const { folder: unpacked } = await unpack("@longbox/declared", "1.0.0");
  const packed = (await readdir(unpacked, { recursive: true })).filter((name) => name.endsWith(".d.ts")).sort();
  expect(packed).toEqual(
    [...Object.keys(declarations), "dist/index.d.ts"].filter((name) => name !== "dist/internal.d.ts").sort(),
  );
});

it.each([
  ["a pattern", { exports: { ".": "./dist/index.js", "./*": { types: "./dist/*.d.ts" } } }, {}],
  ["a declaration that cannot be parsed", {}, { "dist/contract.d.ts": "export declare const {" }],
])("packs all declarations of a plugin whose exports lead to %s", async (name, packageJson, files) => {
  const id = `all-${name.length}`;
  const source = { ...pluginFiles(id, { packageJson }), ...declarations, ...files };
  await publishBuilt(await writeFiles(join(folder.path, id), source), registry);
  const { folder: unpacked } = await unpack(`@longbox/${id}`, "1.0.0");
  expect(await readdir(join(unpacked, "dist"))).toContain("internal.d.ts");
});

it("writes modules whose text takes one byte a character in memory, with their lines, names and licences", async () => {
  const index = [
    "/*! (c) the author, MIT */",
    "/** What is said … */",
    'export class Grüße { say() { return `${String.raw`\\n`} “…” 💩 ${/[–—]/u.test("–")}`; } }',
    "// Not needed – at all.",
    "export const name = Grüße.name; export const said = new Grüße().say();",
  ].join("\n");
  const source = await writeFiles(join(folder.path, "lean"), pluginFiles("lean", { index }));
  await publishBuilt(source, registry);
  const { folder: unpacked } = await unpack("@longbox/lean", "1.0.0");
  const path = join(unpacked, "dist/index.js");
  const text = await readFile(path, "utf8");
  expect(text).not.toMatch(/[^\u0000-\u00ff]/);
  expect(text).not.toContain("Not needed");
  expect(text).not.toContain("What is said");
  expect(text).toContain("(c) the author, MIT");
  expect(text.split("\n").length).toBeGreaterThan(5);
  const loaded = (await import(pathToFileURL(path).href)) as { name: string; said: string };
  expect([loaded.name, loaded.said]).toEqual(["Grüße", "\\n “…” 💩 true"]);
});

it("copies a dependency that cannot be bundled, with what that one needs", async () => {
  const source = await writeFiles(
    join(folder.path, "copying"),
    pluginFiles("copying", {
      packageJson: { longboxBundle: { copy: [{ name: "tiny-dependency", files: ["index.js"] }] } },
    }),
  );
  await publishBuilt(source, registry);
  const { manifest, folder: unpacked } = await unpack("@longbox/copying", "1.0.0");
  expect(manifest).toMatchObject({
    dependencies: { "tiny-dependency": "2.3.4" },
    bundleDependencies: ["tiny-dependency"],
  });
  const { tiny } = (await import(pathToFileURL(join(unpacked, "node_modules/tiny-dependency/index.js")).href)) as {
    tiny: string;
  };
  expect(tiny).toBe("tiny");
});

it("publishes the same content once, and changed content as the next local version", async () => {
  const source = await writeFiles(join(folder.path, "changing"), pluginFiles("changing"));
  const change = (text: string) =>
    writeFile(join(source, "dist/contract.js"), `export const Own = { id: ${JSON.stringify(text)} };\n`);
  const published = [await publishBuilt(source, registry), await publishBuilt(source, registry)];
  await change("second");
  published.push(await publishBuilt(source, registry), await publishBuilt(source, registry));
  await change("own"); // The first content again: the newest version must hold it.
  published.push(await publishBuilt(source, registry));
  expect(published.map(({ version, isNew }) => [version, isNew])).toEqual([
    ["1.0.0", true],
    ["1.0.0", false],
    ["1.0.1-local.1", true],
    ["1.0.1-local.1", false],
    ["1.0.1-local.2", true],
  ]);
  const packument = (await (await fetch(`${registry.url}/@longbox%2fchanging`)).json()) as { "dist-tags": unknown };
  expect(packument["dist-tags"]).toEqual({ latest: "1.0.1-local.2" });
});

it.each([
  [
    "the code of another plugin",
    { index: `import code from "@longbox/neighbour"; export default code;\n` },
    /imports the code of another plugin: @longbox\/neighbour/,
  ],
  ["what is not installed", { index: `import x from "not-installed"; export default x;\n` }, /not-installed/],
  ["a worker that was not built", { manifest: { workers: { count: "dist/gone-worker.js" } } }, /gone-worker/],
  [
    "a client that was not built",
    { manifest: { client: { js: "client/dist/gone.js" } } },
    /names client\/dist\/gone\.js, which was not built/,
  ],
  ["a manifest with a word that is none", { manifest: { requries: {} } }, /manifest of @longbox\/refused is wrong/],
])("refuses %s", async (_, changes, message) => {
  await using own = await temporaryFolder();
  const source = await writeFiles(own.path, pluginFiles("refused", changes));
  await expect(publishBuilt(source, registry)).rejects.toThrow(message);
  expect((await fetch(`${registry.url}/@longbox%2frefused`)).status).toBe(404);
});

it("publishes a folder as it is, under the version that a test asks for", async () => {
  const source = await writeFiles(join(folder.path, "plain"), {
    "package.json": { name: "plain", version: "1.0.0" },
    "index.js": "export {};\n",
  });
  await publishFolder(source, registry);
  await publishFolder(source, registry, { version: "2.0.0", tag: "next" });
  await expect(publishFolder(source, registry)).rejects.toThrow(/\(409\)/);
  const packument = (await (await fetch(`${registry.url}/plain`)).json()) as { "dist-tags": unknown };
  expect(packument["dist-tags"]).toEqual({ latest: "1.0.0", next: "2.0.0" });
});

it("says in a published plugin who else wrote what is in it, and under which licence", async () => {
  const source = await writeFiles(join(folder.path, "with-notices"), {
    ...pluginFiles("with-notices"),
    "client/dist/with-notices.js": "export {};\n",
    "client/dist/third-party.json": [{ name: "drawn", version: "4.0.0", identifier: "MIT", text: "Drawn by Ada." }],
  });
  const manifestPath = join(source, "package.json");
  const manifest = JSON.parse(await readFile(manifestPath, "utf8")) as Record<string, unknown>;
  await writeFile(manifestPath, JSON.stringify({ ...manifest, files: ["dist", "client/dist"] }));
  const { name, version } = await publishBuilt(source, registry);
  const notices = await readFile(join((await unpack(name, version)).folder, "THIRD-PARTY-NOTICES.md"), "utf8");
  const rows = notices.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| Package"));
  expect(rows).toEqual([
    "| drawn | 4.0.0 | MIT |",
    "| tinier-dependency | 1.0.0 | UNKNOWN |",
    "| tiny-dependency | 2.3.4 | BSD-3-Clause |",
  ]);
  expect(notices).toContain("Copyright (c) the author of tiny");
  expect(notices).toContain("Drawn by Ada.");
});

it("says in each other package what it needs beside it, or that it contains no work of others", async () => {
  const noticesOf = async (id: string, changes: Parameters<typeof pluginFiles>[1]) => {
    const source = await writeFiles(join(folder.path, id), pluginFiles(id, changes));
    const { name, version } = await publishBuilt(source, registry);
    return readFile(join((await unpack(name, version)).folder, "THIRD-PARTY-NOTICES.md"), "utf8");
  };
  expect(await noticesOf("library", { packageJson: { keywords: [] } })).toBe(
    [
      "# Third-party notices of @longbox/library\n",
      "This package contains no work of others.\n",
      "It needs these packages, which are installed beside it.\n",
      "| Package | Version | Licence |\n|---|---|---|\n| tiny-dependency | 2.3.4 | BSD-3-Clause |\n",
    ].join("\n"),
  );
  const alone = { manifest: { workers: {} }, index: "export default {};\n" };
  expect(await noticesOf("alone", alone)).toBe(
    "# Third-party notices of @longbox/alone\n\nThis package contains no work of others.\n",
  );
});
