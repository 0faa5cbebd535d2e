import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { temporaryFolder } from "../storage/storage-folder.js";

const longbox = fileURLToPath(new URL("../../dist/bin/longbox.js", import.meta.url));
const account = { username: "ada", password: "correct horse battery" };

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

async function startServer(data: string): Promise<AsyncDisposable & { readonly url: string }> {
  const server = spawn(process.execPath, [longbox], { env: environment(data), stdio: ["ignore", "pipe", "ignore"] });
  const [line] = (await once(createInterface({ input: server.stdout }), "line")) as [string];
  return {
    url: (JSON.parse(line) as { listening: string }).listening,
    async [Symbol.asyncDispose]() {
      server.kill("SIGTERM");
      if (server.exitCode === null) await once(server, "exit");
    },
  };
}

async function command(data: string, ...parameters: string[]): Promise<{ code: number; said: string }> {
  const child = spawn(process.execPath, [longbox, ...parameters], {
    env: environment(data),
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, "close")) as [number];
  return { code, said };
}

const post = (url: string, body: unknown) =>
  fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

it("backs up a server that runs, and restores it elsewhere, where its accounts sign in", async () => {
  await using folder = await temporaryFolder();
  const [data, restored, archive] = [
    join(folder.path, "data"),
    join(folder.path, "restored"),
    join(folder.path, "backup.tar.gz"),
  ];
  {
    await using server = await startServer(data);
    expect((await post(`${server.url}/api/auth/register`, account)).ok).toBe(true);
    expect(await command(data, "backup", archive)).toMatchObject({ code: 0 });
    expect(await command(data, "backup", archive)).toMatchObject({
      code: 1,
      said: expect.stringContaining("is there already"),
    });
    expect(await command(data, "restore", archive)).toMatchObject({
      code: 1,
      said: expect.stringContaining("is not empty"),
    });
  }
  expect(await command(restored, "restore", archive)).toMatchObject({ code: 0 });
  await using server = await startServer(restored);
  expect((await post(`${server.url}/api/auth/login`, account)).status).toBe(200);
  expect((await post(`${server.url}/api/auth/login`, { ...account, password: "something else" })).status).toBe(401);
});
