import { createServer as createHttp } from "node:http";
import { createServer, type AddressInfo } from "node:net";

/** A server on loopback that a book would reach; it notes every connection, whether or not a request follows. */
export interface Listener extends AsyncDisposable {
  readonly port: number;
  /** What was heard since the last call. */
  take(): string[];
}

export async function startListener(): Promise<Listener> {
  const heard: string[] = [];
  const http = createHttp((request, response) => {
    heard.push(`${request.method} ${request.url}`);
    response.writeHead(200, { "Access-Control-Allow-Origin": "*", "Content-Type": "text/plain" }).end("heard");
  });
  const server = createServer((socket) => {
    heard.push("connection");
    http.emit("connection", socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    take: () => heard.splice(0),
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
