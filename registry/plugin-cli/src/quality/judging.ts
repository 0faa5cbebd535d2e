// What each rule of the quality levels finds in a plugin.
import { existsSync } from "node:fs";
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { unlessMissing } from "@longbox/sdk";
import type { Raw } from "../findings/finding.js";
import { readPackageJson } from "../packing/package-json.js";
import { qualityOf, type Quality } from "./levels.js";

/** What was seen while the plugin was installed, stopped and started on servers that are thrown away. */
export interface Observed {
  readonly findings: readonly Raw[];
  readonly state: string;
  readonly stateAgain: string;
  /** GET routes that answer in JSON, and those of them without a response schema. */
  readonly jsonRoutes: readonly string[];
  readonly undescribed: readonly string[];
  /** Its state in a process of its own, or why it did not come to one. */
  readonly isolated: string;
}

const papers = new Set(["no-licence", "no-readme", "no-repository"]);
/** Findings that rules of their own are about. */
const judgedElsewhere = new Set(["needs-config", "cannot-isolate"]);

/** Judges a plugin that could be installed. */
export async function judge(folder: string, seen: Observed): Promise<Quality> {
  const { findings, state, stateAgain, jsonRoutes, undescribed, isolated } = seen;
  const left = findings.filter(({ code }) => code === "left-open");
  const lacking = findings.filter(({ code }) => papers.has(code));
  const others = findings.filter((one) => one.severity === "warning" && !left.includes(one) && !lacking.includes(one));
  const undeclared = others.filter(({ code }) => !judgedElsewhere.has(code));
  const files = await filesOf(folder);
  const codes = (found: readonly Raw[]) => [...new Set(found.map(({ code }) => code))].join(", ");
  return qualityOf({
    "is-installed": fact(state === "active" || state === "needs-config", `It is ${state}.`),
    "has-papers": fact(lacking.length === 0, lacking.length === 0 ? "All are there." : `Found ${codes(lacking)}.`),
    "is-declared": fact(
      undeclared.length === 0,
      undeclared.length === 0 ? "They agree." : `Found ${codes(undeclared)}.`,
    ),
    "starts-unconfigured": fact(state === "active", `It is ${state} without a changed setting.`),
    "stops-cleanly": fact(
      left.length === 0,
      `It leaves ${left.length === 0 ? "nothing" : `${left.length} things`} open.`,
    ),
    "starts-again": fact(stateAgain === "active", `After being switched on again it is ${stateAgain}.`),
    "has-tests": fact(files.tests > 0, `There are ${files.tests} files of tests.`),
    "describes-answers": fact(undescribed.length === 0, described(jsonRoutes, undescribed)),
    "runs-isolated": fact(isolated === "active", `In a process of its own it is ${isolated.replace(/\.$/, "")}.`),
    "has-changelog": fact(files.changelog, files.changelog ? "It is in the package." : "It is not in the package."),
    "is-strict": fact(files.strict, files.strict ? "They are strict." : "They are not."),
    "is-translated": fact(files.languages.length > 0, `Other languages: ${files.languages.join(", ") || "none"}.`),
  });
}

const fact = (met: boolean, found: string) => ({ met, found });

function described(all: readonly string[], without: readonly string[]): string {
  if (without.length === 0) return `Of ${all.length} routes all are described.`;
  return `Without a schema: ${without.join(", ")}.`;
}

async function filesOf(folder: string) {
  const [tests, messages] = [await found(folder, "test/**/*.test.{ts,js,mjs}"), await found(folder, "messages/*.json")];
  const { files } = await readPackageJson(folder);
  const configuration = (await unlessMissing(readFile(join(folder, "tsconfig.json"), "utf8"))) ?? "";
  return {
    tests: tests.length,
    languages: messages.map((file) => /([^/]+)\.json$/.exec(file)![1]!).sort(),
    changelog: existsSync(join(folder, "CHANGELOG.md")) && files.includes("CHANGELOG.md"),
    strict: existsSync(join(folder, "src", "index.ts")) && /"strict"\s*:\s*true/.test(configuration),
  };
}

async function found(folder: string, pattern: string): Promise<string[]> {
  const files: string[] = [];
  for await (const file of glob(pattern, { cwd: folder })) files.push(file);
  return files;
}
