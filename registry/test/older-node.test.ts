// What an author is told whose Node is too old. The programs see another version; the system's Node, where it is old,
// runs them really.
import { execFile, execFileSync } from "node:child_process";
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { needs } from "@longbox/test/needs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "./support/folders.js";

const root = join(import.meta.dirname, "..", "..");
const creator = join(root, "registry/create-longbox-plugin/dist/bin/create.js");
const author = join(root, "registry/plugin-cli/dist/bin/longbox-plugin.js");
const kernel = join(root, "kernel/dist/bin/longbox.js");
const system = "/usr/bin/node";

function versionOf(node: string): string {
  try {
    return execFileSync(node, ["-p", "process.versions.node"], { encoding: "utf8" }).trim();
  } catch {
    return ""; // There is none.
  }
}

const installed = versionOf(system);
const isOld = installed !== "" && Number(installed.split(".")[0]) < 24;

interface Outcome {
  readonly code: number;
  readonly said: string;
}

function run(cwd: string, file: string, parameters: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(file, [...parameters], { cwd }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), said: `${out}${err}` }),
    );
  });
}

const sentence = (version: string, command: string) =>
  `This is Node ${version}, and Longbox needs Node 24 or newer: it uses node:sqlite, module.registerHooks and the reading of TypeScript. ` +
  `Install it from https://nodejs.org, or run "npx -p node@24 ${command}", which changes nothing on the machine.\n`;

describe.each([
  { title: "a Node that says that it is 20", version: "20.1.0", old: true },
  { title: `the Node of this machine`, version: installed, old: isOld },
])("an author with $title", ({ version, old }) => {
  const condition = old ? {} : needs(false, "the Node of this machine is new enough, or there is none");
  let parent: { path: string } & AsyncDisposable;
  let folder: string;
  let node: (cwd: string, parameters: readonly string[]) => Promise<Outcome>;

  beforeAll(async () => {
    parent = await temporaryFolder();
    const pretending = join(parent.path, "pretending.mjs");
    await writeFile(
      pretending,
      `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });\n`,
    );
    node = (cwd, parameters) =>
      version === installed
        ? run(cwd, system, parameters)
        : run(cwd, process.execPath, ["--import", pretending, ...parameters]);
    folder = join(parent.path, "lamps");
  });
  afterAll(() => parent[Symbol.asyncDispose]());

  it("makes a plugin, and is told how to run it", condition, async () => {
    const { code, said } = await node(parent.path, [creator, "lamps"]);
    expect([code, said]).toEqual([0, expect.stringContaining(`This is Node ${version}, and a plugin needs Node 24`)]);
    expect(said).toContain("\n  npx -p node@24 npm test\n");
    expect(JSON.parse(await readFile(join(folder, "package.json"), "utf8"))).toMatchObject({ name: "lamps" });
    await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  });

  it.for([["check"], ["test"], ["dev", "--port", "0"], ["pack"], ["publish", "--server", "http://127.0.0.1:9"], []])(
    "is told by longbox-plugin %j in a sentence what is missing",
    condition,
    async (parameters) => {
      const command = ["longbox-plugin", ...parameters].join(" ");
      expect(await node(folder, [author, ...parameters])).toEqual({ code: 1, said: sentence(version, command) });
    },
  );

  it("is told so by the server and by the test host", condition, async () => {
    expect(await node(folder, [kernel, "start"])).toEqual({ code: 1, said: sentence(version, "longbox") });
    await writeFile(
      join(folder, "host.mjs"),
      `import { startTestHost } from "@longbox/sdk/testing";\nawait startTestHost().catch(({ message }) => console.log(message));\n`,
    );
    expect(await node(folder, ["host.mjs"])).toEqual({ code: 0, said: sentence(version, "npm test") });
  });
});
