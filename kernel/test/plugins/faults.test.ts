import { defineRoute, definePlugin } from "@longbox/sdk";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { describe, expect, it, vi } from "vitest";

const limit = 20;

/**
 * Its route throws in its handler or, with `?later`, in a listener that is told after the answer. `go` makes its own
 * timer fail.
 */
function failingPlugin(own: { go: boolean }) {
  return definePlugin({
    activate(_, context) {
      const told = context.topic<string>("told");
      told.subscribe((how) => {
        throw new Error(how);
      });
      const timer = setInterval(() => own.go && told.publish("by itself"), 5);
      context.own({ release: () => clearInterval(timer) });
      context.routes([
        defineRoute({
          method: "GET",
          path: "/api/frail",
          access: "viewer",
          summary: "Fails",
          handle: ({ url }) => {
            if (!url.searchParams.has("later")) throw new Error("for this request");
            setTimeout(() => told.publish("later"));
            return {};
          },
        }),
      ]);
    },
  });
}

async function startFrail(own = { go: false }): Promise<KernelTestHost> {
  return startKernelTestHost({
    plugins: [
      { manifest: { id: "frail", title: "Frail", description: "", sdk: "^1.0.0" }, plugin: failingPlugin(own) },
    ],
    kernel: { trustProxy: "loopback", plugins: { faultLimit: { count: limit, withinMs: 600_000 } } },
  });
}

interface Requests {
  readonly accounts: number;
  readonly networks: number;
  readonly inputs: number;
  readonly count: number;
  readonly query?: string;
}

/** Fails with so many different requests, evenly mixed. */
async function fail(host: KernelTestHost, { accounts, networks, inputs, count, query = "n" }: Requests): Promise<void> {
  const { access } = host.kernel;
  const keys: string[] = [];
  for (let account = 0; account < accounts; account += 1) {
    const username = `viewer-${account}`;
    const { id } =
      (await access.accounts.findByName(username)) ?? (await access.accounts.add({ username, role: "viewer" }));
    keys.push(await access.keys.replace(id));
  }
  for (let at = 0; at < count; at += 1) {
    const answer = await fetch(`${host.url}/api/frail?${query}=${at % inputs}`, {
      headers: { "x-api-key": keys[at % accounts]!, "x-forwarded-for": `198.51.100.${1 + (at % networks)}` },
    });
    expect(answer.status).toBe(query === "n" ? 500 : 200);
    await answer.arrayBuffer();
  }
}

const state = (host: KernelTestHost) => host.kernel.host.row("frail").state;

describe("errors that requests cause", () => {
  it.each([
    { who: "one account, from many networks with many inputs", accounts: 1, networks: 40, inputs: 60, count: 60 },
    { who: "many accounts behind one address", accounts: 12, networks: 1, inputs: 60, count: 60 },
    { who: "many accounts with one input", accounts: 12, networks: 12, inputs: 1, count: 60 },
    { who: "four accounts", accounts: 4, networks: 4, inputs: 61, count: 120 },
  ])("never switch a plugin off when they come from $who", async ({ who: _, ...requests }) => {
    await using host = await startFrail();
    await fail(host, requests);
    await host.kernel.host.quiet();
    expect(host.kernel.host.row("frail")).toMatchObject({ state: "active", faults: requests.count });
  });

  it("count as the request's also when they are thrown later, in a listener that is told after the answer", async () => {
    await using host = await startFrail();
    await fail(host, { accounts: 1, networks: 1, inputs: 40, count: 40, query: "later" });
    await vi.waitUntil(() => host.kernel.host.row("frail").faults === 40, { timeout: 20_000 });
    await host.kernel.host.quiet();
    expect(state(host)).toBe("active");
  });

  it("switch it off when many different requesters fail with many different inputs", async () => {
    await using host = await startFrail();
    await fail(host, { accounts: 5, networks: 5, inputs: 21, count: limit - 1 });
    await host.kernel.host.quiet();
    expect(state(host)).toBe("active");
    await fail(host, { accounts: 5, networks: 5, inputs: 20, count: limit });
    await host.kernel.host.quiet();
    expect(host.kernel.host.row("frail")).toMatchObject({
      state: "quarantined",
      reason: expect.stringContaining("for this request"),
    });
  });
});

describe("errors of what a plugin does by itself", () => {
  it("switch it off, also when a request had asked for its start", async () => {
    const own = { go: false };
    await using host = await startFrail(own);
    const admin = host.as("admin");
    await admin.post("/api/plugins/frail/enabled", { enabled: false });
    await admin.post("/api/plugins/frail/enabled", { enabled: true });
    expect(state(host)).toBe("active");
    own.go = true;
    await vi.waitUntil(() => state(host) === "quarantined", { timeout: 20_000 });
  });
});
