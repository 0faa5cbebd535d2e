import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A registry that has every package anyone asks for, at version 99.0.0, and remembers who asked. */
export async function startUpstream(): Promise<
  { url: string; asked: string[]; close(): Promise<void> } & AsyncDisposable
> {
  const asked: string[] = [];
  const server = createServer((request, answer) => {
    const name = decodeURIComponent(request.url ?? "/").slice(1);
    asked.push(name);
    answer.setHeader("content-type", "application/json");
    answer.end(
      JSON.stringify({
        name,
        "dist-tags": { latest: "99.0.0" },
        versions: {
          "99.0.0": {
            name,
            version: "99.0.0",
            dist: { shasum: "0".repeat(40), tarball: `http://${request.headers.host}/${name}.tgz` },
          },
        },
      }),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    server.closeAllConnections();
    server.close();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close,
    [Symbol.asyncDispose]: close,
  };
}
