// Criterion 11: tarballs that mean harm are refused, each with a code, or do none.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { lstat, readdir } from "node:fs/promises";
import path from "node:path";
import type { Worker } from "node:worker_threads";
import { runsLongTests } from "@longbox/test/needs";
import { undisturbedNow } from "@longbox/test/undisturbed";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { HostileHost } from "../hostile-host.js";
import { hostileTarballs } from "../hostile-tarballs.js";

/** On a machine with other work to do, a thread may wait long for its turn: that does not count in the long run. */
const mostMs = 30_000;
const mostOwnMs = runsLongTests ? 2_000 : mostMs;

function begin(): () => void {
  const [begun, own] = [performance.now(), undisturbedNow()];
  return () => {
    expect(performance.now() - begun).toBeLessThan(mostMs);
    expect(undisturbedNow() - own).toBeLessThan(mostOwnMs);
  };
}

/** Counts the threads that unpack packages from now on. */
function countThreads(): { readonly count: () => number } & Disposable {
  let count = 0;
  const begun = (message: unknown) => {
    if ((message as { readonly worker: Worker }).worker.threadName === "packages") count++;
  };
  subscribe("worker_threads", begun);
  return { count: () => count, [Symbol.dispose]: () => void unsubscribe("worker_threads", begun) };
}

describe("criterion 11: a hostile tarball", () => {
  let hostile: HostileHost;
  beforeAll(async () => void (hostile = await HostileHost.open()));
  afterAll(() => hostile[Symbol.asyncDispose]());
  afterEach(() => hostile.removeAll());

  it("is one of at least forty", () => expect(hostileTarballs.length).toBeGreaterThanOrEqual(40));

  const refused = hostileTarballs.filter(({ code }) => code !== undefined);
  it.each(refused.map((each) => [each.title, each.code!, each.make] as const))(
    "with %s is refused (%s), and leaves nothing inside or outside of the data folder",
    async (_, code, make) => {
      hostile.registry.offer(make());
      const isInTime = begin();
      const answer = await hostile.attempt();
      isInTime();
      expect([answer.code, answer.status < 503]).toEqual([code, true]);
      await hostile.expectNothing();
    },
  );

  it("ends the thread that unpacked it; that of any other package unpacks the next one", async () => {
    const make = (isHarmless: boolean) => hostileTarballs.find(({ code }) => (code === undefined) === isHarmless)!.make;
    using threads = countThreads();
    const seen: Array<[status: number, threads: number]> = [];
    for (const isHarmless of [true, false, true]) {
      hostile.registry.offer(make(isHarmless)());
      seen.push([(await hostile.attempt()).status, threads.count()]);
      await hostile.removeAll();
    }
    expect(seen).toEqual([
      [200, expect.any(Number)],
      [expect.any(Number), seen[0]![1]],
      [200, seen[0]![1] + 1],
    ]);
    expect(seen[1]![0]).toBeGreaterThan(399);
  });

  const harmless = hostileTarballs.filter(({ code }) => code === undefined);
  it.each(harmless.map((each) => [each.title, each.make] as const))("with %s does no harm", async (_, make) => {
    hostile.registry.offer(make());
    const isInTime = begin();
    expect(await hostile.attempt()).toMatchObject({ status: 200, body: { state: "active" } });
    isInTime();
    const store = path.join(hostile.host.dataFolder, "plugins", "store");
    for (const name of await readdir(store, { recursive: true })) {
      const found = await lstat(path.join(store, name));
      if (found.isFile()) expect([name, found.mode & 0o7777]).toEqual([name, 0o644]);
    }
    await hostile.removeAll();
    await hostile.expectNothing();
  });
});
