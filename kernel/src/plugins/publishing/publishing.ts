import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { LongboxError } from "@longbox/sdk";
import { inject, injectable } from "../../injection.js";
import { RegistryTokenFile } from "../../kernel-tokens.js";
import { AuditTrail } from "../audit.js";
import type { Mistake } from "../examining/mistakes.js";
import { Preparing } from "../packages/preparing.js";
import { RegistryClient } from "../packages/registry-client.js";
import { Authors, mayPublish, type Author } from "./authors.js";

export interface Publication {
  readonly package: string;
  readonly version: string;
  readonly warnings: readonly Mistake[];
}

/**
 * Takes packages of authors, examines their files, and puts them into the server's registry. None of their code runs.
 */
@injectable()
export class Publishing {
  constructor(
    @inject(Authors) private readonly authors: Authors,
    @inject(Preparing) private readonly preparing: Preparing,
    @inject(RegistryClient) private readonly registry: RegistryClient,
    @inject(RegistryTokenFile) private readonly tokenFile: string,
    @inject(AuditTrail) private readonly audit: AuditTrail,
  ) {}

  /** @throws {LongboxError} when it is not the author's package, has a mistake, or the registry refuses it */
  async publish(author: Author, tarball: Uint8Array, tag: string): Promise<Publication> {
    const examined = await this.preparing.examineTarball(tarball, (found) => refuseForeign(author, found.package));
    const { description, warnings, plugin } = examined;
    const { name, version } = description;
    const document = documentOf({ description, tarball, tag, registry: this.registry.url });
    await this.registry.publish(name, document, await this.#token());
    await this.authors.used(author.id);
    const by = { id: -1, username: author.name };
    await this.audit.record({ action: "publish", plugin: plugin.id, version, by, reason: name });
    return { package: name, version, warnings };
  }

  async #token(): Promise<string> {
    const text = this.tokenFile === "" ? "" : await readFile(this.tokenFile, "utf8").catch(() => "");
    if (text.trim() !== "") return text.trim();
    throw new LongboxError(
      "unavailable",
      "kernel/registry-only-read",
      "This server has no token for its registry (LONGBOX_REGISTRY_TOKEN_FILE), so it cannot publish.",
    );
  }
}

function refuseForeign({ name, packages }: Author, wanted: string): void {
  if (!mayPublish({ packages }, wanted))
    throw new LongboxError("forbidden", "kernel/not-your-package", `"${name}" may not publish "${wanted}".`, {
      package: wanted,
      packages,
    });
}

interface Published {
  readonly description: Readonly<Record<string, unknown>> & { readonly name: string; readonly version: string };
  readonly tarball: Uint8Array;
  readonly tag: string;
  readonly registry: string;
}

/** What `npm publish` sends. */
function documentOf({ description, tarball, tag, registry }: Published): unknown {
  const { name, version } = description;
  const file = `${name}-${version}.tgz`;
  const dist = {
    integrity: `sha512-${createHash("sha512").update(tarball).digest("base64")}`,
    shasum: createHash("sha1").update(tarball).digest("hex"),
    tarball: `${registry}${name}/-/${file}`,
  };
  const data = Buffer.from(tarball.buffer, tarball.byteOffset, tarball.byteLength).toString("base64");
  return {
    _id: name,
    name,
    description: description["description"],
    "dist-tags": { [tag]: version },
    versions: { [version]: { ...description, _id: `${name}@${version}`, dist } },
    access: null,
    _attachments: { [file]: { content_type: "application/octet-stream", data, length: tarball.byteLength } },
  };
}
