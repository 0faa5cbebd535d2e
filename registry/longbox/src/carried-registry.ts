import { once } from "node:events";
import { createReadStream } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { CarriedPackage } from "./carried-packages.js";
import { Elsewhere } from "./elsewhere.js";

export interface CarriedRegistryOptions {
  /** Where the tarballs are. */
  readonly folder: string;
  readonly carried: readonly CarriedPackage[];
  /** Finds the registry of all other packages; called when the first of them is asked for. */
  readonly behind: () => Promise<string>;
}

const ownScope = "@longbox/";
const searchPath = "/-/v1/search";

/**
 * An npm registry on loopback, for reading: it holds the carried packages, and passes all other requests on to the
 * registry behind it. A package of Longbox is never asked for there, so that a higher version cannot take its place.
 */
export class CarriedRegistry {
  readonly #folder: string;
  readonly #byName: ReadonlyMap<string, CarriedPackage>;
  readonly #elsewhere: Elsewhere;
  #url = "";

  private constructor({ folder, carried, behind }: CarriedRegistryOptions) {
    this.#folder = folder;
    this.#byName = new Map(carried.map((one) => [one.manifest.name, one]));
    this.#elsewhere = new Elsewhere(behind);
  }

  /**
   * Listens on any free port of 127.0.0.1 for as long as this process runs, which it does not prolong.
   * @returns its address
   */
  static async open(options: CarriedRegistryOptions): Promise<string> {
    const registry = new CarriedRegistry(options);
    const server = createServer((request, response) => {
      registry.#answer(request.method ?? "", request.url ?? "/", response).catch(() => response.destroy());
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    server.unref();
    registry.#url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return registry.#url;
  }

  async #answer(method: string, target: string, response: ServerResponse): Promise<void> {
    if (method !== "GET") return send(response, 405, { error: "This registry is for reading." });
    const { pathname, search } = new URL(target, this.#url);
    if (pathname === "/-/ping") return send(response, 200, {});
    if (pathname === searchPath) return send(response, 200, { objects: await this.#search(search) });
    const [name, file] = decodeURIComponent(pathname.slice(1)).split("/-/");
    const carried = name === undefined ? undefined : this.#byName.get(name);
    if (carried && file === undefined) return send(response, 200, this.#packument(carried));
    if (carried && file === carried.file) return this.#sendTarball(response, carried);
    if (carried || name?.startsWith(ownScope)) return send(response, 404, { error: "not found" });
    const answer = await this.#elsewhere.get(`${pathname}${search}`.slice(1), `${this.#url}/`);
    response.writeHead(answer.status, { "content-type": answer.contentType });
    if (typeof answer.body === "string") return void response.end(answer.body);
    await pipeline(answer.body, response);
  }

  async #sendTarball(response: ServerResponse, { file }: CarriedPackage): Promise<void> {
    response.writeHead(200, { "content-type": "application/octet-stream" });
    await pipeline(createReadStream(join(this.#folder, file)), response);
  }

  #packument({ manifest, file, integrity }: CarriedPackage): unknown {
    const { name, version } = manifest;
    const dist = { integrity, tarball: `${this.#url}/${name}/-/${file}` };
    return { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } };
  }

  /** The carried packages whatever is searched for, since only servers ask, and what the registry behind finds. */
  async #search(query: string): Promise<unknown[]> {
    const own = [...this.#byName.values()].map(({ manifest: { name, version, keywords = [] } }) => ({
      package: { name, version, keywords },
    }));
    return [...own, ...(await this.#elsewhere.search(`${searchPath.slice(1)}${query}`))];
  }
}

function send(response: ServerResponse, status: number, document: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(document));
}
