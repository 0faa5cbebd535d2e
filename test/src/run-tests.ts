import { createVitest, parseCLI } from "vitest/node";
import PlainReporter from "./plain-reporter.js";

/**
 * `npm test`: vitest with our reporter. After a run of everything, the few files that failed are run once more, one after
 * the other, with the machine to themselves: what passes then is named as unstable, with its first failure in full above
 * it. A run of chosen files has no second try.
 */
const { filter, options } = parseCLI(["vitest", "run", ...process.argv.slice(2)]);
const reporter = new PlainReporter();
const vitest = await createVitest({ ...options, run: true, watch: false, reporters: [reporter] });
try {
  await vitest.start([...filter]);
  const files = process.argv.length > 2 ? undefined : reporter.beginSecondTry();
  for (const file of files ?? []) {
    process.stdout.write("Once more, alone:\n");
    await vitest.runTestSpecifications(vitest.getModuleSpecifications(file));
  }
} finally {
  await vitest.close();
}
process.exitCode = reporter.hasFailed ? 1 : 0;
