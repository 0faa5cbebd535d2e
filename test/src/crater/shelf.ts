import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { compareVersions } from "@longbox/registry";
import type { PublishedPackage } from "./published.js";

/** A registry on loopback with the packages that are tried, in all their versions. */
export class Shelf implements AsyncDisposable {
  readonly #server: Server;
  readonly #packages = new Map<string, PublishedPackage[]>();

  private constructor(packages: readonly PublishedPackage[]) {
    for (const one of packages) {
      const { name, version } = one.manifest;
      const known = this.#packages.get(name) ?? [];
      if (known.some(({ manifest }) => manifest.version === version)) continue;
      this.#packages.set(
        name,
        [...known, one].sort((a, b) => compareVersions(a.manifest.version, b.manifest.version)),
      );
    }
    this.#server = createServer((request, response) => this.#answer(decodeURIComponent(request.url ?? "/"), response));
  }

  static async open(packages: readonly PublishedPackage[]): Promise<Shelf> {
    const shelf = new Shelf(packages);
    shelf.#server.listen(0, "127.0.0.1");
    await once(shelf.#server, "listening");
    return shelf;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The versions of each package, the oldest first. */
  get packages(): ReadonlyMap<string, readonly PublishedPackage[]> {
    return this.#packages;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.closeAllConnections();
    this.#server.close();
    await closed;
  }

  #answer(path: string, response: ServerResponse): void {
    const [name = "", file] = path.slice(1).split("/-/");
    const versions = this.#packages.get(name);
    if (versions === undefined) return void response.writeHead(404).end("{}");
    if (file === undefined) return void response.end(JSON.stringify(this.#packument(name, versions)));
    const asked = versions.find(({ manifest }) => `${manifest.version}.tgz` === file);
    if (asked === undefined) response.writeHead(404).end("{}");
    else response.end(asked.tarball);
  }

  #packument(name: string, packages: readonly PublishedPackage[]): unknown {
    const versions = packages.map(({ manifest, tarball }) => {
      const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
      const dist = { integrity, tarball: `${this.url}/${name}/-/${manifest.version}.tgz` };
      return [manifest.version, { ...manifest, dist }] as const;
    });
    return { name, "dist-tags": { latest: versions.at(-1)![0] }, versions: Object.fromEntries(versions) };
  }
}
