import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Kysely } from "kysely";
import type { Contract } from "@longbox/sdk";
import type { TestClient, TestClock, TestHost, TestHostOptions, TestStorage, TestUser } from "@longbox/sdk/testing";
import { Kernel } from "./kernel.js";
import type { KernelOptions } from "./kernel-options.js";
import { ServerLog } from "./logging/server-log.js";
import type { StorageKind } from "./storage/index.js";
import { checkAgainstSchema, FaultStacks } from "./testing/answer-checks.js";
import { JumpingClock } from "./testing/jumping-clock.js";
import { listenForDomains } from "./testing/domain-listener.js";
import { readNamedPlugin } from "./testing/plugin-folders.js";
import { useTables } from "./testing/plugin-tables.js";
import { TestUsers } from "./testing/test-users.js";
import { UnreadFailures } from "./testing/unread-failures.js";

export { UnreadFailures };

/** What tests of the kernel itself may set besides. */
export interface KernelTestHostOptions extends TestHostOptions {
  registry?: string;
  kernel?: Partial<
    Pick<
      KernelOptions,
      "plugins" | "registryTokenFile" | "trustedRootFile" | "setupToken" | "trustProxy" | "basePath" | "defaultPlugins"
    >
  >;
}

export interface KernelTestHost extends TestHost {
  /** The kernel of the present run. */
  readonly kernel: Kernel;
}

/** Nothing answers here: tests that need a registry bring one. */
const noRegistry = "http://127.0.0.1:9/";
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
  readonly #users: TestUsers;
  readonly #failures = new UnreadFailures();
  readonly #stacks = new FaultStacks();
  readonly #clock: JumpingClock | undefined;
  #kernel: Kernel | undefined;
  #url = "";

  constructor(options: KernelTestHostOptions, dataFolder: string, removeData: boolean) {
    this.#options = options;
    this.dataFolder = dataFolder;
    this.#removeData = removeData;
    this.#clock = options.clock === true ? new JumpingClock() : undefined;
    this.#users = new TestUsers(() => this.kernel.access, {
      base: () => this.#url,
      allowUnknownFields: options.allowUnknownFields ?? false,
      failures: this.#failures,
      check: (answered) => {
        this.#stacks.tell(answered);
        if (options.allowOtherAnswers !== true) checkAgainstSchema(this.kernel.routes, answered);
      },
    });
  }

  get kernel(): Kernel {
    if (!this.#kernel) throw new Error("The test host is stopped.");
    return this.#kernel;
  }

  get url(): string {
    return this.#url;
  }

  get clock(): TestClock {
    if (!this.#clock) throw new Error("Start the test host with the option clock: true.");
    return this.#clock;
  }

  async start(): Promise<void> {
    const { settings } = this.#options;
    const log = new ServerLog({ level: process.env["LONGBOX_TEST_LOG"] === undefined ? "silent" : "debug" });
    log.ring.onLine((line) => this.#stacks.hear(line));
    this.#kernel = await Kernel.open(this.#kernelOptions(), log);
    if (settings) await this.kernel.stores.settings.preset(settings);
    if (this.#options.kernel?.setupToken === undefined) await this.#users.open();
    await this.#link();
    this.#url = await this.kernel.listen();
    await this.kernel.startPlugins();
    this.#refuseBroken();
  }

  as(role: string): TestClient {
    return this.#users.as(role);
  }

  user(username: string, role = "viewer"): Promise<TestUser> {
    return this.#users.add(username, role);
  }

  role(name: string, permissions: readonly string[]): Promise<void> {
    return this.kernel.access.roles.add({ name, label: name, permissions });
  }

  use<T extends object>(token: Contract<T>): T {
    return this.kernel.host.capabilities.standIn(token.id, "*").use as T;
  }

  async domains(role: string): Promise<Awaited<ReturnType<TestHost["domains"]>>> {
    return listenForDomains(this.#url, role === "anonymous" ? undefined : await this.#users.keyOf(role));
  }

  tables<Answer>(plugin: string, use: (database: Kysely<any>) => Promise<Answer>): Promise<Answer> {
    const stopped = { folder: this.dataFolder, storage: this.#kernelOptions().storage };
    return useTables(this.#kernel?.stores.storing ?? stopped, plugin, use);
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
    this.#clock?.release();
    // A schedule may just have begun to write there, a backup for example: a process would have ended with it.
    if (this.#removeData) await rm(this.dataFolder, { recursive: true, force: true, maxRetries: 8 });
    this.#failures.check();
  }

  #kernelOptions(): KernelOptions {
    const { registry = noRegistry, kernel: tuning } = this.#options;
    const isolated = [...(this.#options.isolated ?? []), ...isolatedEverywhere()];
    const storage = storageOf(this.#options.storage);
    // Packages that a test has made are its own, unless it says that they are strangers.
    const isolation = { isolatesGuests: false, ...tuning?.plugins?.isolation, isolated };
    const limits = { patienceMs, ...tuning?.plugins?.limits };
    return {
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
      ...tuning,
      plugins: { ...tuning?.plugins, isolation, limits },
    };
  }

  async #link(): Promise<void> {
    for (const plugin of this.#options.plugins ?? []) {
      if (typeof plugin === "string") this.kernel.host.link(await readNamedPlugin(plugin));
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

/** Plugins that all tests are to run isolated, so that the same tests can be run on both tiers. */
const isolatedEverywhere = () => process.env["LONGBOX_TEST_ISOLATED"]?.split(",") ?? [];

const storages: readonly TestStorage[] = ["memory", "sqlite"];

function storageOf(named: KernelTestHostOptions["storage"]): StorageKind {
  const server = process.env["LONGBOX_TEST_DATABASE"];
  if (typeof named === "object") return named;
  return server?.startsWith("postgres://") ? { postgres: server } : (named ?? chosenStorage());
}

/** The engine for all tests that name none, so that the same tests can be run on each. */
function chosenStorage(): TestStorage | { readonly postgres: string } {
  const named = process.env["LONGBOX_TEST_STORAGE"] ?? "memory";
  if (named.startsWith("postgres://")) return { postgres: named };
  const known = storages.find((storage) => storage === named);
  if (known === undefined)
    throw new Error(
      `LONGBOX_TEST_STORAGE is "${named}"; it can be ${storages.join(" or ")}, or an address that begins with postgres://.`,
    );
  return known;
}
