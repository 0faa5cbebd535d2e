// A registry that sends exactly what a test tells it to.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { packageOf, type TinyPlugin } from "./support.js";
import { integrityOf } from "./tarballs.js";

/** The package that the registry offers unless it is told otherwise. */
export const honest: TinyPlugin = { id: "sly", package: "@longbox-test/sly" };

/** A registry that offers exactly what a test tells it to. */
export class LyingRegistry {
  url = "";
  packument: unknown;
  send: (response: ServerResponse, request: IncomingMessage) => void = () => {};
  readonly #server = createServer((request, response) => {
    if (request.url?.endsWith(".tgz")) return this.send(response, request);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(this.packument));
  });

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Offers one version; the integrity is that of `bytes`, unless another is given. */
  offer(
    bytes: Buffer,
    options: { name?: string; version?: string; integrity?: string | undefined; tarball?: string } = {},
  ): void {
    const { name = packageOf(honest), version = "1.0.0" } = options;
    const integrity = "integrity" in options ? options.integrity : integrityOf(bytes);
    const dist = {
      tarball: options.tarball ?? `${this.url}/sly-${version}.tgz`,
      ...(integrity === undefined ? {} : { integrity }),
    };
    this.packument = { name, "dist-tags": { latest: version }, versions: { [version]: { name, version, dist } } };
    this.send = (response) => response.end(bytes);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
