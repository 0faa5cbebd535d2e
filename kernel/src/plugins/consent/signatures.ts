import { createPublicKey, verify } from "node:crypto";
import { isLongboxError } from "@longbox/sdk";
import { z } from "zod";
import { inject, injectable } from "../../injection.js";
import { PackageRefused } from "../packages/refusals.js";
import { type PublishedVersion, RegistryClient, type RegistryKey } from "../packages/registry-client.js";

/** What was checked of a package, and with which result. */
export const checksSchema = z
  .object({
    /** The bytes are those whose SHA-512 the registry states. */
    integrity: z.literal("verified"),
    /** `missing`: the registry has not signed it. `not-checked`: there is a signature, but no key of the registry for it. */
    signature: z.enum(["verified", "missing", "not-checked"]),
    /** `not-checked`: the registry states from which source it was built; Longbox does not verify that. */
    provenance: z.enum(["missing", "not-checked"]),
  })
  .meta({ id: "PackageChecks" });
export type PackageChecks = z.output<typeof checksSchema>;

/** Checks the registry's signatures of packages with the keys that it publishes. */
@injectable()
export class Signatures {
  constructor(@inject(RegistryClient) private readonly registry: RegistryClient) {}

  /** @throws {PackageRefused} `kernel/signature-invalid` when a signature belongs to other bytes */
  async check(published: PublishedVersion): Promise<PackageChecks> {
    return {
      integrity: "verified",
      signature: await this.#checkSignatures(published),
      provenance: published.dist.attestations === undefined ? "missing" : "not-checked",
    };
  }

  async #checkSignatures(published: PublishedVersion): Promise<PackageChecks["signature"]> {
    const { signatures = [], integrity } = published.dist;
    if (signatures.length === 0) return "missing";
    const keys = await this.#keys();
    const signed = signatures.flatMap(({ keyid, sig }) =>
      keys.filter((key) => key.keyid === keyid).map((key) => isSignedBy(key, `${nameOf(published)}:${integrity}`, sig)),
    );
    if (signed.includes(false))
      throw new PackageRefused(
        "kernel/signature-invalid",
        `The registry's signature of "${published.name}" ${published.version} belongs to another package.`,
      );
    return signed.length > 0 ? "verified" : "not-checked";
  }

  /** A registry that publishes no keys, or none that can be read, has none: the signature then counts as not checked. */
  async #keys(): Promise<readonly RegistryKey[]> {
    try {
      return await this.registry.keys();
    } catch (failure) {
      if (isLongboxError(failure) && failure.code !== "kernel/registry-unreachable") return [];
      throw failure;
    }
  }
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
