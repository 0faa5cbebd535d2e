import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A way to a server that can lead nowhere: connections are made, and nothing ever comes back. */
export interface SilentNetwork extends AsyncDisposable {
  readonly url: string;
  isSilent: boolean;
}

export async function openSilentNetwork(server: string): Promise<SilentNetwork> {
  const { port, hostname } = new URL(server);
  const open = new Set<Socket>();
  const way = createServer((browser) => {
    const behind = connect(Number(port), hostname);
    for (const [from, to] of [
      [browser, behind],
      [behind, browser],
    ] as const) {
      open.add(from);
      from.on("data", (bytes) => void (network.isSilent || to.write(bytes)));
      from.on("error", () => to.destroy());
      from.on("close", () => {
        open.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => way.listen(0, "127.0.0.1", resolve));
  const network = {
    url: `http://127.0.0.1:${(way.address() as AddressInfo).port}`,
    isSilent: false,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => way.close(resolve));
    },
  };
  return network;
}
