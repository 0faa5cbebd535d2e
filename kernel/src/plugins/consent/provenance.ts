import { bundleFromJSON, isBundleWithDsseEnvelope, type Bundle } from "@sigstore/bundle";
import { toSignedEntity, toTrustMaterial, Verifier, type Signer } from "@sigstore/verify";
import { isLongboxError, type Logger } from "@longbox/sdk";
import { z } from "zod";
import { inject, injectable } from "../../injection.js";
import { Logs } from "../../logging/logs.js";
import { PackageRefused } from "../packages/refusals.js";
import { type PublishedVersion, RegistryClient } from "../packages/registry-client.js";
import { TrustedRoots } from "./trusted-root.js";

/** Where and by what a package was built, as the certificate of the build service says. */
export const builtFromSchema = z.object({
  repository: z.string(),
  /** The file that describes the build, with its branch or tag. */
  workflow: z.string(),
  /** The service that vouches for both. */
  issuer: z.string(),
});
export type BuiltFrom = z.output<typeof builtFromSchema>;

export interface ProvenanceCheck {
  readonly provenance: "verified" | "missing" | "not-checked";
  readonly builtFrom?: BuiltFrom;
}

const attestationsSchema = z.object({ url: z.string().max(2_000) });
const provenanceType = /^https:\/\/slsa\.dev\/provenance\//;
const statementSchema = z.object({
  predicateType: z.string().regex(provenanceType),
  subject: z.array(z.object({ name: z.string(), digest: z.record(z.string(), z.string()) })).max(100),
});
/** The extension of a certificate of Sigstore that names the repository of the source. */
const repositoryExtension = "1.3.6.1.4.1.57264.1.12";

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
    try {
      return { provenance: "verified", builtFrom: verify(bundleOf(statement.bundle), published, root) };
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

type TrustedRoot = Awaited<ReturnType<TrustedRoots["current"]>>;

function bundleOf(bundle: unknown): Bundle {
  return bundleFromJSON(z.looseObject({}).parse(bundle));
}

function verify(bundle: Bundle, published: PublishedVersion, root: TrustedRoot): BuiltFrom {
  const signer = new Verifier(toTrustMaterial(root)).verify(toSignedEntity(bundle));
  if (!isBundleWithDsseEnvelope(bundle)) throw new Error("It holds no statement.");
  const { payload } = bundle.content.dsseEnvelope;
  const { subject } = statementSchema.parse(JSON.parse(payload.toString()));
  if (!subject.some(({ name, digest }) => name === purlOf(published) && digest["sha512"] === sha512Of(published)))
    throw new Error("It is about another package.");
  return builtFrom(signer);
}

/** `pkg:npm/%40scope/name@1.0.0` */
const purlOf = ({ name, version }: PublishedVersion) => `pkg:npm/${name.replace(/^@/, "%40")}@${version}`;

/** The SHA-512 that the registry states of the bytes, in hexadecimal. */
function sha512Of({ dist: { integrity = "" } }: PublishedVersion): string {
  const sha512 = integrity.split(/\s+/).find((each) => each.startsWith("sha512-")) ?? "";
  return Buffer.from(sha512.slice("sha512-".length), "base64").toString("hex");
}

/** A person can get a certificate as well; only that of a build service names a repository. */
function builtFrom({ identity }: Signer): BuiltFrom {
  const repository = identity?.oids?.find(({ oid }) => oid?.id.join(".") === repositoryExtension)?.value;
  const workflow = identity?.subjectAlternativeName;
  const issuer = identity?.extensions?.issuer;
  if (repository === undefined || workflow === undefined || issuer === undefined)
    throw new Error("It is not signed by a build service.");
  return { repository: textOf(repository), workflow, issuer };
}

/** The text of a UTF8String in DER, whose length takes one byte or more. */
function textOf(der: Buffer): string {
  const first = der[1] ?? 0;
  return der.subarray(first < 0x80 ? 2 : 2 + (first & 0x7f)).toString("utf8");
}
