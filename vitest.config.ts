import { clientMessages } from "@longbox/sdk/client-build";
import { defineConfig } from "vitest/config";
import SlowestFirst from "./test/src/slowest-first.ts";

const excluded = ["**/node_modules/**", "**/dist/**"];
const testsOf = (folders: readonly string[]) => folders.map((folder) => `${folder}/**/*.test.ts`);
/**
 * Their files share a few processes: half of their time would go into loading the kernel for each. A group has its own.
 */
const together = {
  browser: testsOf(["test/browser"]),
  examples: testsOf(["sdk/test", "examples/*/test"]),
  kernel: testsOf(["kernel/test"]),
  plugins: testsOf(["plugins/[a-l]*/test"]),
  "more plugins": testsOf(["plugins/[m-z]*/test"]),
  whole: testsOf(["test/{backup,check,clients,proxies,soak,upgrade,whole}"]),
};
/** Files that each have a process of their own, because they measure it: its memory, its threads or its time. */
const ownProcess = ["kernel/test/memory/**/*.test.ts", "kernel/test/criteria/{memory,dispatch-overhead}.test.ts"];
/** In long runs these hold narrow bounds of time: one file at a time, after all others. */
const timed =
  process.env["LONGBOX_LONG_TESTS"] === "1"
    ? [
        "kernel/test/criteria/**/*.test.ts",
        "kernel/test/plugins/{planning,cold-start}.test.ts",
        "kernel/test/http/open-answers.test.ts",
        "test/browser/administration/hot-swap.test.ts",
      ]
    : [];
/**
 * Files of these folders have processes of their own as well: they start programs, and load little of the kernel
 * themselves.
 */
const apart = [...testsOf(["registry/test", "test"]), ...ownProcess];

const common = {
  pool: "forks" as const,
  // More than processors: the slowest tests wait for real clients and for time limits most of the time.
  maxWorkers: 3,
  // A cached transform does not notice a change of tsconfig, so tests could pass against code that no longer compiles.
  fsModuleCache: false,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // A browser beside other tests on two cores is no fast one.
  expect: { poll: { timeout: 30_000, interval: 50 } },
  // Built packages run as they are in production: loaded by Node itself, not transformed.
  server: { deps: { external: [/\/dist\//, /node_modules/] } },
};
const plugins = [clientMessages()];
const shared = Object.entries(together).map(([name, include]) => ({
  plugins,
  test: { ...common, name, isolate: false, include, exclude: [...excluded, ...ownProcess, ...timed] },
}));
/** Of the kernel, "apart" has only those named above. */
const others = [...excluded, ...together.browser, ...together.whole, ...timed];
const alone = { name: "timed", include: timed, exclude: excluded, maxWorkers: 1, sequence: { groupOrder: 1 } };
const oneByOne = timed.length === 0 ? [] : [{ plugins, test: { ...common, ...alone } }];

export default defineConfig({
  test: {
    projects: [
      ...shared,
      { plugins, test: { ...common, name: "apart", include: apart, exclude: others } },
      ...oneByOne,
    ],
    reporters: ["./test/src/plain-reporter.ts"],
    globalSetup: ["./test/browser/support/chromium.ts", "./test/postgres/test-database.ts"],
    sequence: { sequencer: SlowestFirst },
  },
});
