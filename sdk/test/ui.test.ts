import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { LongboxClient } from "@longbox/sdk/client";
import {
  Action,
  bytes,
  clockTime,
  count,
  day,
  duration,
  fromNow,
  isAway,
  messageOf,
  month,
  number,
  percent,
  Resource,
  type ResourceOptions,
} from "@longbox/sdk/ui";
import type { ReactiveController } from "lit";
import { describe, expect, it } from "vitest";
import { bundled } from "./support/bundling.js";

const dist = join(import.meta.dirname, "..", "dist");

/** An element as controllers see it, and a client whose answers the test gives when it likes. */
class Host {
  readonly asked: Array<{
    path: string;
    signal: AbortSignal | undefined;
    answer: (value: unknown) => void;
    fail: (fault: Error) => void;
  }> = [];
  readonly said: Array<readonly [message: string, level: string | undefined]> = [];
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #controllers: ReactiveController[] = [];
  updates = 0;

  readonly longbox = {
    api: (path: string, options?: { signal?: AbortSignal }) =>
      new Promise((answer, fail) => this.asked.push({ path, signal: options?.signal, answer, fail })),
    onChanged: (domain: string, listener: () => void) => {
      const listeners = this.#listeners.get(domain) ?? new Set();
      this.#listeners.set(domain, listeners.add(listener));
      return { release: () => void listeners.delete(listener) };
    },
    notify: (message: string, options?: { level?: string }) => void this.said.push([message, options?.level]),
  } as unknown as LongboxClient;
  readonly updateComplete = Promise.resolve(true);

  addController(controller: ReactiveController): void {
    this.#controllers.push(controller);
  }
  removeController(): void {}
  requestUpdate(): void {
    this.updates += 1;
  }
  connect(): void {
    for (const controller of this.#controllers) controller.hostConnected?.();
    this.update();
  }
  update(): void {
    for (const controller of this.#controllers) controller.hostUpdate?.();
  }
  disconnect(): void {
    for (const controller of this.#controllers) controller.hostDisconnected?.();
  }
  change(domain: string): void {
    for (const listener of [...(this.#listeners.get(domain) ?? [])]) listener();
  }
  listeners(domain: string): number {
    return this.#listeners.get(domain)?.size ?? 0;
  }
}

function resourceOf(options: Partial<ResourceOptions<string>> = {}): { host: Host; resource: Resource<string> } {
  const host = new Host();
  return { host, resource: new Resource<string>(host, { path: "/api/shelves", domains: ["shelves"], ...options }) };
}

describe("a resource", () => {
  it("is fetched when its element is shown, and again when a domain changes; what was there stays until then", async () => {
    const { host, resource } = resourceOf();
    host.connect();
    expect(host.asked.map(({ path }) => path)).toEqual(["/api/shelves"]);
    host.asked[0]?.answer("one");
    await expect.poll(() => resource.value).toBe("one");
    host.change("shelves");
    expect([resource.value, host.asked.length]).toEqual(["one", 2]);
    host.asked[1]?.answer("two");
    await expect.poll(() => resource.value).toBe("two");
  });

  it("is fetched once more after any number of changes that came while it was being fetched", async () => {
    const { host, resource } = resourceOf();
    host.connect();
    for (let times = 0; times < 5; times++) host.change("shelves");
    const newest = resource.refresh();
    expect(host.asked).toHaveLength(1);
    host.asked[0]?.answer("old");
    await expect.poll(() => host.asked.length).toBe(2);
    host.asked[1]?.answer("new");
    await newest;
    expect([resource.value, host.asked.length]).toEqual(["new", 2]);
  });

  it("drops what comes late from another path, and tells who waited for it when the newer is there", async () => {
    let shelf = "a";
    const { host, resource } = resourceOf({ path: () => `/api/shelves/${shelf}` });
    host.connect();
    const waits = resource.refresh();
    shelf = "b";
    host.update();
    expect(host.asked[0]?.signal?.aborted).toBe(true);
    host.asked[1]?.answer("of b");
    host.asked[0]?.answer("of a");
    await waits;
    expect(resource.value).toBe("of b");
  });

  it.each([
    [true, "old"],
    [false, undefined],
  ] as const)("with keep %s shows %s while another path is being fetched", async (keep, shown) => {
    let shelf = "a";
    const { host, resource } = resourceOf({ path: () => `/api/shelves/${shelf}`, keep });
    host.connect();
    host.asked[0]?.answer("old");
    await expect.poll(() => resource.value).toBe("old");
    shelf = "b";
    host.update();
    expect(resource.value).toBe(shown);
  });

  it("keeps its value when a later fetch fails, says why, and tries again once plugins change", async () => {
    const { host, resource } = resourceOf();
    host.connect();
    host.asked[0]?.answer("there");
    await expect.poll(() => resource.value).toBe("there");
    host.change("shelves");
    host.asked[1]?.fail(new Error("The shelf fell down."));
    await expect.poll(() => resource.message).toBe("The shelf fell down.");
    expect(resource.render((value) => `shows ${value}`)).toBe("shows there");
    host.change("plugins");
    host.asked[2]?.answer("mended");
    await expect.poll(() => [resource.value, resource.message]).toEqual(["mended", undefined]);
    host.change("plugins");
    expect(host.asked).toHaveLength(3);
  });

  it("shows that it waits, then that it failed with a way to try again, then the value", async () => {
    const { host, resource } = resourceOf();
    const seen = () =>
      resource.render((value) => value, { waiting: "waiting", failed: (message, retry) => ({ message, retry }) });
    host.connect();
    expect(seen()).toBe("waiting");
    host.asked[0]?.fail(new Error("No."));
    await expect.poll(seen).toMatchObject({ message: "No." });
    (seen() as { retry: () => void }).retry();
    host.asked[1]?.answer("there");
    await expect.poll(seen).toBe("there");
  });

  it("waits with fetching again where the server counts only now and then, and fetches once for many changes", async () => {
    const { host, resource } = resourceOf({ delayMs: 20 });
    host.connect();
    host.asked[0]?.answer("first");
    await expect.poll(() => resource.value).toBe("first");
    host.change("shelves");
    host.change("shelves");
    expect(host.asked).toHaveLength(1);
    await expect.poll(() => host.asked.length).toBe(2);
  });

  it("stops listening and fetching once its element is removed, and starts again when it is back", async () => {
    const { host, resource } = resourceOf();
    host.connect();
    host.disconnect();
    expect([host.listeners("shelves"), host.listeners("plugins"), host.asked[0]?.signal?.aborted]).toEqual([
      0,
      0,
      true,
    ]);
    host.update();
    await resource.refresh();
    expect([host.asked.length, host.listeners("shelves")]).toEqual([1, 0]);
    host.connect();
    expect([host.listeners("shelves"), host.asked.length]).toEqual([1, 2]);
  });

  it("keeps what it shows while its element is moved, and fetches it again there", async () => {
    const { host, resource } = resourceOf();
    host.connect();
    host.asked[0]?.answer("shown");
    await expect.poll(() => resource.value).toBe("shown");
    host.disconnect();
    host.connect();
    expect([resource.value, host.asked.length]).toEqual(["shown", 2]);
    host.asked[1]?.answer("newer");
    await expect.poll(() => resource.value).toBe("newer");
  });

  it("takes what the server said in answer to a change over what is still under way", async () => {
    const { host, resource } = resourceOf();
    host.connect();
    resource.put("newest");
    host.asked[0]?.answer("older");
    await Promise.resolve();
    expect([resource.value, host.asked[0]?.signal?.aborted]).toEqual(["newest", true]);
  });
});

describe("an action", () => {
  it("is busy while it lasts, keeps what went wrong until the next attempt, and never rejects", async () => {
    const host = new Host();
    const action = new Action(host);
    let end: (fault?: Error) => void = () => undefined;
    const attempt = action.run(
      () => new Promise<void>((resolve, reject) => (end = (fault) => (fault ? reject(fault) : resolve()))),
    );
    expect([action.busy, action.problem]).toEqual([true, undefined]);
    end(new Error("The shelf is full."));
    expect([await attempt, action.busy, action.problem, host.said]).toEqual([false, false, "The shelf is full.", []]);
    expect([await action.run(() => Promise.resolve(), "Tidied."), action.problem, host.said]).toEqual([
      true,
      undefined,
      [["Tidied.", "success"]],
    ]);
  });

  it("says in passing what went wrong where that is asked for, and does what comes after either way", async () => {
    const host = new Host();
    const done: boolean[] = [];
    const action = new Action(host, { notify: true, after: () => done.push(action.busy) });
    await action.run(() => Promise.reject(new Error("No.")));
    await action.run(() => Promise.resolve());
    expect([host.said, done]).toEqual([[["No.", "danger"]], [false, false]]);
  });

  it("says what is wrong with one field, when the server said so", async () => {
    const action = new Action(new Host());
    await action.run(() =>
      Promise.reject(
        Object.assign(new Error("Some fields are wrong."), {
          status: 400,
          code: "kernel/bad-input",
          details: { name: "is taken", nested: { deep: true } },
        }),
      ),
    );
    expect([action.problem, action.problemOf("name"), action.problemOf("nested"), action.problemOf("other")]).toEqual([
      "Some fields are wrong.",
      "is taken",
      undefined,
      undefined,
    ]);
    action.forget();
    expect([action.problem, action.problemOf("name")]).toEqual([undefined, undefined]);
  });

  it("shows work that throws before it has begun to wait", async () => {
    const action = new Action(new Host());
    await action.run(() => {
      throw new Error("At once.");
    });
    expect([action.busy, action.problem]).toEqual([false, "At once."]);
  });
});

describe("the wording", () => {
  it("counts in words", () => {
    expect([count(1, "file"), count(0, "file"), count(1204, "copy", "copies"), number(1204)]).toEqual([
      "1 file",
      "0 files",
      `${(1204).toLocaleString()} copies`,
      (1204).toLocaleString(),
    ]);
  });

  it("calls only what is whole 100 per cent, and only nothing 0", () => {
    expect([percent(0, 9), percent(1, 1000), percent(999, 1000), percent(9, 9), percent(0, 0)]).toEqual([
      "0%",
      "1%",
      "99%",
      "100%",
      "0%",
    ]);
  });

  it("writes sizes as disks are sold", () => {
    expect([bytes(0), bytes(999), bytes(1500), bytes(48_000_000), bytes(3_100_000_000_000), bytes(2e18)]).toEqual([
      "0 bytes",
      "999 bytes",
      "1.5 kB",
      "48 MB",
      "3.1 TB",
      `${(2000).toLocaleString()} PB`,
    ]);
  });

  it("says how long something takes, and how long ago it was", () => {
    expect([duration(-1), duration(59.4), duration(125), duration(12_000)]).toEqual([
      "0 s",
      "59 s",
      "2 min 5 s",
      "3 h 20 min",
    ]);
    const ago = (seconds: number) => fromNow(new Date(Date.now() - seconds * 1000).toISOString());
    expect([ago(3 * 3600 + 60), ago(-2 * 86_400 - 60), ago(125)]).toEqual([
      "3 hours ago",
      "in 2 days",
      "2 minutes ago",
    ]);
  });

  it("reads dates without a time of day in no zone, and leaves alone what is no date", () => {
    const shown = [day("2026-05-31"), month("2026-05-01"), month("2026"), day("some time in May"), clockTime("never")];
    expect(shown).toEqual([
      expect.stringContaining("31"),
      expect.stringContaining("May"),
      "2026",
      "some time in May",
      "never",
    ]);
  });

  it("has a sentence for whatever was thrown, and knows a plugin that is away", () => {
    expect([
      messageOf(new Error("No.")),
      messageOf("no"),
      isAway(Object.assign(new Error("gone"), { code: "kernel/no-such-path" })),
      isAway(new Error("No.")),
      isAway(undefined),
    ]).toEqual(["No.", "no", true, false, false]);
  });
});

describe("the kit in a bundle", () => {
  it("leaves out what a plugin does not use, lit included", async () => {
    expect(
      (
        await bundled(
          'import { count, messageOf } from "@longbox/sdk/ui"; globalThis.said = [count(1, "x"), messageOf("y")];',
        )
      ).length,
    ).toBeLessThan(1000);
    const styles = await bundled('import { buttons } from "@longbox/sdk/ui"; globalThis.style = buttons;');
    expect([
      styles.includes("translateY(1px)"),
      styles.includes("::backdrop"),
      styles.includes("RelativeTimeFormat"),
      styles.includes("showModal"),
    ]).toEqual([true, false, false, false]);
  });
});

it("is loaded by nothing that runs on the server, and neither is lit", async () => {
  const seen = new Set<string>();
  const follow = async (path: string): Promise<void> => {
    if (seen.has(path)) return;
    seen.add(path);
    const text = await readFile(path, "utf8");
    for (const [, specifier = ""] of text.matchAll(/\bfrom\s*"([^"]+)"|\bimport\(?\s*"([^"]+)"/g)) {
      if (specifier.startsWith(".")) await follow(join(dirname(path), specifier));
      else seen.add(specifier);
    }
  };
  for (const entry of ["index.js", "manifest.js", "testing.js", "client-build.js"]) await follow(join(dist, entry));
  expect([...seen].filter((name) => name === "lit" || name.startsWith("lit/") || name.includes("/ui/"))).toEqual([]);
  expect(seen).toContain("zod");
});
