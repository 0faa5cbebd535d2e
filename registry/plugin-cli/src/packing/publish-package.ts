import { createHash } from "node:crypto";
import type { PublishedManifest } from "../packing/stage.js";

export interface RegistryAddress {
  readonly url: string;
  readonly token: string;
}

export interface PublishTarget {
  readonly registry: RegistryAddress;
  /** The dist-tag that is to point at the version. Default `latest`. */
  readonly tag?: string | undefined;
}

/**
 * Puts one version of a package into a registry, as `npm publish` does, and points the dist-tag at it.
 * @throws {Error} When the registry refuses it, such as a version that is there already.
 */
export async function publishPackage(
  manifest: PublishedManifest,
  tarball: Buffer,
  { registry: { url, token }, tag = "latest" }: PublishTarget,
): Promise<void> {
  const { name, version } = manifest;
  const file = `${name}-${version}.tgz`;
  const dist = {
    integrity: `sha512-${createHash("sha512").update(tarball).digest("base64")}`,
    shasum: createHash("sha1").update(tarball).digest("hex"),
    tarball: `${url}/${name}/-/${file}`,
  };
  const answer = await fetch(`${url}/${encodeURIComponent(name)}`, {
    method: "PUT",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({
      _id: name,
      name,
      description: manifest["description"],
      "dist-tags": { [tag]: version },
      versions: { [version]: { ...manifest, _id: `${name}@${version}`, dist } },
      access: null, // For the registry, null means "as configured".
      _attachments: {
        [file]: { content_type: "application/octet-stream", data: tarball.toString("base64"), length: tarball.length },
      },
    }),
  });
  if (answer.status === 409)
    throw new Error(`The registry has ${name}@${version} already (409). Raise "version" in package.json.`);
  if (answer.status === 401)
    throw new Error(
      `The registry ${url} does not take packages with this token (401). An author's token is one of a server: name that with --server.`,
    );
  if (!answer.ok) throw new Error(`The registry refused ${name}@${version} (${answer.status}): ${await answer.text()}`);
  await answer.body?.cancel();
}
