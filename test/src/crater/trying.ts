import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { inBatches } from "@longbox/sdk";
import { pluginPackageSchema } from "@longbox/sdk/manifest";
import type { PublishedPackage } from "./published.js";
import type { Shelf } from "./shelf.js";

/** What became of one version. */
export interface Trial {
  readonly name: string;
  readonly version: string;
  /** What does not work, one sentence each; empty when everything does. */
  readonly problems: readonly string[];
}

const manifestOf = ({ manifest }: PublishedPackage) => pluginPackageSchema.parse(manifest).longbox;
const answerLimitMs = 20_000;
const triedAtOnce = 4;

/** Tries published versions on the kernel of this checkout. */
export class Crater {
  readonly #shelf: Shelf;
  readonly #newest: ReadonlyMap<string, PublishedPackage>;
  readonly #providers = new Map<string, string>();

  constructor(shelf: Shelf) {
    this.#shelf = shelf;
    this.#newest = new Map([...shelf.packages].map(([name, versions]) => [name, versions.at(-1)!]));
    for (const [name, newest] of this.#newest)
      for (const contract of Object.keys(manifestOf(newest).provides)) this.#providers.set(contract, name);
  }

  /** The newest versions run beside one another, as in a server with every plugin. */
  async *tryNewest(): AsyncGenerator<Trial> {
    await using host = await this.#host();
    const installed = new Set<string>();
    for (const name of this.#newest.keys()) {
      for (const needed of [...this.#needs(name), name]) {
        if (installed.has(needed)) continue;
        installed.add(needed);
        yield await this.#trial(host, this.#newest.get(needed)!);
      }
    }
  }

  /** Most of the time of an upgrade is waiting, so that some are tried at once. */
  async *tryAllOlder(): AsyncGenerator<Trial> {
    for (const some of inBatches(this.#older(), triedAtOnce))
      yield* await Promise.all(some.map((older) => this.#tryOlder(older)));
  }

  /** An older version starts on a server of its own, with what it requires, and is upgraded to the newest. */
  async #tryOlder(older: PublishedPackage): Promise<Trial> {
    const { name } = older.manifest;
    await using host = await this.#host();
    for (const needed of this.#needs(name, older)) {
      const provider = await install(host, this.#newest.get(needed)!);
      if (provider !== undefined) return trialOf(older, [`${needed}, which it requires, ${provider}`]);
    }
    const first = await this.#trial(host, older);
    if (first.problems.length > 0) return first;
    const newest = this.#newest.get(name)!;
    const upgraded = await this.#trial(host, newest);
    return trialOf(
      older,
      upgraded.problems.map((problem) => `after the upgrade to ${newest.manifest.version}: ${problem}`),
    );
  }

  /** Every version but the newest of each package. */
  #older(): PublishedPackage[] {
    return [...this.#shelf.packages.values()].flatMap((versions) => versions.slice(0, -1));
  }

  async #trial(host: KernelTestHost, published: PublishedPackage): Promise<Trial> {
    const refused = await install(host, published);
    return trialOf(published, refused === undefined ? await ask(host, manifestOf(published).id) : [refused]);
  }

  #host(): Promise<KernelTestHost> {
    return startKernelTestHost({ registry: this.#shelf.url });
  }

  /** The packages that provide what a version requires, those that need none first. */
  #needs(name: string, published = this.#newest.get(name)!, seen = new Set([name])): string[] {
    const providers = Object.keys(manifestOf(published).requires)
      .map((contract) => this.#providers.get(contract))
      .filter((provider) => provider !== undefined && !seen.has(provider)) as string[];
    for (const provider of providers) seen.add(provider);
    return providers.flatMap((provider) => [...this.#needs(provider, undefined, seen), provider]);
  }
}

const trialOf = ({ manifest }: PublishedPackage, problems: readonly string[]): Trial => ({
  name: manifest.name,
  version: manifest.version,
  problems,
});

/** @returns what is wrong, or undefined when it runs */
async function install(host: KernelTestHost, { manifest: { name, version } }: PublishedPackage) {
  const { status, body } = await host.as("admin").post("/api/plugins/install", { name, version, accept: true });
  if (status !== 200) return `is not installed (${body.code}): ${body.error}`;
  if (body.version !== version) return `is not installed: ${body.version} runs`;
  return body.state === "active" || body.state === "needs-config" ? undefined : `is ${body.state}: ${body.reason}`;
}

/** Asks every route that needs neither a parameter nor a body, and checks the answers against their schemas. */
async function ask(host: KernelTestHost, plugin: string): Promise<string[]> {
  const problems: string[] = [];
  const asked = host.kernel.routes
    .list()
    .filter(({ owner, route }) => owner.id === plugin && route.method === "GET" && !route.path.includes("{"))
    .filter(({ route }) => route.response !== undefined);
  for (const { route } of asked) {
    const answer = host.as("admin").get(route.path);
    const problem = await Promise.race([answer.then(told, (failure: Error) => failure.message), tooLate()]);
    if (problem !== undefined) problems.push(problem.startsWith("GET ") ? problem : `GET ${route.path} ${problem}`);
  }
  return problems;
}

const told = ({ status, body }: { status: number; body: { error?: string } }) =>
  status === 500 ? `answers 500: ${body.error}` : undefined;

async function tooLate(): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, answerLimitMs).unref());
  return `does not answer within ${answerLimitMs} ms`;
}
