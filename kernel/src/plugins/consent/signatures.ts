import { createPublicKey, verify } from "node:crypto";
import { isLongboxError } from "@longbox/sdk";
import { z } from "zod";
import { inject, injectable } from "../../injection.js";
import { PackageRefused } from "../packages/refusals.js";
import { type PublishedVersion, RegistryClient, type RegistryKey } from "../packages/registry-client.js";
import { builtFromSchema } from "./built-from.js";
import { Provenance } from "./provenance.js";

/** What was checked of a package, and with which result. */
export const checksSchema = z
  .object({
    /** The bytes are those whose SHA-512 the registry states. */
    integrity: z.literal("verified"),
    /**
     * `missing`: the registry signs packages, but not this one. `unsupported`: the registry has no keys and signs none.
     * `not-checked`: there is a signature, but no key of the registry for it.
     */
    signature: z.enum(["verified", "missing", "unsupported", "not-checked"]),
    /**
     * `verified`: the statement on its origin is signed by a build service. `missing`: there is none. `not-checked`:
     * there is one that the registry does not hand out.
     */
    provenance: z.enum(["verified", "missing", "not-checked"]),
    /** Of a verified provenance. */
    builtFrom: builtFromSchema.optional(),
  })
  .meta({ id: "PackageChecks" });
export type PackageChecks = z.output<typeof checksSchema>;

/** A version as the registry describes it. */
export interface Offered {
  readonly published: PublishedVersion;
  /** When the registry says that it was published. */
  readonly publishedAt: string | undefined;
}

/** Checks the registry's signatures of packages with the keys that it publishes, and statements on their origin. */
@injectable()
export class Signatures {
  constructor(
    @inject(RegistryClient) private readonly registry: RegistryClient,
    @inject(Provenance) private readonly provenance: Provenance,
  ) {}

  /**
   * @throws {PackageRefused} `kernel/signature-invalid` when a signature belongs to other bytes or to an expired key,
   *   `kernel/provenance-invalid`
   */
  async check(offered: Offered): Promise<PackageChecks> {
    const signature = await this.#checkSignatures(offered);
    return { integrity: "verified", signature, ...(await this.provenance.check(offered.published)) };
  }

  async #checkSignatures({ published, publishedAt }: Offered): Promise<PackageChecks["signature"]> {
    const { signatures = [], integrity } = published.dist;
    const keys = await this.#keys();
    if (signatures.length === 0) return keys.length === 0 ? "unsupported" : "missing";
    const message = `${nameOf(published)}:${integrity}`;
    const known = signatures.flatMap(({ keyid, sig }) =>
      keys.filter((key) => key.keyid === keyid).map((key) => ({ key, sig })),
    );
    for (const { key, sig } of known) {
      if (hasExpired(key, publishedAt)) throw invalid(published, "was made with a key that had expired");
      if (!isSignedBy(key, message, sig)) throw invalid(published, "belongs to another package");
    }
    return known.length > 0 ? "verified" : "not-checked";
  }

  /** A registry that publishes no keys, or none that can be read, has none. */
  async #keys(): Promise<readonly RegistryKey[]> {
    try {
      return await this.registry.keys();
    } catch (failure) {
      if (isLongboxError(failure) && failure.code !== "kernel/registry-unreachable") return [];
      throw failure;
    }
  }
}

function invalid({ name, version }: PublishedVersion, why: string): PackageRefused {
  return new PackageRefused("kernel/signature-invalid", `The registry's signature of "${name}" ${version} ${why}.`);
}

/** Of a version whose time is not known, an expired key may have been used too late. */
function hasExpired({ expires }: RegistryKey, publishedAt: string | undefined): boolean {
  if (expires === undefined || expires === null) return false;
  return publishedAt === undefined || !(Date.parse(publishedAt) < Date.parse(expires));
}

const nameOf = ({ name, version }: PublishedVersion) => `${name}@${version}`;

function isSignedBy({ key }: RegistryKey, message: string, signature: string): boolean {
  try {
    const publicKey = createPublicKey({ key: Buffer.from(key, "base64"), format: "der", type: "spki" });
    return verify("sha256", Buffer.from(message), publicKey, Buffer.from(signature, "base64"));
  } catch {
    // A key or a signature that cannot be parsed verifies nothing.
    return false;
  }
}
