import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";

/** The port that the registry had the last time if it is free, else any free one: known before Verdaccio listens. */
export async function registryPort(folder: string): Promise<number> {
  const last = await readFile(join(folder, "registry.json"), "utf8").then((text) => Number(new URL((JSON.parse(text) as { url: string }).url).port), () => 0);
  return (await probe(last)) ?? (await probe(0)) ?? 0;
}

async function probe(port: number): Promise<number | undefined> {
  const server = createServer();
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  } catch {
    return undefined; // Taken; the caller tries another.
  } finally {
    server.close();
  }
}
