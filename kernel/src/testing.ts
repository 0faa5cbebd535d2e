import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Contract } from "@longbox/sdk";
import type { TestClient, TestHost, TestHostOptions } from "@longbox/sdk/testing";
import { Kernel } from "./kernel.js";
import type { KernelOptions } from "./kernel-options.js";
import { ServerLog } from "./logging/server-log.js";
import { readLinkedFolder } from "./plugins/packages/linking.js";
import { httpClient } from "./testing/http-client.js";
import { listenForDomains } from "./testing/domain-listener.js";
import { UnreadFailures } from "./testing/unread-failures.js";

export { UnreadFailures };

/** What tests of the kernel itself may set besides. */
export interface KernelTestHostOptions extends TestHostOptions {
  registry?: string;
  kernel?: Partial<
    Pick<
      KernelOptions,
      "plugins" | "registryTokenFile" | "trustedRootFile" | "setupToken" | "trustProxy" | "defaultPlugins"
    >
  >;
}

export interface KernelTestHost extends TestHost {
  /** The kernel of the present run. */
  readonly kernel: Kernel;
}

/** Nothing answers here: tests that need a registry bring one. */
const noRegistry = "http://127.0.0.1:9/";
const roles = ["viewer", "trusted", "admin"];
/** On a busy machine a start may wait for a thread longer than a server should wait for a plugin that is only liked. */
const patienceMs = 3_000;
const actor = { id: -1, username: "test" };

/** Starts a kernel in this process; see `startTestHost` of the SDK. */
export async function startKernelTestHost(options: KernelTestHostOptions = {}): Promise<KernelTestHost> {
  const own = options.dataFolder === undefined ? await mkdtemp(path.join(tmpdir(), "longbox-test-")) : undefined;
  const host = new InProcessHost(options, options.dataFolder ?? own!, own !== undefined);
  try {
    await host.start();
    return host;
  } catch (failure) {
    await host[Symbol.asyncDispose]();
    throw failure;
  }
}

class InProcessHost implements KernelTestHost {
  readonly dataFolder: string;
  readonly #options: KernelTestHostOptions;
  readonly #removeData: boolean;
  readonly #keys = new Map<string, string>();
  readonly #failures = new UnreadFailures();
  #kernel: Kernel | undefined;
  #url = "";

  constructor(options: KernelTestHostOptions, dataFolder: string, removeData: boolean) {
    this.#options = options;
    this.dataFolder = dataFolder;
    this.#removeData = removeData;
  }

  get kernel(): Kernel {
    if (!this.#kernel) throw new Error("The test host is stopped.");
    return this.#kernel;
  }

  get url(): string {
    return this.#url;
  }

  async start(): Promise<void> {
    const { registry = noRegistry, storage = "memory", settings, kernel: tuning, isolated = [] } = this.#options;
    // Packages that a test has made are its own, unless it says that they are strangers.
    const isolation = { isolatesGuests: false, ...tuning?.plugins?.isolation, isolated };
    const fixed = {
      dataFolder: this.dataFolder,
      host: "127.0.0.1",
      port: 0,
      registry,
      storage,
      linkedFolders: [],
      defaultPlugins: [],
      setupToken: undefined,
      trustProxy: undefined,
      blockedMs: 5000,
    };
    this.#kernel = await Kernel.open(
      { ...fixed, ...tuning, plugins: { ...tuning?.plugins, isolation, limits: { patienceMs, ...tuning?.plugins?.limits } } },
      new ServerLog({ level: process.env["LONGBOX_TEST_LOG"] === undefined ? "silent" : "debug" }),
    );
    if (settings) await this.kernel.stores.settings.preset(settings);
    await this.#makeAccounts();
    await this.#link();
    this.#url = await this.kernel.listen();
    await this.kernel.startPlugins();
    this.#refuseBroken();
  }

  as(role: string): TestClient {
    const isAnonymous = role === "anonymous";
    return httpClient({
      base: () => this.#url,
      makeKey: async () => (isAnonymous ? undefined : this.#key(role)),
      key: () => (isAnonymous ? undefined : this.#keys.get(role)),
      allowUnknownFields: this.#options.allowUnknownFields ?? false,
      failures: this.#failures,
    });
  }

  use<T extends object>(token: Contract<T>): T {
    return this.kernel.host.capabilities.standIn(token.id, "*").use as T;
  }

  async domains(role: string): Promise<Awaited<ReturnType<TestHost["domains"]>>> {
    return listenForDomains(this.#url, role === "anonymous" ? undefined : await this.#key(role));
  }

  async enable(plugin: string): Promise<void> {
    await this.kernel.host.setEnabled(plugin, true, actor);
  }

  async disable(plugin: string): Promise<void> {
    await this.kernel.host.setEnabled(plugin, false, actor);
  }

  async stop(): Promise<void> {
    const kernel = this.#kernel;
    this.#kernel = undefined;
    await kernel?.stop();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    if (this.#removeData) await rm(this.dataFolder, { recursive: true, force: true });
    this.#failures.check();
  }

  async #makeAccounts(): Promise<void> {
    if (this.#options.kernel?.setupToken !== undefined) return;
    for (const role of roles) await this.#key(role);
    this.kernel.access.openMode.end();
  }

  /** The key of the user of this role, who is made when there is none. */
  async #key(role: string): Promise<string> {
    const known = this.#keys.get(role);
    if (known !== undefined) return known;
    const { accounts, keys } = this.kernel.access;
    const account = (await accounts.findByName(role)) ?? (await accounts.add({ username: role, role }));
    const key = await keys.replace(account.id);
    this.#keys.set(role, key);
    return key;
  }

  async #link(): Promise<void> {
    for (const plugin of this.#options.plugins ?? []) {
      if (typeof plugin === "string") this.kernel.host.link(await readLinkedFolder(packageFolder(plugin)));
      else this.kernel.host.linkDefinition(plugin.manifest, plugin.plugin, plugin.keywords);
    }
  }

  /** A plugin that a test names and that does not run would make every later failure a riddle. */
  #refuseBroken(): void {
    const broken = this.kernel.host.rows().filter((row) => row.linked && row.state === "failed");
    if (broken.length > 0)
      throw new Error(broken.map((row) => `The plugin "${row.name}" is ${row.state}: ${row.reason}`).join("\n"));
  }
}

/** The folder of a built package: given as a path, or by the plugin's id. */
function packageFolder(plugin: string): string {
  if (plugin.includes("/") || plugin.startsWith(".")) return path.resolve(plugin);
  const requires = [createRequire(path.join(process.cwd(), "package.json")), createRequire(import.meta.url)];
  for (const name of [`@longbox/${plugin}`, `@longbox/example-${plugin}`]) {
    for (const require of requires) {
      try {
        return path.dirname(require.resolve(`${name}/package.json`));
      } catch {
        continue;
      }
    }
  }
  throw new Error(`There is no package of a plugin "${plugin}" to be found from ${process.cwd()}.`);
}
