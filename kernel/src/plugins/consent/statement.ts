// How the statement on the origin of a package is verified.
import { bundleFromJSON, isBundleWithDsseEnvelope } from "@sigstore/bundle";
import type { TrustedRoot } from "@sigstore/protobuf-specs";
import { toSignedEntity, toTrustMaterial, Verifier, type Signer } from "@sigstore/verify";
import { z } from "zod";
import type { PublishedVersion } from "../packages/registry-client.js";
import { provenanceType, type BuiltFrom } from "./built-from.js";

const statementSchema = z.object({
  predicateType: z.string().regex(provenanceType),
  subject: z.array(z.object({ name: z.string(), digest: z.record(z.string(), z.string()) })).max(100),
});
/** The extension of a certificate of Sigstore that names the repository of the source. */
const repositoryExtension = "1.3.6.1.4.1.57264.1.12";

/** @returns where the package was built @throws {Error} when the statement is not valid, or about another package */
export function verifyStatement(statement: unknown, published: PublishedVersion, root: TrustedRoot): BuiltFrom {
  const bundle = bundleFromJSON(z.looseObject({}).parse(statement));
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
