import { spawn, spawnSync } from "node:child_process";
import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestHost, type TestHost } from "@longbox/sdk/testing";
import { writeLibrary } from "@longbox/test/fixtures";

/** Whether a program of the machine is there. */
export function hasProgram(name: string): boolean {
  return spawnSync("sh", ["-c", `command -v ${name}`]).status === 0;
}

/** Runs a program to its end. Not synchronously: the server that it talks to is in this process. */
export async function run(
  program: string,
  args: readonly string[],
): Promise<{ code: number; output: string; errors: string }> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (errors += chunk));
  const code = await new Promise<number>((resolve, reject) =>
    child.once("error", reject).once("close", (status) => resolve(status ?? 1)),
  );
  return { code, output, errors };
}

export interface Shelf extends AsyncDisposable {
  readonly host: TestHost;
  readonly folder: string;
}

/** A server with one scanned series of three issues. */
export async function startShelf(): Promise<Shelf> {
  const folder = await mkdtemp(join(tmpdir(), "longbox-clients-"));
  await writeLibrary(join(folder, "library"), [
    { title: "Moth Patrol", year: 2019, issues: ["1", "2", "3"], pages: 6, size: { width: 300, height: 450 } },
  ]);
  const host = await startTestHost({
    plugins: ["imaging", "operations", "collection", "files", "comics", "reading", "reader", "opds"],
  });
  const admin = host.as("admin");
  await admin.post("/api/libraries", { name: "Comics", type: "comic", rootFolder: join(folder, "library") });
  for (;;) {
    const [series] = (await admin.get("/api/collection")).body;
    if (series?.owned === 3) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    host,
    folder,
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A reverse proxy that signs in for clients that cannot: it adds a key, and leaves the Host as the client wrote it. */
export async function startProxy(target: string, key: string): Promise<{ url: string } & AsyncDisposable> {
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, answer) => {
    const outgoing = forward(
      {
        hostname,
        port,
        method: incoming.method,
        path: incoming.url,
        headers: { ...incoming.headers, "x-api-key": key },
      },
      (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      },
    );
    outgoing.on("error", () => answer.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
