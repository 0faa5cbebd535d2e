import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startKernelTestHost, type KernelTestHost, type KernelTestHostOptions } from "@longbox/kernel/testing";
import { publishFolder, startRegistry, type Registry } from "@longbox/registry";

/** A plugin written by a test. */
export interface TinyPlugin {
  readonly id: string;
  readonly version?: string;
  /** The package's name; default `@longbox-test/<id>`. */
  readonly package?: string;
  readonly manifest?: Record<string, unknown>;
  /** The body of `activate`; `capabilities` and `context` are in reach, and what `head` brings. */
  readonly activate?: string;
  /** Statements before the definition. */
  readonly head?: string;
  /** Further fields of the definition, such as `migrations: [statements("0001", ["create table …"])]`. */
  readonly fields?: string;
  /** Further files of the package. */
  readonly files?: Readonly<Record<string, string>>;
  readonly packageJson?: Record<string, unknown>;
}

export const packageOf = (plugin: TinyPlugin) => plugin.package ?? `@longbox-test/${plugin.id}`;

/** The text of the plugin's entry. */
export function entryText(plugin: TinyPlugin): string {
  return `import { definePlugin, defineRoute, reply, contract, extensionPoint, rawMigration } from "@longbox/sdk";
const statements = (name, list) => rawMigration(name, { sqlite: list, postgres: list, reason: "a test" });
${plugin.head ?? ""}
export default definePlugin({ ${plugin.fields === undefined ? "" : `${plugin.fields},`}
  async activate(capabilities, context) { ${plugin.activate ?? ""} } });
`;
}

export function packageJsonOf(plugin: TinyPlugin): Record<string, unknown> {
  return {
    name: packageOf(plugin),
    version: plugin.version ?? "1.0.0",
    description: "made by a test",
    type: "module",
    keywords: ["longbox-plugin"],
    exports: { ".": "./index.js", "./package.json": "./package.json" },
    longbox: { id: plugin.id, title: plugin.id, description: "", sdk: "^1.0.0", ...plugin.manifest },
    ...plugin.packageJson,
  };
}

export async function writePlugin(folder: string, plugin: TinyPlugin): Promise<void> {
  const files = {
    "package.json": JSON.stringify(packageJsonOf(plugin)),
    "index.js": entryText(plugin),
    ...plugin.files,
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
}

export async function temporaryFolder(): Promise<{ path: string } & AsyncDisposable> {
  const folder = await mkdtemp(path.join(tmpdir(), "longbox-kernel-"));
  return { path: folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

/** A real Verdaccio on loopback, and kernels that install from it. */
export class Bench implements AsyncDisposable {
  readonly #folder: { path: string } & AsyncDisposable;
  readonly registry: Registry;

  private constructor(folder: { path: string } & AsyncDisposable, registry: Registry) {
    this.#folder = folder;
    this.registry = registry;
  }

  static async open(): Promise<Bench> {
    const folder = await temporaryFolder();
    return new Bench(folder, await startRegistry({ folder: path.join(folder.path, "registry"), port: 0 }));
  }

  async publish(plugin: TinyPlugin): Promise<void> {
    await using folder = await temporaryFolder();
    await writePlugin(folder.path, plugin);
    await publishFolder(folder.path, this.registry);
  }

  host(options: KernelTestHostOptions = {}): Promise<KernelTestHost> {
    return startKernelTestHost({ storage: "sqlite", registry: this.registry.url, ...options });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.registry.stop();
    await this.#folder[Symbol.asyncDispose]();
  }
}

/** A route that answers with a value. */
export const answering = (route: string, value: unknown) =>
  `context.routes([defineRoute({ method: "GET", path: "${route}", summary: "answers", handle: () => (${JSON.stringify(value)}) })]);`;

/** Installs, and insists that it worked. */
export async function install(host: KernelTestHost, name: string, version?: string): Promise<Record<string, any>> {
  const answer = await host
    .as("admin")
    .post("/api/plugins/install", { name, accept: true, ...(version === undefined ? {} : { version }) });
  if (answer.status !== 200)
    throw new Error(`Installing ${name} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Waits until something holds, looking again after each turn of the event loop. */
export async function until(holds: () => boolean | Promise<boolean>, limitMs = 30_000): Promise<void> {
  const end = Date.now() + limitMs;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error("It did not come true in time.");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
