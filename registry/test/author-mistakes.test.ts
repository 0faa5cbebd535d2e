// The mistakes of authors, as `longbox-plugin check` finds them; kernel/test/plugins/authoring has the same at the
// server.
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { runsLongTests } from "@longbox/test/needs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  mistakeCases,
  shell,
  uncompiledCases,
  type MistakeCase,
} from "../../kernel/test/plugins/authoring/author-mistakes.js";
import { entryText, packageJsonOf } from "../../kernel/test/plugins/support.js";
import { check } from "../plugin-cli/dist/commands/check.js";
import { hasRemedy } from "../plugin-cli/dist/findings/remedies.js";
import { temporaryFolder, writeFiles } from "./support/folders.js";

const limits = { fileBytes: 100_000, tarballBytes: 1e6, entries: 100, unpackedBytes: 1e6, trialMs: 30_000 };

const cases = [...mistakeCases, ...uncompiledCases];
const isFirst = ({ number }: MistakeCase, at: number) => at === cases.findIndex((each) => each.number === number);
/**
 * The installation meets all of them in every run; here, it is one of each number, and those that are found in sources.
 */
const checked = runsLongTests ? cases : cases.filter((each, at) => each.inSources !== undefined || isFirst(each, at));

type Mistaken = Pick<MistakeCase, "plugin" | "files" | "id" | "inSources">;

/** The folder of an author, with the plugin that stands for the web interface in its devDependencies. */
async function authorsFolder(parent: string, name: string, { plugin, files = {}, id = "lamps", inSources }: Mistaken) {
  const { packageJson, files: more, ...fields } = plugin;
  const own = { ...fields, id, package: `@longbox-test/${name}` };
  const { "index.js": entry = entryText(own), ...beside } = { "README.md": "# Lamps", ...more, ...files };
  const described = {
    ...packageJsonOf({ ...own, packageJson: { license: "MIT", repository: "https://example.org/lamps" } }),
    exports: "./dist/index.js",
    files: [...new Set(Object.keys(beside).map((file) => file.split("/")[0]!))],
    devDependencies: { "@longbox-test/shell": "1.0.0" },
    ...packageJson,
  };
  const sources = inSources?.without === "entry" ? {} : { "src/index.js": entry };
  const present = Object.entries({ ...beside, ...sources }).filter(([, text]) => text !== undefined);
  const folder = join(parent, name);
  await mkdir(folder);
  await writeFiles(folder, {
    "package.json": JSON.stringify(described, undefined, 2),
    ...(Object.fromEntries(present) as Record<string, string>),
  });
  await writeFiles(join(folder, "node_modules/@longbox-test/shell"), {
    "package.json": packageJsonOf(shell),
    "index.js": entryText(shell),
    "site/index.html": "<!doctype html>",
  });
  return folder;
}

describe("a mistake of an author, before there is a package", () => {
  let parent: { path: string } & AsyncDisposable;
  beforeAll(async () => {
    parent = await temporaryFolder();
  });
  afterAll(() => parent[Symbol.asyncDispose]());

  it("is not found in a plugin without any", async () => {
    const folder = await authorsFolder(parent.path, "honest", { plugin: {} });
    const { findings, quality } = await check(folder, limits);
    expect(findings).toEqual([]);
    expect(quality).toMatchObject({ level: "bronze" });
  });

  it.for(checked.map((each, at) => [each.number, each.title, each, at] as const))(
    "%i: one that %s is found, with file, line and remedy",
    async ([, , each, at]) => {
      const folder = await authorsFolder(parent.path, `mistaken-${at}`, each);
      const { findings } = await check(folder, limits);
      const { code = each.code, names = each.names } = each.inSources ?? {};
      expect(findings).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            severity: each.warns ? "warning" : "error",
            code,
            message: typeof names === "string" ? expect.stringContaining(names) : expect.stringMatching(names),
          }),
        ]),
      );
      for (const { file = "", line = 0, code: found } of findings) {
        expect(hasRemedy(found), found).toBe(true);
        // What is missing has no lines; the finding then names the file that refers to it.
        const lines = existsSync(join(folder, file)) ? (await readFile(join(folder, file), "utf8")).split("\n") : [];
        expect([file, line > 0 && line <= lines.length]).toEqual([file, true]);
      }
    },
  );

  const workers = { manifest: { workers: { read: "worker.js" } }, files: { "worker.js": "", "src/worker.js": "" } };
  it("is no reason to refuse a plugin that cannot run isolated, but a warning, unless it asks for that", async () => {
    const activate = `context.workerUrl("read");`;
    const plain = await authorsFolder(parent.path, "threaded", { plugin: { ...workers, activate } });
    const warned = (await check(plain, limits)).findings.map(({ severity, code, message }) => [
      severity,
      code,
      message,
    ]);
    expect(warned).toEqual([["warning", "cannot-isolate", expect.stringContaining("context.workerUrl")]]);
    const manifest = { ...workers.manifest, isolation: "process" };
    const asking = await authorsFolder(parent.path, "asking", { plugin: { ...workers, manifest, activate } });
    expect((await check(asking, limits)).findings).toEqual([
      expect.objectContaining({
        severity: "error",
        code: "cannot-isolate",
        message: expect.stringContaining('"read"'),
      }),
    ]);
  });

  it("7: an interval without an owner is a warning, at its line", async () => {
    const folder = await authorsFolder(parent.path, "ticking", {
      plugin: { activate: "\nsetInterval(() => {}, 60_000);" },
    });
    const { findings, quality } = await check(folder, limits);
    expect(findings).toEqual([
      expect.objectContaining({ severity: "warning", code: "left-open", file: "src/index.js", line: 6 }),
    ]);
    expect(quality?.rules.find(({ rule }) => rule === "stops-cleanly")?.met).toBe(false);
  });

  it("is one of forty, each of which has a test", () => {
    const numbers = new Set([7, ...mistakeCases.map(({ number }) => number)]);
    numbers.delete(41); // Beyond the list.
    expect([...numbers].sort((one, other) => one - other)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  });
});
