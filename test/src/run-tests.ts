import { rmSync } from "node:fs";
import { join } from "node:path";
import { createVitest, parseCLI } from "vitest/node";
import PlainReporter from "./plain-reporter.js";
import { postgresPrograms } from "./postgres.js";
import { runsLongTests } from "./needs.js";

/**
 * Tests that run on PostgreSQL as well, in every run of everything: of the plugins that ask most of the database, and
 * of the whole product. A browser, a file that is read and the like would be the same there.
 */
const alwaysOnBoth = [
  ...["collection", "reading", "shelves"].map((plugin) => `plugins/${plugin}/test/`),
  ...["importing", "keeping", "wanting", "without-ids"].map((subject) => `plugins/lists/test/${subject}.test.ts`),
  ...["access", "annuals", "both-kinds", "matching", "reading-state", "removing", "searched-alike"].map(
    (subject) => `test/whole/${subject}.test.ts`,
  ),
];
const longOnBoth = ["plugins/", "examples/", "test/backup/", "test/browser/", "test/clients/", "test/whole/"];
const onBoth = runsLongTests ? longOnBoth : alwaysOnBoth;

/**
 * `npm test`: vitest with our reporter. After a run of everything, the few files that failed are run once more, one
 * after the other, with the machine to themselves: what passes then is named as unstable, with its first failure in
 * full above it. A run of chosen files has no second try. A run of everything then goes on with tests on PostgreSQL,
 * where it is installed; with `LONGBOX_TEST_DATABASE=postgres`, the whole run is on it.
 *
 * Every process that a test starts compiles the same modules; what V8 made of them is kept, which takes a sixth off the
 * processor time of those that start many.
 */
const { filter, options } = parseCLI(["vitest", "run", ...process.argv.slice(2)]);
const runsAll = process.argv.length === 2;
const reporter = new PlainReporter();

// A run within a test uses the folder of the run around it.
process.env.NODE_COMPILE_CACHE ??= compiledFolder();
await run(filter);
if (runsAll && postgresPrograms !== undefined && process.env.LONGBOX_TEST_DATABASE === undefined) {
  process.env.LONGBOX_TEST_DATABASE = "postgres";
  await run(onBoth);
}
process.exitCode = reporter.hasFailed ? 1 : 0;

/** Each build leaves what was compiled of the one before behind; a run of everything begins without it. */
function compiledFolder(): string {
  const folder = join(import.meta.dirname, "../../node_modules/.cache/compiled-in-tests");
  if (runsAll) rmSync(folder, { recursive: true, force: true });
  return folder;
}

async function run(files: readonly string[]): Promise<void> {
  const vitest = await createVitest({ ...options, run: true, watch: false, reporters: [reporter] });
  try {
    if (files !== filter && (await vitest.globTestSpecifications([...files])).length === 0) return;
    reporter.beginRun(files === filter ? undefined : "PostgreSQL");
    await vitest.start([...files]);
    const failed = runsAll ? reporter.beginSecondTry() : undefined;
    for (const file of failed ?? []) {
      process.stdout.write("Once more, alone:\n");
      await vitest.runTestSpecifications(vitest.getModuleSpecifications(file));
    }
  } finally {
    await vitest.close();
  }
}
