import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { PublishedManifest } from "../packing/stage.js";

interface Offered {
  readonly manifest: PublishedManifest;
  readonly tarball: Buffer;
}

/** A registry on loopback that holds nothing but what this program packed. */
export class PackageRegistry implements AsyncDisposable {
  readonly #offered = new Map<string, Offered>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => this.#answer(decodeURIComponent(request.url ?? "/"), response));
  }

  static async open(): Promise<PackageRegistry> {
    const registry = new PackageRegistry();
    registry.#server.listen(0, "127.0.0.1");
    await once(registry.#server, "listening");
    return registry;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Offers a package, in place of its earlier versions. */
  offer(manifest: PublishedManifest, tarball: Buffer): void {
    this.#offered.set(manifest.name, { manifest, tarball });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #answer(path: string, response: ServerResponse): void {
    const [name = "", file] = path.slice(1).split("/-/");
    const found = this.#offered.get(name);
    if (found === undefined) response.writeHead(404).end("{}");
    else if (file === undefined) response.end(JSON.stringify(this.#packument(found)));
    else response.end(found.tarball);
  }

  #packument({ manifest, tarball }: Offered): unknown {
    const { name, version } = manifest;
    const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
    const dist = { integrity, tarball: `${this.url}/${name}/-/${version}.tgz` };
    return { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } };
  }
}
