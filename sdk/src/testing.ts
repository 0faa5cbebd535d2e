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
 * Calls the server as one user, with a key. An answer with a status of 400 or more must be looked at: disposing the host
 * throws when a test read neither its status nor a field of its body.
 */
export interface TestClient {
  readonly key: string | undefined;
  get(path: string, headers?: Record<string, string>): Promise<TestAnswer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  delete(path: string, headers?: Record<string, string>): Promise<TestAnswer>;
}

export interface TestHostOptions {
  /**
   * What to run: the id of a plugin (`collection`: the built package `@longbox/collection`), the folder of a built
   * package, or a definition written in the test.
   */
  plugins?: ReadonlyArray<string | { manifest: ManifestInput; plugin: PluginDefinition; keywords?: readonly string[] }>;
  /** The data folder; by default a new temporary folder that is removed at the end. */
  dataFolder?: string;
  /** Default `memory` (sql.js). */
  storage?: "memory" | "sqlite";
  settings?: Record<string, Record<string, unknown>>;
  /**
   * Ids of the plugins that run isolated, each in a process of its own: packages only, since a definition written in the test
   * cannot leave the test's process.
   */
  isolated?: readonly string[];
  /** By default, a request with an unknown field fails, because it is usually a mistake of the test. */
  allowUnknownFields?: boolean;
}

/** A real kernel on a loopback port, for tests of plugins. */
export interface TestHost extends AsyncDisposable {
  readonly url: string;
  readonly dataFolder: string;
  /**
   * A client of a user with this role (`viewer`, `trusted`, `admin` or a custom one); `anonymous` has no credential.
   */
  as(role: string): TestClient;
  /** A contract, as another plugin would get it. */
  use<T extends object>(token: Contract<T>): T;
  /** Collects domains announced on the event stream until it is released. */
  domains(
    role: string,
  ): Promise<{ readonly heard: string[]; until(domain: string): Promise<void>; release(): Promise<void> }>;
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
  const kernel = "@longbox/kernel/testing";
  const { startKernelTestHost } = (await import(kernel)) as {
    startKernelTestHost(options: TestHostOptions): Promise<TestHost>;
  };
  return startKernelTestHost(options);
}
