import { generateKeyPairSync, sign } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder, type TinyPlugin } from "../plugins/support.js";
import { entriesOf, integrityOf, tarball } from "../plugins/tarballs.js";
import { OwnSigstore } from "./sigstore.js";

const guest: TinyPlugin = { id: "guest", package: "@stranger/guest" };
const slsa = "https://slsa.dev/provenance/v1";

interface Offer {
  readonly version?: string;
  readonly keys?: "none" | "other" | "expired";
  readonly isSigned?: boolean;
  /** Changes the subject of the statement. */
  readonly about?: { readonly name?: string; readonly sha512?: string };
  readonly repository?: string | undefined;
  readonly hasStatement?: boolean;
  /** Where the statement can be had; by default from the registry. */
  readonly at?: string;
  /** Changes the statement after it was signed. */
  readonly tamper?: (bundle: any) => void;
}

/** A registry that answers as npm's does: keys, signatures and attestations. */
class AttestingRegistry {
  url = "";
  readonly #pair = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  readonly #answers = new Map<string, unknown>();
  #bytes: Buffer = Buffer.alloc(0);
  readonly #server = createServer(({ url = "" }, response) => {
    if (url.endsWith(".tgz")) return void response.end(this.#bytes);
    const answer = this.#answers.get(decodeURIComponent(url));
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? {}));
  });

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async offer(sigstore: OwnSigstore, offer: Offer): Promise<void> {
    const { version = "1.0.0", keys, isSigned = false, hasStatement = false } = offer;
    const name = guest.package!;
    this.#bytes = tarball(entriesOf({ ...guest, version }));
    const integrity = integrityOf(this.#bytes);
    this.#answers.clear();
    this.#offerKeys(keys);
    const text = `${name}@${version}:${integrity}`;
    const signature = {
      keyid: "one",
      sig: sign("sha256", Buffer.from(text), this.#pair.privateKey).toString("base64"),
    };
    const place = `/-/npm/v1/attestations/${name}@${version}`;
    if (hasStatement) this.#answers.set(place, await this.#attestations(sigstore, { ...offer, version }, integrity));
    const dist = {
      tarball: `${this.url}/guest-${version}.tgz`,
      integrity,
      ...(isSigned && { signatures: [signature] }),
      ...(hasStatement && { attestations: { url: offer.at ?? this.url + place, provenance: { predicateType: slsa } } }),
    };
    this.#answers.set(`/${name}`, {
      name,
      "dist-tags": { latest: version },
      versions: { [version]: { name, version, dist } },
      time: { [version]: "2026-06-01T00:00:00.000Z" },
    });
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #offerKeys(keys: Offer["keys"]): void {
    if (keys === "none") return;
    const key = this.#pair.publicKey.export({ format: "der", type: "spki" }).toString("base64");
    const expires = keys === "expired" ? "2026-05-01T00:00:00.000Z" : null;
    this.#answers.set("/-/npm/v1/keys", { keys: [{ keyid: keys === "other" ? "two" : "one", key, expires }] });
  }

  async #attestations(sigstore: OwnSigstore, offer: Offer & { version: string }, integrity: string) {
    const sha512 = Buffer.from(integrity.slice("sha512-".length), "base64").toString("hex");
    const { name = `pkg:npm/%40stranger/guest@${offer.version}`, ...digest } = offer.about ?? {};
    const statement = {
      _type: "https://in-toto.io/Statement/v1",
      subject: [{ name, digest: { sha512, ...digest } }],
      predicateType: slsa,
      predicate: {},
    };
    const repository = "repository" in offer ? offer.repository : "stranger/guest";
    const bundle = await sigstore.attest(statement, repository);
    offer.tamper?.(bundle);
    return { attestations: [{ predicateType: slsa, bundle }] };
  }
}

describe("a registry with keys and statements on the origin of packages", () => {
  const registry = new AttestingRegistry();
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let sigstore: OwnSigstore;
  let host: KernelTestHost;
  beforeAll(async () => {
    [folder, sigstore] = await Promise.all([temporaryFolder(), OwnSigstore.open(), registry.open()]);
    const trustedRootFile = path.join(folder.path, "trusted_root.json");
    await sigstore.writeTrustedRoot(trustedRootFile);
    host = await startKernelTestHost({ registry: registry.url, kernel: { trustedRootFile } });
  });
  afterAll(async () => {
    await host[Symbol.asyncDispose]();
    await sigstore[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
    registry.close();
  });
  beforeEach(() =>
    host.as("admin").post("/api/settings", { server: { pluginSignatures: false, pluginProvenance: false } }),
  );

  const ask = (where: "introduce" | "install", more = {}) =>
    host.as("admin").post(`/api/plugins/${where}`, { name: guest.package, ...more });

  it.each([
    ["neither keys nor statements", { keys: "none" }, { signature: "unsupported", provenance: "missing" }],
    ["keys, but no signature of this package", {}, { signature: "missing", provenance: "missing" }],
    ["a signature by a key that it does not publish", { keys: "other", isSigned: true }, { signature: "not-checked" }],
    ["a signature", { isSigned: true }, { signature: "verified" }],
    [
      "a statement",
      { hasStatement: true },
      {
        provenance: "verified",
        builtFrom: {
          repository: "https://github.com/stranger/guest",
          workflow: "https://builds.example/stranger/guest/release.yml@refs/heads/main",
          issuer: "https://token.builds.example",
        },
      },
    ],
    [
      "a statement that another host keeps",
      { hasStatement: true, at: "http://127.0.0.1:9/statement" },
      { provenance: "not-checked" },
    ],
  ] as [string, Offer, object][])("that has %s is shown as what it is", async (_, offer, checks) => {
    await registry.offer(sigstore, offer);
    expect((await ask("introduce")).body.checks).toMatchObject({ integrity: "verified", ...checks });
  });

  it.each([
    ["a signature of an expired key", { keys: "expired", isSigned: true }, "kernel/signature-invalid", "had expired"],
    [
      "a statement about another package",
      { about: { name: "pkg:npm/other@1.0.0" } },
      "kernel/provenance-invalid",
      "another package",
    ],
    ["a statement about other bytes", { about: { sha512: "00" } }, "kernel/provenance-invalid", "another package"],
    ["a statement that a person signed", { repository: undefined }, "kernel/provenance-invalid", "build service"],
    [
      "a statement that was changed after it was signed",
      { tamper: (bundle) => (bundle.dsseEnvelope.payload = Buffer.from("{}").toString("base64")) },
      "kernel/provenance-invalid",
      "VerificationError",
    ],
    [
      "a statement that is in no log",
      { tamper: (bundle) => (bundle.verificationMaterial.tlogEntries = []) },
      "kernel/provenance-invalid",
      "is not valid",
    ],
  ] as [string, Offer, string, string][])("is refused with %s", async (_, offer, code, reason) => {
    await registry.offer(sigstore, { hasStatement: offer.keys === undefined, ...offer });
    expect(await ask("install", { accept: true })).toMatchObject({
      status: 502,
      body: { code, error: expect.stringContaining(reason) as string },
    });
  });

  it("is refused with a statement that another Sigstore vouches for", async () => {
    await using other = await OwnSigstore.open();
    await registry.offer(other, { hasStatement: true });
    expect(await ask("install", { accept: true })).toMatchObject({ body: { code: "kernel/provenance-invalid" } });
    // Without a file, a server trusts the public Sigstore, whose keys it brings along and does not ask for.
    await using offline = await startKernelTestHost({ registry: registry.url });
    await registry.offer(sigstore, { hasStatement: true });
    expect(await offline.as("admin").post("/api/plugins/introduce", { name: guest.package })).toMatchObject({
      body: { code: "kernel/provenance-invalid" },
    });
  });

  it("may be required by an administrator to prove the origin, and cannot change or lose it silently", async () => {
    await host.as("admin").post("/api/settings", { server: { pluginProvenance: true } });
    await registry.offer(sigstore, {});
    expect(await ask("install", { accept: true })).toMatchObject({
      status: 409,
      body: { code: "kernel/provenance-required", details: { provenance: "missing" } },
    });
    await registry.offer(sigstore, { hasStatement: true });
    expect(await ask("install", { accept: true })).toMatchObject({ status: 200, body: { version: "1.0.0" } });
    await host.as("admin").post("/api/settings", { server: { pluginProvenance: false } });
    await registry.offer(sigstore, { version: "1.1.0", hasStatement: true });
    expect(await ask("install")).toMatchObject({ status: 200, body: { version: "1.1.0" } });
    const before = "https://github.com/stranger/guest";
    for (const [offer, name] of [
      [{ version: "1.2.0" }, ""],
      [{ version: "1.3.0", hasStatement: true, repository: "mallory/guest" }, "https://github.com/mallory/guest"],
    ] as [Offer, string][]) {
      await registry.offer(sigstore, offer);
      const answer = await ask("install");
      expect(answer).toMatchObject({ status: 409, body: { code: "kernel/needs-consent" } });
      expect(answer.body.details.asks).toMatchObject([{ kind: "built-from", name, detail: before }]);
    }
    expect(await ask("install", { accept: true })).toMatchObject({ status: 200, body: { version: "1.3.0" } });
  });
});
