import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";

interface Server {
  readonly child: ChildProcess;
  call(method: string, path: string): Promise<any>;
}

async function start(data: string): Promise<Server> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "support/dying-server.ts"), data], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const { url, key } = JSON.parse(line) as { url: string; key: string };
  const call = async (method: string, path: string) =>
    (await fetch(url + path, { method, headers: { "x-api-key": key } })).json();
  return { child, call };
}

async function end({ child }: Server, how: "killed" | "stopped"): Promise<void> {
  const ended = once(child, "exit");
  if (how === "killed") child.kill("SIGKILL");
  else child.stdin!.end();
  await ended;
}

it("is not continued a third time when the server died of it twice at the same place, unlike one that gets further", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "longbox-dying-"));
  let server = await start(folder.path);
  const stuck = (await server.call("POST", "/api/walker/stuck")).id as number;
  const walks = (await server.call("POST", "/api/walker/walks")).id as number;
  const job = (id: number) => server.call("GET", `/api/jobs/${id}`);
  const again = async (how: "killed" | "stopped", stepOfWalk: number) => {
    await end(server, how);
    server = await start(folder.path);
    await expect.poll(async () => (await job(walks)).done).toBe(stepOfWalk);
  };
  try {
    await expect.poll(async () => [(await job(stuck)).done, (await job(walks)).done]).toEqual([1, 1]);
    // Ends in order say nothing against a job, however many there are.
    await again("stopped", 2);
    await again("stopped", 3);
    await again("killed", 4);
    await expect.poll(async () => (await job(stuck)).state).toBe("running");
    await again("killed", 5);
    expect(await job(stuck)).toMatchObject({ state: "failed", error: expect.stringContaining("unexpectedly 2 times") });
    await again("killed", 6);
    expect((await job(stuck)).state).toBe("failed");
  } finally {
    await end(server, "stopped");
  }
});
