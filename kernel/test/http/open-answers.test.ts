import { Readable } from "node:stream";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { definePlugin, defineRoute, reply } from "@longbox/sdk";
import { runsLongTests } from "@longbox/test/needs";
import { ownNow } from "@longbox/test/undisturbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { until } from "../plugins/support.js";

const calls = { waiting: 0 };
const contentType = "application/octet-stream";

/** Sends a little and then nothing more until the reader goes away. */
async function* endless() {
  yield Buffer.alloc(1024, 7);
  await new Promise(() => {});
}

const plugin = definePlugin({
  activate(_, context) {
    context.routes([
      defineRoute({
        method: "GET",
        path: "/api/slow/never",
        summary: "never answers",
        handle() {
          calls.waiting += 1;
          return new Promise<never>(() => {});
        },
      }),
      defineRoute({
        method: "POST",
        path: "/api/slow/never",
        access: "viewer",
        summary: "never answers either",
        body: z.object({}),
        handle() {
          calls.waiting += 1;
          return new Promise<never>(() => {});
        },
      }),
      defineRoute({
        method: "GET",
        path: "/api/slow/download",
        access: "slow.read",
        summary: "a download that takes long",
        handle: () => reply.content({ kind: "stream", stream: Readable.from(endless()), contentType }),
      }),
    ]);
  },
});
const manifest = {
  id: "slow",
  title: "Slow",
  description: "",
  sdk: "^1.0.0",
  permissions: [{ key: "slow.read", label: "Read", description: "", tier: "admin" as const }],
};
/**
 * How long an answer may go on after its right has ended; in an ordinary run the machine has other work, whose time
 * does not count.
 */
const mostMs = runsLongTests ? 1_000 : 4_000;
const password = "correct horse battery";

describe("criterion 24: an answer that is not complete", () => {
  let host: KernelTestHost;
  beforeAll(async () => void (host = await startKernelTestHost({ plugins: [{ manifest, plugin }] })));
  afterAll(() => host[Symbol.asyncDispose]());

  /** Signs a new user in; the returned function sends requests of that session. */
  async function user(username: string, role: string) {
    await host.as("admin").post("/api/users", { username, password, role });
    const signedIn = await fetch(`${host.url}/api/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username, password }),
    });
    const cookie = signedIn.headers.get("set-cookie")!.split(";")[0]!;
    await signedIn.arrayBuffer();
    return (path: string, method = "GET") => fetch(host.url + path, { method, headers: { cookie, origin: host.url } });
  }

  /** Reads what there is; the end says how the answer ended. */
  function reading(answer: Response) {
    const seen = { bytes: 0, ended: undefined as string | undefined };
    const read = async () => {
      for await (const chunk of answer.body!) seen.bytes += (chunk as Uint8Array).length;
    };
    read().then(
      () => (seen.ended = "completely"),
      () => (seen.ended = "cut off"),
    );
    return seen;
  }

  it("is 503 with a code when its plugin stops, whatever the handler does", async () => {
    const before = calls.waiting;
    const pending = [host.as("viewer").get("/api/slow/never"), host.as("viewer").post("/api/slow/never", {})];
    await until(() => calls.waiting === before + 2);
    await host.as("admin").post("/api/plugins/slow/enabled", { enabled: false });
    for (const answer of await Promise.all(pending))
      expect(answer).toMatchObject({ status: 503, body: { code: "kernel/stopped" } });
    await host.as("admin").post("/api/plugins/slow/enabled", { enabled: true });
  });

  it("is cut off within a second when the user's role loses the permission, and others go on", async () => {
    for (const name of ["readers", "keepers"])
      await host.as("admin").post("/api/roles", { name, permissions: ["library.view", "slow.read"] });
    const [reader, keeper] = [await user("rita", "readers"), await user("karl", "keepers")];
    const [cut, kept] = [reading(await reader("/api/slow/download")), reading(await keeper("/api/slow/download"))];
    const [events, keptEvents] = [reading(await reader("/api/events")), reading(await keeper("/api/events"))];
    await until(() => cut.bytes > 0 && kept.bytes > 0 && events.bytes > 0 && keptEvents.bytes > 0);
    await host.as("admin").patch("/api/roles/readers", { permissions: [] });
    const revokedAt = ownNow();
    await expect.poll(() => [cut.ended, events.ended !== undefined], { timeout: 10_000 }).toEqual(["cut off", true]);
    expect(ownNow() - revokedAt).toBeLessThan(mostMs);
    expect([kept.ended, keptEvents.ended]).toEqual([undefined, undefined]);
    await host.as("admin").patch("/api/roles/keepers", { permissions: [] });
    await expect.poll(() => kept.ended, { timeout: 10_000 }).toBe("cut off");
  });

  it("is cut off when the session is over, and the request that ends it is answered", async () => {
    await host.as("admin").post("/api/roles", { name: "guests", permissions: ["library.view", "slow.read"] });
    const guest = await user("gus", "guests");
    const download = reading(await guest("/api/slow/download"));
    const before = calls.waiting;
    const pending = guest("/api/slow/never");
    await until(() => download.bytes > 0 && calls.waiting === before + 1);
    expect((await guest("/api/auth/logout", "POST")).status).toBe(200);
    expect((await pending).status).toBe(403);
    await expect.poll(() => download.ended, { timeout: 10_000 }).toBe("cut off");
  });
});
