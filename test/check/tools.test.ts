import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { foldersCheck } from "../src/check/folders.js";
import { packagesCheck } from "../src/check/packages.js";
import { formatCheck, lintCheck, typesCheck, unusedCheck } from "../src/check/rules.js";
import { shapeCheck } from "../src/check/shape.js";
import { plant, root } from "./planting.ts";

const lines = (count: number) => Array.from({ length: count }, (_, line) => `  total += ${line};`).join("\n");
const wired = (decorator: string) => ["a", "b", "c", "d"].map((name) => `@${decorator}(X) ${name}: X`).join(", ");
const workspaces = JSON.stringify({ private: true, type: "module", workspaces: ["sdk"] });

describe("a planted violation", () => {
  it("of the types of the tests is caught, wherever tests are", async () => {
    const places = ["sdk", "kernel", "registry", "plugins/reader", "examples/ui"].map(
      (place) => `${place}/test/a.test.ts`,
    );
    const files = [...places, "test/start/a.test.ts", "plugins/reader/test/support/a.ts"];
    const planted = Object.fromEntries(files.map((file) => [file, `export const count: number = "many";\n`]));
    await using repository = await plant(planted, ["node_modules", "tsconfig.base.json", "tsconfig.tests.json"]);
    const found = (await typesCheck.find(repository.path)).filter((complaint) => complaint.includes("error TS2322"));
    expect(files.filter((file) => !found.some((complaint) => complaint.includes(file)))).toEqual([]);
  });

  it("of lint is caught, also where it takes types", async () => {
    const planted = {
      "kernel/src/a.ts": `console.log("a");\n`,
      "sdk/src/b.ts": "async function wait(): Promise<void> {}\nwait();\n",
      "tsconfig.json": JSON.stringify({ compilerOptions: { strict: true, target: "es2024" } }),
    };
    await using repository = await plant(planted, ["node_modules", ".oxlintrc.json"]);
    const complaints = (await lintCheck.find(repository.path)).join();
    expect(complaints).toMatch(/no-console/);
    expect(complaints).toMatch(/no-floating-promises/);
  });

  it("of the format is caught", async () => {
    await using repository = await plant({ "kernel/src/a.ts": "export const a   = 1\n" }, [
      "node_modules",
      ".oxfmtrc.json",
    ]);
    expect((await formatCheck.find(repository.path)).join()).toMatch(/kernel\/src\/a\.ts/);
  });

  it("of a line that is too long is caught", async () => {
    const planted = {
      "kernel/src/a.ts": `export const sum = ${Array.from({ length: 60 }, (_, n) => n).join(" + ")};\n`,
    };
    await using repository = await plant(planted, ["node_modules", ".oxfmtrc.json"]);
    expect((await formatCheck.find(repository.path)).join()).toMatch(/kernel\/src\/a\.ts/);
  });

  it("of what nothing uses is caught: a file, an export, a dependency", async () => {
    const planted = {
      "package.json": workspaces,
      "sdk/package.json": JSON.stringify({
        name: "@longbox/sdk",
        type: "module",
        exports: "./src/index.ts",
        dependencies: { semver: "7.0.0" },
      }),
      "sdk/src/index.ts": `import { used } from "./parts.js";\nexport const sum = used;\n`,
      "sdk/src/parts.ts": "export const used = 1;\nexport const idle = 2;\n",
      "sdk/src/lonely.ts": "export const lonely = 1;\n",
    };
    await using repository = await plant(planted, ["node_modules", "knip.json"]);
    const complaints = (await unusedCheck.find(repository.path)).join();
    for (const name of ["lonely.ts", "idle", "semver"]) expect(complaints).toContain(name);
  });

  it("of a package that lacks what it exports is caught", async () => {
    const planted = {
      "package.json": workspaces,
      "sdk/package.json": JSON.stringify({
        name: "@longbox/sdk",
        version: "1.0.0",
        type: "module",
        exports: "./gone.js",
      }),
    };
    await using repository = await plant(planted);
    expect((await packagesCheck.find(repository.path)).join()).toMatch(/@longbox\/sdk.*gone\.js/);
  });

  it("of the size of folders is caught, and a room of which its README says nothing", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 23 }, (_, n) => [`kernel/src/many/part-${n}.ts`, "export {};\n"]),
    );
    await using repository = await plant({
      ...many,
      "kernel/README.md": "| `src/gone` | what is not there |\n| `src/said` | what is there |\n",
      "kernel/src/said/a.ts": "export {};\n",
      "kernel/test/README.md": "| `test/told` | what is tested |\n",
      "kernel/test/told/support/a.ts": "export {};\n",
      "kernel/test/told/a.test.ts": "export {};\n",
      "kernel/test/untold/a.test.ts": "export {};\n",
      "plugins/reader/client/src/page/a.ts": "export {};\n",
      "test/README.md": "\n| `start` | the start |\n",
      "test/start/a.test.ts": "export {};\n",
      "test/stop/a.test.ts": "export {};\n",
    });
    expect(await foldersCheck.find(repository.path)).toEqual([
      "kernel/src/many holds 23 files; 22 are the most. Make rooms.",
      'kernel/README.md has no line "| `src/many` | what belongs there |".',
      'kernel/README.md has no line "| `test/untold` | what belongs there |".',
      "kernel/README.md describes src/gone, which is gone.",
      'plugins/reader/README.md has no line "| `client/src/page` | what belongs there |".',
      'test/README.md has no line "| `stop` | what it tests |".',
    ]);
  });

  it("of the shape of functions is caught, beyond those that are older than the rule", async () => {
    const long = `export function long(): number {\n  let total = 0;\n${lines(40)}\n  return total;\n}\n`;
    const wide =
      "export function wide(a: number, b: number, c: number, d: number): number {\n  return a + b + c + d;\n}\n";
    await using repository = await plant(
      {
        "kernel/src/a.ts": long,
        "sdk/src/b.ts": wide,
        "plugins/shelves/src/old.ts": wide,
        "plugins/reader/src/old.ts": wide,
        "kernel/src/old.ts": wide,
        "kernel/src/c.ts": `export class Wired {\n  constructor(${wired("inject")}) {}\n}\n`,
        "kernel/src/d.ts": `export class Half {\n  constructor(${wired("other")}) {}\n}\n`,
        "test/spec/shape-exceptions.json": `{ "plugins/shelves/src/old.ts": 1, "kernel/src/old.ts": 2, "sdk/src/gone.ts": 1 }`,
      },
      ["node_modules", "test/spec/shape.oxlintrc.json"],
    );
    const complaints = await shapeCheck.find(repository.path);
    expect(complaints.sort()).toEqual([
      expect.stringMatching(/^kernel\/src\/a\.ts:1 .*too many lines/),
      expect.stringMatching(/^kernel\/src\/d\.ts:2 .*too many parameters/),
      expect.stringMatching(/^plugins\/reader\/src\/old\.ts:1 .*too many parameters/),
      expect.stringMatching(/^sdk\/src\/b\.ts:1 .*too many parameters/),
      "shape-exceptions.json allows 1 in sdk/src/gone.ts, which has 0.",
      "shape-exceptions.json allows 2 in kernel/src/old.ts, which has 1.",
    ]);
  });
});

it("npm run check fails for a name that no rule has, instead of holding none", async () => {
  const child = spawn(process.execPath, [join(root, "test/dist/check/main.js"), "typo"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  expect(code).toBe(1);
  expect(output).toMatch(/no rule's name contains "typo".*\n0 rules hold, 1 broken/);
});
