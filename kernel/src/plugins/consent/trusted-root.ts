import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import type { Logger } from "@longbox/sdk";
import type { TrustedRoot } from "@sigstore/protobuf-specs";
import { z } from "zod";
import { inject, injectable } from "../../injection.js";
import { DataFolder, RegistryUrl, TrustedRootFile } from "../../kernel-tokens.js";
import { Logs } from "../../logging/logs.js";

const mirror = "https://tuf-repo-cdn.sigstore.dev";
/** The registry whose packages are built with the public Sigstore; no other one makes the server ask Sigstore. */
const publicRegistry = "registry.npmjs.org";
const renewAfterMs = 24 * 60 * 60 * 1000;
const mirrorTimeoutMs = 5_000;

const seedsSchema = z.record(z.string(), z.object({ targets: z.record(z.string(), z.string()) }));

/**
 * The certificate authorities and logs that statements on the origin of packages are verified with: of an own Sigstore
 * where the operator names a file, or else of the public one. The copy that comes with the server is enough to verify
 * offline; it is renewed only where the server uses the public registry anyway.
 */
@injectable()
export class TrustedRoots {
  readonly #log: Logger;
  #current: Promise<TrustedRoot> | undefined;
  #readAt = 0;

  constructor(
    @inject(RegistryUrl) private readonly registry: string,
    @inject(TrustedRootFile) private readonly file: string,
    @inject(DataFolder) private readonly dataFolder: string,
    @inject(Logs) logs: Logs,
  ) {
    this.#log = logs.logger("plugins");
  }

  /** @throws {Error} when the file that the operator names cannot be read */
  current(): Promise<TrustedRoot> {
    if (this.#current === undefined || Date.now() - this.#readAt > renewAfterMs) {
      this.#readAt = Date.now();
      this.#current = this.#read();
      // One that cannot be read now may be readable at the next request.
      this.#current.catch(() => (this.#current = undefined));
    }
    return this.#current;
  }

  async #read(): Promise<TrustedRoot> {
    if (this.file !== "") return trustedRoot(await readFile(this.file, "utf8"));
    if (new URL(this.registry).hostname !== publicRegistry) return shippedRoot();
    try {
      const { getTrustedRoot } = await import("@sigstore/tuf");
      const cachePath = path.join(this.dataFolder, "plugins", "sigstore");
      return await getTrustedRoot({ cachePath, mirrorURL: mirror, timeout: mirrorTimeoutMs, retry: 0 });
    } catch (failure) {
      this.#log.warn("The keys of Sigstore cannot be renewed; those that came with the server are used.", {
        failure: String(failure),
      });
      return shippedRoot();
    }
  }
}

/** The trusted root that the package `@sigstore/tuf` brings along. */
async function shippedRoot(): Promise<TrustedRoot> {
  const file = createRequire(import.meta.url).resolve("@sigstore/tuf/seeds.json");
  const seeds = seedsSchema.parse(JSON.parse(await readFile(file, "utf8")));
  const root = seeds[mirror]?.targets["trusted_root.json"];
  if (root === undefined) throw new Error(`${file} holds no trusted root of ${mirror}.`);
  return trustedRoot(Buffer.from(root, "base64").toString());
}

async function trustedRoot(json: string): Promise<TrustedRoot> {
  const { TrustedRoot } = await import("@sigstore/protobuf-specs");
  return TrustedRoot.fromJSON(JSON.parse(json));
}
