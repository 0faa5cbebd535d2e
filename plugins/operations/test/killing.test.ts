import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";

interface Server extends AsyncDisposable {
  /** The line that it prints once it serves; undefined when it was killed before. */
  readonly ready: Promise<{ url: string; key: string } | undefined>;
  /** The signal that ended it. */
  readonly ended: Promise<string | null>;
}

function startFatalServer(data: string): Server {
  const child = spawn(process.execPath, [join(import.meta.dirname, "support/fatal-server.ts"), data], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit").then(([, signal]) => signal as string | null);
  const line = once(createInterface({ input: child.stdout }), "line").then(([text]) => JSON.parse(text as string));
  return {
    ready: Promise.race([line, ended.then(() => undefined)]),
    ended,
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
    },
  };
}

it("gives up a job in which the server was killed three times", async () => {
  const data = await mkdtemp(join(tmpdir(), "longbox-operations-killed-"));
  try {
    {
      await using first = startFatalServer(data);
      const { url, key } = (await first.ready)!;
      const headers = { "x-api-key": key, "content-type": "application/json" };
      // The answer may not come any more.
      await Promise.allSettled([fetch(`${url}/api/tools/fatal`, { method: "POST", headers, body: "{}" })]);
      expect(await first.ended).toBe("SIGKILL");
    }
    for (const _ of [2, 3]) {
      await using again = startFatalServer(data);
      expect(await again.ended).toBe("SIGKILL");
    }
    await using last = startFatalServer(data);
    const { url, key } = (await last.ready)!;
    const jobs = await (await fetch(`${url}/api/jobs`, { headers: { "x-api-key": key } })).json();
    expect(jobs).toMatchObject([
      { kind: "tool.fatal", state: "failed", error: "Longbox ended 3 times while it ran, and does not try it again." },
    ]);
  } finally {
    await rm(data, { recursive: true, force: true });
  }
});
