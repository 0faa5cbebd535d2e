import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CheckResult } from "../plugin-cli/dist/findings/printing.js";
import { levels, rules } from "../plugin-cli/dist/quality/levels.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "./support/folders.js";
import { followGuide, guidesFolder } from "./support/guide.js";

const root = join(import.meta.dirname, "..", "..");
const program = join(root, "registry/plugin-cli/dist/bin/longbox-plugin.js");
const compiler = join(root, "node_modules/.bin/tsc");
const guides = (await readdir(guidesFolder)).filter((name) => name !== "README.md");

function run(folder: string, file: string, parameters: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(file, [...parameters], { cwd: folder, maxBuffer: 2 ** 24 }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), output: `${out}${err}` }),
    );
  });
}

// What reads files for the server, in its threads, cannot run in a process of its own.
const levelOf: Readonly<Record<string, string>> = { "library-type.md": "silver" };
/** What the check says of a plugin whose work needs a thread of the server. */
const warningsOf: Readonly<Record<string, readonly string[]>> = { "library-type.md": ["cannot-isolate"] };

describe("the code of a guide", () => {
  let parent: { path: string } & AsyncDisposable;
  beforeAll(async () => {
    parent = await temporaryFolder();
  });
  afterAll(() => parent[Symbol.asyncDispose]());

  it("is there for each task of the list", () => {
    expect(guides.sort()).toEqual([
      "device-protocol.md",
      "download-source.md",
      "library-type.md",
      "page.md",
      "route.md",
      "setting.md",
      "theme.md",
    ]);
  });

  it("comes with the rules of the levels of quality, as the check judges them", async () => {
    const text = await readFile(join(guidesFolder, "README.md"), "utf8");
    const rows = [...text.matchAll(/^\| (\w+) \| `([a-z-]+)` \| (.+) \|$/gm)].map(([, ...cells]) => cells);
    expect(rows).toEqual(Object.entries(rules).map(([name, { level, asks }]) => [level, name, asks]));
    expect([...new Set(rows.map(([level]) => level))]).toEqual(levels);
  });

  it.for(guides)("installs all plugins that its test starts: %s", async (guide) => {
    const text = await readFile(join(guidesFolder, guide), "utf8");
    const [, commands = ""] = /^```sh\n([^]*?)^```/m.exec(text)!;
    const started = [...text.matchAll(/plugins(?:: | = )\[([^\]]*)\]/g)].flatMap(([, list = ""]) => list.split(", "));
    const needed = started.map((name) => name.replaceAll('"', "")).filter((name) => name !== ".");
    expect(needed.filter((name) => !commands.includes(` @longbox/${name}`))).toEqual([]);
    expect(commands).toMatch(/^npm create longbox-plugin (\S+)\ncd \1 && npm install/);
  });

  it.concurrent.for(guides)(
    "is a plugin that compiles, whose check finds nothing to correct and whose test passes: %s",
    async (guide) => {
      const folder = await followGuide(guide, parent.path);
      const projects = ["tsconfig.json", "client/tsconfig.json"].filter((file) => existsSync(join(folder, file)));
      for (const project of projects)
        expect(await run(folder, compiler, ["-p", project]), project).toEqual({ code: 0, output: "" });
      const checked = await run(folder, process.execPath, [program, "check", "--json"]);
      const { findings, quality } = JSON.parse(checked.output) as CheckResult;
      expect([checked.code, findings.map(({ code }) => code), quality?.level], checked.output).toEqual([
        0,
        warningsOf[guide] ?? [],
        levelOf[guide] ?? "gold",
      ]);
      const tested = await run(folder, process.execPath, [program, "test", "--", "--test-reporter=tap"]);
      expect(tested).toMatchObject({ code: 0, output: expect.stringMatching(/# pass [1-9]\d*\n# fail 0/) });
    },
  );
});
