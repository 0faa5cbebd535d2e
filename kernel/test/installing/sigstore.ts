import { generateKeyPairSync, createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { writeFile } from "node:fs/promises";
import { bundleToJSON } from "@sigstore/bundle";
import { fulcioHandler, initializeCA, initializeCTLog, initializeTLog, rekorHandler } from "@sigstore/mock";
import { HashAlgorithm, PublicKeyDetails, TrustedRoot } from "@sigstore/protobuf-specs";
import { DSSEBundleBuilder, FulcioSigner, RekorWitness } from "@sigstore/sign";

type Handler = ReturnType<typeof fulcioHandler>;

/** What a token of a build service says; without a repository, it is a person's. */
const claimsOf = (repository: string | undefined) => ({
  iss: "https://token.builds.example",
  sub:
    repository === undefined
      ? "mallory@example.org"
      : `https://builds.example/${repository}/release.yml@refs/heads/main`,
  aud: "sigstore",
  ...(repository !== undefined && { repository }),
});

/** A Sigstore of its own: a certificate authority, a log of certificates and a log of signatures, on loopback. */
export class OwnSigstore implements AsyncDisposable {
  readonly #server: Server;
  readonly #url: string;
  readonly #root: TrustedRoot;

  private constructor(server: Server, root: TrustedRoot) {
    this.#server = server;
    this.#url = urlOf(server);
    this.#root = root;
  }

  static async open(): Promise<OwnSigstore> {
    const handlers: Handler[] = [];
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const handler = handlers.find(({ path }) => path === request.url);
        if (!handler) return void response.writeHead(404).end();
        void handler.fn(Buffer.concat(chunks).toString()).then(({ statusCode, response: body, contentType }) => {
          response.writeHead(statusCode, { "content-type": contentType ?? "text/plain" }).end(body);
        });
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const pair = () => generateKeyPairSync("ec", { namedCurve: "P-256" });
    const certificates = await initializeCTLog(pair());
    const authority = await initializeCA(pair(), certificates);
    const signatures = await initializeTLog(urlOf(server), pair());
    handlers.push(fulcioHandler(authority), rekorHandler(signatures));
    return new OwnSigstore(
      server,
      trustedRoot(authority.rootCertificate, {
        baseUrl: urlOf(server),
        certificates: certificates.publicKey,
        signatures: signatures.publicKey,
      }),
    );
  }

  /** Writes what a server needs to trust it. */
  async writeTrustedRoot(file: string): Promise<void> {
    await writeFile(file, JSON.stringify(TrustedRoot.toJSON(this.#root)));
  }

  /**
   * A signed statement, as a registry keeps it.
   * @param repository - The source of the build; without one, a person signs
   */
  async attest(statement: object, repository: string | undefined): Promise<unknown> {
    const token = ["{}", JSON.stringify(claimsOf(repository)), ""].map((part) =>
      Buffer.from(part).toString("base64url"),
    );
    const signer = new FulcioSigner({
      fulcioBaseURL: this.#url,
      identityProvider: { getToken: async () => token.join(".") },
    });
    const witnesses = [new RekorWitness({ rekorBaseURL: this.#url, entryType: "intoto" })];
    const bundle = await new DSSEBundleBuilder({ signer, witnesses }).create({
      data: Buffer.from(JSON.stringify(statement)),
      type: "application/vnd.in-toto+json",
    });
    return bundleToJSON(bundle);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** The address of the logs, which their signed notes name, and their keys. */
interface Logs {
  readonly baseUrl: string;
  readonly certificates: Buffer;
  readonly signatures: Buffer;
}

function trustedRoot(certificate: ArrayBufferView, { baseUrl, certificates, signatures }: Logs): TrustedRoot {
  const validFor = { start: new Date(Date.now() - 60_000) };
  const log = (publicKey: Buffer) => ({
    baseUrl,
    hashAlgorithm: HashAlgorithm.SHA2_256,
    publicKey: { rawBytes: publicKey, keyDetails: PublicKeyDetails.PKIX_ECDSA_P256_SHA_256, validFor },
    logId: { keyId: createHash("sha256").update(publicKey).digest() },
    checkpointKeyId: undefined,
    operator: "",
  });
  const authority = {
    subject: { organization: "test", commonName: "test" },
    uri: "",
    certChain: {
      certificates: [{ rawBytes: Buffer.from(certificate.buffer, certificate.byteOffset, certificate.byteLength) }],
    },
    validFor,
    operator: "",
  };
  return {
    mediaType: "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
    certificateAuthorities: [authority],
    timestampAuthorities: [],
    tlogs: [log(signatures)],
    ctlogs: [log(certificates)],
  };
}
