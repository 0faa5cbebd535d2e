import type { Kysely } from "kysely";
import type { PluginDefinition } from "./plugin.js";
import type { ManifestInput } from "./manifest.js";
import type { Contract } from "./token.js";

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON, or the text when the answer is not JSON. */
  readonly body: any;
  readonly bytes: Uint8Array;
}

/**
 * Calls the server as one user, with a key. An answer with a status of 400 or more must be looked at: disposing the
 * host throws when a test read neither its status nor a field of its body. A call throws when the server did not know a
 * field of its body, or when the answer is not what the response schema of the route describes. The stack of an error
 * behind a status of 500 is written to the console of the test.
 */
export interface TestClient {
  readonly key: string | undefined;
  get(path: string, headers?: Record<string, string>): Promise<TestAnswer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  delete(path: string, headers?: Record<string, string>): Promise<TestAnswer>;
}

/** A client of one user. */
export interface TestUser extends TestClient {
  readonly id: number;
  readonly username: string;
}

/** The time of the test's process. It passes as usual; in addition, a test can let it jump forward. */
export interface TestClock {
  /** The present time, in milliseconds since 1970. */
  now(): number;
  /**
   * Lets time jump forward, as on a computer that was asleep: what `setTimeout` and `setInterval` would have called
   * until then is called in the order of its time, intervals once. Resolves when the calls and what they awaited have
   * had a turn.
   */
  advance(milliseconds: number): Promise<void>;
}

export interface TestHostOptions {
  /**
   * What to run: the id of a plugin (`collection`: the built package `@longbox/collection`), the folder of a package,
   * or a definition written in the test. A folder that was not built is run from its source `src/index.ts`.
   */
  plugins?: ReadonlyArray<string | { manifest: ManifestInput; plugin: PluginDefinition; keywords?: readonly string[] }>;
  /** The data folder; by default a new temporary folder that is removed at the end. */
  dataFolder?: string;
  /**
   * The storage engine; with `postgres`, the address of a database that holds nothing else, such as
   * `postgres://longbox@127.0.0.1/test`: what a test writes stays in it. Default: what the variable
   * `LONGBOX_TEST_STORAGE` names (`memory`, `sqlite` or such an address), or else `memory` (sql.js).
   * With `LONGBOX_TEST_DATABASE=postgres` every engine that is named here is replaced by PostgreSQL.
   */
  storage?: TestStorage | { readonly postgres: string };
  settings?: Record<string, Record<string, unknown>>;
  /**
   * Ids of the plugins that run isolated, each in a process of its own: packages only, since a definition written in
   * the test cannot leave the test's process. Those that the variable `LONGBOX_TEST_ISOLATED` names (`lists,shelves`)
   * do so in every test.
   */
  isolated?: readonly string[];
  /** By default, a request with an unknown field fails, because it is usually a mistake of the test. */
  allowUnknownFields?: boolean;
  /**
   * By default, a call fails when the answer is not what the response schema of its route describes. Requests of other
   * clients, such as `fetch`, are not checked.
   */
  allowOtherAnswers?: boolean;
  /** Whether the test moves the clock, which the host then replaces until it is disposed. One host at a time can. */
  clock?: boolean;
}

/** The engines that tests can run on. */
export type TestStorage = "memory" | "sqlite";

/** A real kernel on a loopback port, for tests of plugins. */
export interface TestHost extends AsyncDisposable {
  readonly url: string;
  readonly dataFolder: string;
  /**
   * A client of a user with this role (`viewer`, `trusted`, `admin` or a custom one); `anonymous` has no credential.
   */
  as(role: string): TestClient;
  /** Adds a role with these permissions, for `as` and `user`. */
  role(name: string, permissions: readonly string[]): Promise<void>;
  /** Adds a user with this role, `viewer` by default. */
  user(username: string, role?: string): Promise<TestUser>;
  /** @throws {Error} unless the host was started with the option `clock` */
  readonly clock: TestClock;
  /** A contract, as another plugin would get it. */
  use<T extends object>(token: Contract<T>): T;
  /** Collects domains announced on the event stream until it is released. */
  domains(
    role: string,
  ): Promise<{ readonly heard: string[]; until(domain: string): Promise<void>; release(): Promise<void> }>;
  /**
   * Looks into the tables of a plugin, or changes them, on whatever engine the host keeps them; also while the kernel
   * is stopped, so that a test can make what a server that was killed leaves behind.
   * @throws {Error} while a host with a database in memory is stopped, because it has no tables then
   */
  tables<Answer>(plugin: string, use: (database: Kysely<any>) => Promise<Answer>): Promise<Answer>;
  enable(plugin: string): Promise<void>;
  disable(plugin: string): Promise<void>;
  /** Stops the kernel; data stays until the host is disposed. */
  stop(): Promise<void>;
  /** Stops and starts the kernel on the same data. */
  restart(): Promise<void>;
}

/**
 * Starts a real kernel in this process, on loopback, with the named plugins. It needs `@longbox/kernel`, an optional
 * peer of the SDK, found from the current package at run time.
 *
 * @example
 * ```ts
 * await using host = await startTestHost({ plugins: ["collection"] });
 * const answer = await host.as("viewer").get("/api/collection");
 * ```
 */
export async function startTestHost(options: TestHostOptions = {}): Promise<TestHost> {
  const [version, kernel] = ["@longbox/kernel/node-version", "@longbox/kernel/testing"];
  const { nodeProblem } = (await import(version)) as { nodeProblem(command: string): string | undefined };
  const problem = nodeProblem("npm test");
  if (problem !== undefined) throw new Error(problem);
  const { startKernelTestHost } = (await import(kernel)) as {
    startKernelTestHost(options: TestHostOptions): Promise<TestHost>;
  };
  return startKernelTestHost(options);
}
