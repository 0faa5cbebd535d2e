import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface EmptyRegistry extends AsyncDisposable {
  readonly url: string;
}

/**
 * An npm registry on loopback that has no package. A server waits ten seconds for one that does not answer, at every
 * request for a package.
 */
export async function startEmptyRegistry(): Promise<EmptyRegistry> {
  const server = createServer((_, response) => {
    response.writeHead(404, { "content-type": "application/json" }).end('{"error":"no such package available"}');
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
