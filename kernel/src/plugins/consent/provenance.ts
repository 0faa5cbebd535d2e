import { isLongboxError, type Logger } from "@longbox/sdk";
import { z } from "zod";
import { inject, injectable } from "../../injection.js";
import { Logs } from "../../logging/logs.js";
import { PackageRefused } from "../packages/refusals.js";
import { type PublishedVersion, RegistryClient } from "../packages/registry-client.js";
import { provenanceType, type BuiltFrom } from "./built-from.js";
import { TrustedRoots } from "./trusted-root.js";

export interface ProvenanceCheck {
  readonly provenance: "verified" | "missing" | "not-checked";
  readonly builtFrom?: BuiltFrom;
}

const attestationsSchema = z.object({ url: z.string().max(2_000) });

/** Verifies the statements on the origin of packages that a registry keeps. */
@injectable()
export class Provenance {
  readonly #log: Logger;

  constructor(
    @inject(RegistryClient) private readonly registry: RegistryClient,
    @inject(TrustedRoots) private readonly roots: TrustedRoots,
    @inject(Logs) logs: Logs,
  ) {
    this.#log = logs.logger("plugins");
  }

  /** @throws {PackageRefused} `kernel/provenance-invalid` when the statement is false, or about another package */
  async check(published: PublishedVersion): Promise<ProvenanceCheck> {
    const { attestations } = published.dist;
    if (attestations === undefined) return { provenance: "missing" };
    const found = await this.#fetch(attestations);
    if (found === undefined) return { provenance: "not-checked" };
    const statement = found.find(({ predicateType }) => provenanceType.test(predicateType));
    if (statement === undefined) return { provenance: "missing" };
    const root = await this.roots.current();
    // Few servers ever verify one; the libraries for it are a sixth of the modules of a server.
    const { verifyStatement } = await import("./statement.js");
    try {
      return { provenance: "verified", builtFrom: verifyStatement(statement.bundle, published, root) };
    } catch (cause) {
      throw new PackageRefused(
        "kernel/provenance-invalid",
        `The statement on the origin of "${published.name}" ${published.version} is not valid: ${String(cause)}`,
        { cause },
      );
    }
  }

  /** A statement that cannot be had is none that is false: it counts as not checked. */
  async #fetch(attestations: unknown) {
    try {
      return await this.registry.attestations(attestationsSchema.parse(attestations).url);
    } catch (failure) {
      if (isLongboxError(failure) && failure.code === "kernel/registry-unreachable") throw failure;
      this.#log.warn("A statement on the origin of a package cannot be read.", { failure: String(failure) });
      return undefined;
    }
  }
}
