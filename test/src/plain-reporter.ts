import type { Reporter, TestCase, TestModule, TestRunEndReason } from "vitest/node";
import type { SerializedError } from "vitest";

/**
 * Says in plain text what a machine without a terminal needs: each file as it ends, every failure in full, every skip
 * with its reason, and the tally as the very last line (`12 passed, 0 failed, 1 skipped`).
 */
export default class PlainReporter implements Reporter {
  #startedAt = 0;

  onTestRunStart(): void {
    this.#startedAt = performance.now();
  }

  onTestModuleEnd(module: TestModule): void {
    const tests = [...module.children.allTests()];
    const mark = module.ok() ? "ok  " : "FAIL";
    print(`${mark} ${module.relativeModuleId} (${tests.length}, ${Math.round(module.diagnostic().duration)} ms)`);
    for (const error of module.errors()) print(indent(describe(error)));
    for (const test of tests) this.#report(test);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[], reason: TestRunEndReason): void {
    for (const error of unhandled) print(`Unhandled error outside a test:\n${indent(describe(error))}`);
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    // A file that could not be loaded, and an error that no test caught, are failures too.
    const failed = count("failed") + modules.filter((module) => module.errors().length > 0).length + unhandled.length;
    const skipped = count("skipped");
    print(`${Math.round((performance.now() - this.#startedAt) / 1000)} s${reason === "interrupted" ? ", interrupted" : ""}`);
    print(`${count("passed")} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  }

  #report(test: TestCase): void {
    const result = test.result();
    if (result.state === "failed") print(`  failed: ${test.fullName}\n${result.errors.map((error) => indent(describe(error))).join("\n")}`);
    if (result.state === "skipped") print(`  skipped: ${test.fullName}${result.note ? ` (${result.note})` : ""}`);
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
