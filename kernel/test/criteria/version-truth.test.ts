// Criterion 5: what runs, what is reported and what is served are always one version.
import { seededRandom, type SeededRandom } from "@longbox/test/fixtures";
import { chooseSeed } from "@longbox/test/killing";
import { runsLongTests } from "@longbox/test/needs";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { expect, it } from "vitest";
import { TarballRegistry } from "../plugins/authoring/tarball-registry.js";
import type { TinyPlugin } from "../plugins/support.js";

const sequences = runsLongTests ? 50 : 3;
const stepsEach = 6;
const seed = chooseSeed();
/** The files of which only one changes from one package to the next; the entry is the same in all. */
const leaves = ["module", "common", "json", "client"] as const;
type Leaf = (typeof leaves)[number];
type Words = Record<Leaf, string>;

/** A package in which every word stands in a file of its own, none of them next to the entry. */
const leafy = (version: string, words: Words): TinyPlugin => ({
  id: "leafy",
  version,
  head: `import { words } from "./lib/middle.js";`,
  manifest: { client: { js: "client/leafy.js" } },
  activate: `context.routes([defineRoute({ method: "GET", path: "/api/leafy", summary: "what runs", handle: () => ({ ...words, version: context.plugin.version }) })]);`,
  files: {
    "lib/middle.js": `import { createRequire } from "node:module"; import { word } from "./deep/leaf.js"; import data from "./deep/leaf.json" with { type: "json" };
      const { common } = createRequire(import.meta.url)("./deep/leaf.cjs"); export const words = { module: word, common, json: data.word };`,
    "lib/deep/leaf.js": `export const word = "${words.module}";`,
    "lib/deep/leaf.cjs": `exports.common = "${words.common}";`,
    "lib/deep/leaf.json": JSON.stringify({ word: words.json }),
    "client/leafy.js": `import "./part.js";`,
    "client/part.js": `export const word = "${words.client}";`,
  },
});

interface Published {
  readonly version: string;
  readonly words: Words;
}

/** What is installed, as the operations say that led there. */
class Sequence {
  current: Published | undefined;
  #previous: Published | undefined;
  #count = 0;
  #words: Words = { module: "m", common: "c", json: "j", client: "u" };
  readonly #addresses = new Map<string, string>();
  readonly #random: SeededRandom;
  readonly #host: KernelTestHost;
  readonly #registry: TarballRegistry;

  constructor(of: { random: SeededRandom; host: KernelTestHost; registry: TarballRegistry }) {
    this.#random = of.random;
    this.#host = of.host;
    this.#registry = of.registry;
  }

  /** Another package, in which one file differs from all packages before. */
  #next(version: string): Published {
    const leaf = leaves[Math.floor(this.#random.next() * leaves.length)]!;
    this.#words = { ...this.#words, [leaf]: `${leaf} ${(this.#count += 1)} ${this.#random.next()}` };
    const published = { version, words: this.#words };
    this.#registry.offer(leafy(version, published.words));
    return published;
  }

  async #install(published: Published): Promise<void> {
    const body = { name: "@longbox-test/leafy", version: published.version, accept: true };
    const answer = await this.#host.as("admin").post("/api/plugins/install", body);
    expect(answer).toMatchObject({ status: 200, body: { version: published.version, state: "active" } });
    this.current = published;
  }

  async upgrade(): Promise<void> {
    const before = this.current;
    await this.#install(this.#next(`1.${(this.#count += 1)}.0`));
    this.#previous = before;
  }

  async rollBack(): Promise<void> {
    if (!this.#previous) return this.upgrade();
    expect((await this.#host.as("admin").post("/api/plugins/leafy/rollback")).status).toBe(200);
    [this.current, this.#previous] = [this.#previous, this.current];
  }

  async removeAndInstall(): Promise<void> {
    const present = this.current!;
    await this.#remove({ purge: false });
    this.#registry.offer(leafy(present.version, present.words));
    await this.#install(present);
  }

  /** Other bytes for a version are refused as long as anything of it is known, and taken afterwards. */
  async changeBytes(): Promise<void> {
    const changed = this.#next(this.current!.version);
    const body = { name: "@longbox-test/leafy", version: changed.version, accept: true };
    expect(await this.#host.as("admin").post("/api/plugins/install", body)).toMatchObject({
      status: 409,
      body: { code: "kernel/integrity-changed" },
    });
    await this.expectOneTruth();
    await this.#remove({ purge: true });
    await this.#install(changed);
  }

  async #remove({ purge }: { purge: boolean }): Promise<void> {
    const answer = await this.#host.as("admin").post("/api/plugins/uninstall", { name: "leafy", purge });
    expect(answer.status).toBe(200);
    [this.current, this.#previous] = [undefined, undefined];
  }

  async start(): Promise<void> {
    await this.#install(this.#next("1.0.0"));
  }

  async end(): Promise<void> {
    await this.#remove({ purge: true });
  }

  async expectOneTruth(): Promise<void> {
    const admin = this.#host.as("admin");
    const { client, ...ran } = this.current!.words;
    const { version } = this.current!;
    expect((await admin.get("/api/leafy")).body).toEqual({ ...ran, version });
    expect((await admin.get("/api/plugins/leafy")).body).toMatchObject({ version, state: "active" });
    const [part] = (await admin.get("/api/plugins/client")).body;
    expect(part.version).toBe(version);
    expect((await admin.get(part.js.replace("leafy.js", "part.js"))).body).toContain(client);
    // What a browser may keep for ever under an address is the same for ever.
    const known = this.#addresses.get(part.js) ?? client;
    expect(known).toBe(client);
    this.#addresses.set(part.js, client);
  }
}

it(
  `criterion 5: ${sequences} random sequences of operations always run, report and serve one and the same version`,
  { timeout: 600_000, meta: { seed } },
  async () => {
    const random = seededRandom(seed);
    await using registry = await TarballRegistry.open();
    await using host = await startKernelTestHost({ storage: "sqlite", registry: registry.url });
    for (let n = 0; n < sequences; n += 1) {
      const sequence = new Sequence({ random, host, registry });
      await sequence.start();
      await sequence.expectOneTruth();
      const operations = [
        () => sequence.upgrade(),
        () => sequence.rollBack(),
        () => sequence.removeAndInstall(),
        () => sequence.changeBytes(),
      ];
      for (let step = 0; step < stepsEach; step += 1) {
        await operations[Math.floor(random.next() * operations.length)]!();
        await sequence.expectOneTruth();
      }
      await sequence.end();
    }
  },
);
