import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const passes = `it("passes", () => {});`;

interface Run {
  readonly code: number;
  readonly output: string;
  readonly lastLine: string;
}

/** Runs vitest with our reporter over these files, each a test file. */
function run(files: readonly string[], ...args: string[]): Promise<Run> {
  return runProgram([join(root, "node_modules", "vitest", "vitest.mjs"), "run", ...args], files);
}

/** Runs these files as `npm test` runs all of them. */
function runAll(...files: string[]): Promise<Run> {
  return runProgram([join(root, "test", "dist", "run-tests.js")], files);
}

async function runProgram(program: readonly string[], files: readonly string[]): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), "longbox-reporter-test-"));
  try {
    await symlink(join(root, "node_modules"), join(folder, "node_modules"));
    const head = `import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";`;
    for (const [index, body] of files.entries())
      await writeFile(join(folder, `planted-${index}.test.ts`), `${head}\n${body}\n`);
    const reporter = join(root, "test", "src", "plain-reporter.ts");
    await writeFile(
      join(folder, "vitest.config.ts"),
      `export default { test: { reporters: [${JSON.stringify(reporter)}], hookTimeout: 2_000, pool: "forks" } };`,
    );
    const { VITEST: _, ...env } = process.env;
    const child = spawn(process.execPath, program, {
      cwd: folder,
      env: { ...env, NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [output, , [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    return { code: code as number, output, lastLine: output.trimEnd().split("\n").at(-1) ?? "" };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe("the tally", () => {
  it.each([
    ["a test that passes", passes, "1 passed, 0 failed", 0],
    ["a test that fails", `${passes} it("fails", () => expect(1).toBe(2));`, "1 passed, 1 failed", 1],
    [
      "a beforeAll of a describe that throws, and the test that it kept from running",
      `${passes} describe("a", () => { beforeAll(() => { throw new Error("planted"); }); it("b", () => {}); });`,
      "1 passed, 2 failed",
      1,
    ],
    [
      "an afterAll of a describe that throws",
      `describe("a", () => { afterAll(() => { throw new Error("planted"); }); ${passes} });`,
      "1 passed, 1 failed",
      1,
    ],
    [
      "a hook of a describe within a describe",
      `describe("a", () => { describe("b", () => { afterAll(() => { throw new Error("planted"); }); ${passes} }); });`,
      "1 passed, 1 failed",
      1,
    ],
    ["a beforeAll of a file", `beforeAll(() => { throw new Error("planted"); }); ${passes}`, "0 passed, 2 failed", 1],
    ["an afterAll of a file", `afterAll(() => { throw new Error("planted"); }); ${passes}`, "1 passed, 1 failed", 1],
    ["a beforeEach", `beforeEach(() => { throw new Error("planted"); }); ${passes}`, "0 passed, 1 failed", 1],
    ["an afterEach", `afterEach(() => { throw new Error("planted"); }); ${passes}`, "0 passed, 1 failed", 1],
    ["a describe whose body throws", `describe("a", () => { throw new Error("planted"); });`, "0 passed, 1 failed", 1],
    ["a file that cannot be loaded", `import "./planted-gone.js"; ${passes}`, "0 passed, 1 failed", 1],
    ["a file that throws", `${passes} throw new Error("planted");`, "0 passed, 1 failed", 1],
    [
      "an error that no test caught",
      `it("a", () => { setTimeout(() => { throw new Error("planted"); }, 0); });\n` +
        `it("b", () => new Promise((resolve) => setTimeout(resolve, 50)));`,
      "2 passed, 1 failed",
      1,
    ],
    [
      "a rejection that no test caught",
      `it("a", () => { void Promise.reject(new Error("planted")); });\n` +
        `it("b", () => new Promise((resolve) => setTimeout(resolve, 50)));`,
      "2 passed, 1 failed",
      1,
    ],
    ["a file without a test", "export const nothing = 1;", "0 passed, 1 failed", 1],
    [
      "a process that is killed in the middle",
      `${passes} it("ends", () => { process.kill(process.pid, "SIGKILL"); return new Promise(() => {}); });`,
      "0 passed, 2 failed",
      1,
    ],
    ["a test skipped without a reason", `${passes} it.skip("a", () => {});`, "1 passed, 1 failed", 1],
    ["a test that is only planned", `${passes} it.todo("a");`, "1 passed, 1 failed", 1],
  ])("counts %s", async (_, body, lastLine, code) => {
    const ended = await run([body]);
    expect(ended, ended.output).toMatchObject({ lastLine, code });
    if (body.includes("planted") && !body.includes("import")) expect(ended.output).toContain("Error: planted");
  });

  it("fails a run without a test file", async () => {
    expect(await run([])).toMatchObject({ lastLine: "0 passed, 1 failed", code: 1 });
  });

  it("fails a run whose names match no test, and takes no notice of the tests that were not asked for", async () => {
    expect(await run([`${passes} it("fails", () => expect(1).toBe(2));`], "-t", "passes")).toMatchObject({
      lastLine: "1 passed, 0 failed",
      code: 0,
    });
    expect(await run([passes], "-t", "typo")).toMatchObject({ lastLine: "0 passed, 1 failed", code: 1 });
  });

  it("gives the reason of each skip, and counts the skips by their reasons", async () => {
    const needs = JSON.stringify(join(root, "test", "src", "needs.ts"));
    const ended = await run([
      `import { needs } from ${needs};
       ${passes}
       it("a", needs(false, "jing is not installed"), () => {});
       describe("b", needs(false, "jing is not installed"), () => { it("c", () => {}); });
       it.each([1, 2])("d %i", needs(false, "it takes minutes"), () => {});
       it("e", ({ skip }) => skip("no address but loopback"));
       it("f", needs(true, "there is no reason"), () => {});`,
    ]);
    expect(ended).toMatchObject({ lastLine: "2 passed, 0 failed, 5 skipped", code: 0 });
    expect(ended.output).toContain("  skipped: b > c (jing is not installed)\n");
    expect(ended.output.split("\n").slice(-5, -2)).toEqual([
      "skipped: 2 × jing is not installed",
      "skipped: 2 × it takes minutes",
      "skipped: 1 × no address but loopback",
    ]);
  });
});

describe("a run of everything", () => {
  const failsOnce = `
    import { existsSync, writeFileSync } from "node:fs";
    const seen = () => { const was = existsSync("seen"); writeFileSync("seen", ""); return was; };`;

  it("runs a file that failed once more, alone, and names it when it passes then", async () => {
    const ended = await runAll(`${failsOnce} ${passes} it("a", () => expect(seen()).toBe(true));`, passes);
    expect(ended, ended.output).toMatchObject({ lastLine: "3 passed, 0 failed", code: 0 });
    expect(ended.output).toContain("  failed: a\n");
    expect(ended.output).toContain("unstable: planted-0.test.ts failed, and passed when it was run alone\n");
  });

  it("counts a file that fails again once", async () => {
    const ended = await runAll(`${passes} it("a", () => expect(1).toBe(2));`, passes);
    expect(ended, ended.output).toMatchObject({ lastLine: "2 passed, 1 failed", code: 1 });
    expect(ended.output).toContain("Once more, alone:\n");
    expect(ended.output).not.toContain("unstable");
  });

  it("gives no second try to a test that is made from a seed", async () => {
    const ended = await runAll(`${failsOnce} it("a", { meta: { seed: 7 } }, () => expect(seen()).toBe(true));`);
    expect(ended, ended.output).toMatchObject({ lastLine: "0 passed, 1 failed", code: 1 });
    expect(ended.output).not.toContain("Once more");
  });

  it("gives none where many files fail, or something failed outside of them", async () => {
    const fails = `it("a", () => expect(1).toBe(2));`;
    const many = await runAll(...Array<string>(6).fill(fails));
    expect(many, many.output).toMatchObject({ lastLine: "0 passed, 6 failed", code: 1 });
    expect(many.output).not.toContain("Once more");
    const outside = await runAll(
      `${failsOnce} it("a", async () => {
        if (!seen()) setTimeout(() => { throw new Error("planted"); }, 0);
        await new Promise((resolve) => setTimeout(resolve, 50));
      });`,
    );
    expect(outside, outside.output).toMatchObject({ lastLine: "1 passed, 1 failed", code: 1 });
    expect(outside.output).not.toContain("Once more");
  });
});
