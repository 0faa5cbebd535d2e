import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { entryText, packageJsonOf, packageOf, type TinyPlugin } from "../support.js";
import { integrityOf, tarball } from "../tarballs.js";

/** A registry of single versions, which says and sends exactly what a test wrote. */
export class TarballRegistry implements AsyncDisposable {
  readonly #packages = new Map<string, { readonly version: string; readonly bytes: Buffer }>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const path = decodeURIComponent(request.url ?? "/").slice(1);
      const found = this.#packages.get(path.replace(/\.tgz$/, ""));
      if (found === undefined) return response.writeHead(404).end("{}");
      if (path.endsWith(".tgz")) return response.end(found.bytes);
      return response.end(JSON.stringify(this.#packument(path, found)));
    });
  }

  static async open(): Promise<TarballRegistry> {
    const registry = new TarballRegistry();
    await new Promise<void>((resolve) => registry.#server.listen(0, "127.0.0.1", resolve));
    return registry;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Offers a plugin; its `files` stand for the entry as well, and a file that is undefined is left out. */
  offer(plugin: TinyPlugin, files: Readonly<Record<string, string | undefined>> = {}): void {
    const texts: Record<string, string | undefined> = {
      "package.json": JSON.stringify(packageJsonOf(plugin)),
      "index.js": entryText(plugin),
      ...plugin.files,
      ...files,
    };
    const entries = Object.entries(texts).flatMap(([name, text]) =>
      text === undefined ? [] : [{ name: `package/${name}`, text }],
    );
    this.#packages.set(packageOf(plugin), { version: plugin.version ?? "1.0.0", bytes: tarball(entries) });
  }

  #packument(name: string, { version, bytes }: { readonly version: string; readonly bytes: Buffer }): unknown {
    const dist = { tarball: `${this.url}/${name}.tgz`, integrity: integrityOf(bytes) };
    return { name, "dist-tags": { latest: version }, versions: { [version]: { name, version, dist } } };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
