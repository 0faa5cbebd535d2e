import type {
  Reporter,
  TestCase,
  TestModule,
  TestRunEndReason,
  TestSpecification,
  TestSuite,
  Vitest,
} from "vitest/node";
import type { SerializedError, UserConsoleLog } from "vitest";
import { relative } from "node:path";
import "./killing.js";
import "./needs.js";
import { countByReason, RunTally, type Tally } from "./tally.js";

/** More files than this that fail are no accident of a busy machine. */
const mostSecondTries = 5;
/** Characters that are kept of what a test wrote. */
const mostWritten = 20_000;

/**
 * Says in plain text what a machine without a terminal needs: each file as it ends, every failure in full, every skip
 * with its reason, and the tally as the very last line (`12 passed, 0 failed, 1 skipped`). Besides tests, these count
 * as failures: a hook that throws, a file that cannot be loaded, an error that no test caught, a test that is skipped
 * without a reason or never ended, and a run in which no test was found. A file that is tried a second time counts by
 * that try, and is named as unstable when it passed then.
 */
export default class PlainReporter implements Reporter {
  #startedAt = 0;
  #vitest: Vitest | undefined;
  #tally = new RunTally();
  /** What became of the same tests on another engine, before. */
  #former: RunTally | undefined;
  #isSelection = false;
  #isSecondTry = false;
  readonly #unstable: string[] = [];
  /** What each test wrote to its console, by its id. */
  readonly #written = new Map<string, string>();

  /**
   * Further runs add to what the run before came to.
   * @param engine - Where the tables are, if not where they usually are
   */
  beginRun(engine: string | undefined): void {
    if (engine === undefined) return;
    print(`On ${engine}:`);
    this.#former = this.#tally;
    this.#tally = new RunTally();
    this.#isSecondTry = false;
  }

  /**
   * The files that a second try, alone, can say something about: a few of many, and none with a test that is made from
   * a seed, because such a test found what another chance would hide. Undefined where the whole run is lost anyway.
   */
  beginSecondTry(): readonly string[] | undefined {
    const files = this.#tally.failedFiles;
    if (files.length === 0 || files.length > mostSecondTries || this.#tally.outside > 0) return undefined;
    if (files.some((file) => this.#tally.of(file)!.failedBySeed)) return undefined;
    this.#isSecondTry = true;
    return files;
  }

  get hasFailed(): boolean {
    return this.#tally.failed + (this.#former?.failed ?? 0) > 0;
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#startedAt = performance.now();
    const named = this.#vitest?.config.testNamePattern !== undefined;
    this.#isSelection = named || specifications.some(({ testLines }) => testLines !== undefined);
    if (!this.#isSecondTry) this.#tally = new RunTally();
  }

  onUserConsoleLog({ taskId, content }: UserConsoleLog): void {
    if (taskId === undefined) return;
    const all = `${this.#written.get(taskId) ?? ""}${content}`;
    this.#written.set(taskId, all.length > mostWritten ? `…${all.slice(-mostWritten)}` : all);
  }

  onTestModuleEnd(module: TestModule): void {
    const tests = [...module.children.allTests()];
    const tally = this.#tally.begin(module.moduleId, this.#isSelection);
    const mark = module.ok() ? "ok  " : "FAIL";
    print(`${mark} ${module.relativeModuleId} (${tests.length}, ${Math.round(module.diagnostic().duration)} ms)`);
    for (const group of [module, ...module.children.allSuites()]) reportHooks(group, tally);
    for (const test of tests) this.#report(test, tally);
    if (this.#isSecondTry && tally.failed === 0) this.#unstable.push(module.relativeModuleId);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[], reason: TestRunEndReason): void {
    for (const error of unhandled) this.#fail(`Unhandled error outside a test${during(error)}`, [error]);
    for (const module of modules.filter((each) => each.state() === "queued" || each.state() === "pending"))
      this.#fail(`${module.relativeModuleId} never ended`, []);
    if (reason === "interrupted") this.#fail("The run was interrupted", []);
    if (this.#tally.isEmpty) this.#fail("No test was found", []);
    print(`${Math.round((performance.now() - this.#startedAt) / 1000)} s`);
    for (const line of countByReason(this.#tally.skipped)) print(`skipped: ${line}`);
    for (const file of this.#unstable) print(`unstable: ${file} failed, and passed when it was run alone`);
    print(this.#tally.textWith(this.#former));
    process.exitCode = this.hasFailed ? 1 : 0;
  }

  /** What a test wrote matters when it failed: the stack behind a status of 500, for example. */
  #report(test: TestCase, tally: Tally): void {
    report(test, tally);
    const written = this.#written.get(test.id);
    if (written !== undefined && test.result().state === "failed") print(indent(`It wrote: ${written}`));
    this.#written.delete(test.id);
  }

  #fail(what: string, errors: readonly SerializedError[]): void {
    this.#tally.outside += 1;
    printFailure(what, errors);
  }
}

function reportHooks(group: TestModule | TestSuite, tally: Tally): void {
  const errors = group.errors();
  if (errors.length === 0) return;
  tally.failed += 1;
  printFailure(
    group.type === "suite" ? `failed outside its tests: ${group.fullName}` : "failed outside its tests",
    errors,
  );
}

function report(test: TestCase, tally: Tally): void {
  const verdict = tally.count(test);
  const { seed } = test.meta();
  if (seed !== undefined) print(`  LONGBOX_SEED=${seed}: ${test.fullName}`);
  if (verdict.failure !== undefined) print(`  ${verdict.failure}: ${test.fullName}`);
  for (const error of test.result().errors ?? []) print(indent(describe(error)));
  if (verdict.skipReason !== undefined) print(`  skipped: ${test.fullName} (${verdict.skipReason})`);
}

function printFailure(what: string, errors: readonly SerializedError[]): void {
  print([`  ${what}`, ...errors.map((error) => indent(describe(error)))].join("\n"));
}

/** An error that came up while the resources of a failed test were released (`SuppressedError`) names both. */
function describe(error: SerializedError): string {
  const parts = ["error", "suppressed"].flatMap((part) => {
    const within = error[part] as SerializedError | undefined;
    return within?.message === undefined ? [] : [`its ${part}: ${describe(within)}`];
  });
  return [error.stack ?? `${error.name}: ${error.message}`, error["diff"], ...parts].filter(Boolean).join("\n");
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, "    ");
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Files share processes: the error may come from one that ended before. */
function during({ VITEST_TEST_PATH: path }: SerializedError): string {
  return typeof path === "string" ? `, while ${relative(process.cwd(), path)} ran` : "";
}
