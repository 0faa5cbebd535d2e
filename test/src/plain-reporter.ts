import type {
  Reporter,
  TestCase,
  TestModule,
  TestRunEndReason,
  TestSpecification,
  TestSuite,
  Vitest,
} from "vitest/node";
import type { SerializedError } from "vitest";
import "./killing.js";
import "./needs.js";
import { countByReason, Tally } from "./tally.js";

/**
 * Says in plain text what a machine without a terminal needs: each file as it ends, every failure in full, every skip
 * with its reason, and the tally as the very last line (`12 passed, 0 failed, 1 skipped`). Besides tests, these count as
 * failures: a hook that throws, a file that cannot be loaded, an error that no test caught, a test that is skipped
 * without a reason or never ended, and a run in which no test was found.
 */
export default class PlainReporter implements Reporter {
  #startedAt = 0;
  #vitest: Vitest | undefined;
  #tally = new Tally(false);

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#startedAt = performance.now();
    const named = this.#vitest?.config.testNamePattern !== undefined;
    this.#tally = new Tally(named || specifications.some(({ testLines }) => testLines !== undefined));
  }

  onTestModuleEnd(module: TestModule): void {
    const tests = [...module.children.allTests()];
    const mark = module.ok() ? "ok  " : "FAIL";
    print(`${mark} ${module.relativeModuleId} (${tests.length}, ${Math.round(module.diagnostic().duration)} ms)`);
    for (const group of [module, ...module.children.allSuites()]) this.#reportHooks(group);
    for (const test of tests) this.#report(test);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[], reason: TestRunEndReason): void {
    for (const error of unhandled) this.#fail("Unhandled error outside a test", [error]);
    for (const module of modules.filter((each) => each.state() === "queued" || each.state() === "pending"))
      this.#fail(`${module.relativeModuleId} never ended`, []);
    if (reason === "interrupted") this.#fail("The run was interrupted", []);
    if (this.#tally.isEmpty) this.#fail("No test was found", []);
    print(`${Math.round((performance.now() - this.#startedAt) / 1000)} s`);
    for (const line of countByReason(this.#tally.skipped)) print(`skipped: ${line}`);
    print(this.#tally.text);
    if (this.#tally.failed > 0) process.exitCode = 1;
  }

  #reportHooks(group: TestModule | TestSuite): void {
    const errors = group.errors();
    if (errors.length === 0) return;
    this.#fail(
      group.type === "suite" ? `failed outside its tests: ${group.fullName}` : "failed outside its tests",
      errors,
    );
  }

  #report(test: TestCase): void {
    const verdict = this.#tally.count(test);
    const { seed } = test.meta();
    if (seed !== undefined) print(`  LONGBOX_SEED=${seed}: ${test.fullName}`);
    if (verdict.failure !== undefined) print(`  ${verdict.failure}: ${test.fullName}`);
    for (const error of test.result().errors ?? []) print(indent(describe(error)));
    if (verdict.skipReason !== undefined) print(`  skipped: ${test.fullName} (${verdict.skipReason})`);
  }

  #fail(what: string, errors: readonly SerializedError[]): void {
    this.#tally.failed += 1;
    print([`  ${what}`, ...errors.map((error) => indent(describe(error)))].join("\n"));
  }
}

function describe(error: SerializedError): string {
  return [error.stack ?? `${error.name}: ${error.message}`, error["diff"]].filter(Boolean).join("\n");
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, "    ");
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
