// The program as a command and as a server, for tests of backups.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const longbox = fileURLToPath(new URL("../../dist/bin/longbox.js", import.meta.url));

function environment(data: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    LONGBOX_DATA: data,
    LONGBOX_PORT: "0",
    LONGBOX_HOST: "127.0.0.1",
    LONGBOX_REGISTRY: "http://127.0.0.1:9/",
    LONGBOX_DEFAULT_PLUGINS: "",
  };
}

export async function startServer(
  data: string,
  also: NodeJS.ProcessEnv = {},
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = spawn(process.execPath, [longbox], {
    env: { ...environment(data), ...also },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [line] = (await once(createInterface({ input: server.stdout }), "line")) as [string];
  return {
    url: (JSON.parse(line) as { listening: string }).listening,
    async [Symbol.asyncDispose]() {
      server.kill("SIGTERM");
      if (server.exitCode === null) await once(server, "exit");
    },
  };
}

export async function command(data: string, ...parameters: string[]): Promise<{ code: number; said: string }> {
  const child = spawn(process.execPath, [longbox, ...parameters], {
    env: environment(data),
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, "close")) as [number];
  return { code, said };
}

export const post = (url: string, body: unknown) =>
  fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
