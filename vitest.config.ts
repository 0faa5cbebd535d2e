import { clientMessages } from "@longbox/sdk/client-build";
import { defineConfig } from "vitest/config";
import SlowestFirst from "./test/src/slowest-first.ts";

export default defineConfig({
  plugins: [clientMessages()],
  test: {
    include: ["{sdk,kernel,registry}/test/**/*.test.ts", "{plugins,examples}/*/test/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**"],
    reporters: ["./test/src/plain-reporter.ts"],
    globalSetup: ["./test/browser/support/chromium.ts", "./test/postgres/test-database.ts"],
    pool: "forks",
    // More than processors: the slowest tests wait for real clients and for time limits most of their time.
    maxWorkers: 3,
    sequence: { sequencer: SlowestFirst },
    // A cached transform does not notice a change of tsconfig, so tests could pass against code that no longer compiles.
    fsModuleCache: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A browser beside other tests on two cores is no fast one.
    expect: { poll: { timeout: 30_000, interval: 50 } },
    // Built packages run as they are in production: loaded by Node itself, not transformed.
    server: { deps: { external: [/\/dist\//, /node_modules/] } },
  },
});
