import { HostFailure } from "@longbox/sdk";
import { describe, expect, it } from "vitest";
import { until } from "../plugins/support.js";
import { goOut } from "./going-out.js";

describe("a host", () => {
  it("rests for all plugins as long as it asks to, by seconds or by a date, and never for more than an hour", async () => {
    let wait = "7";
    await using out = await goOut((_, response) => void response.writeHead(429, { "retry-after": wait }).end());
    const host = out.context.host(out.url);
    for (const [header, least, most] of [
      ["7", 5, 7],
      [new Date(Date.now() + 20_000).toUTCString(), 17, 20],
      ["99999999", 3_590, 3_600],
    ] as const) {
      host.reset();
      wait = header;
      expect((await host.fetch(out.url)).status).toBe(429);
      const refusal = await out.other
        .host(out.url)
        .fetch(out.url)
        .catch((fault: unknown) => fault);
      expect(refusal).toMatchObject({ kind: "upstream", code: "kernel/host-resting" });
      const { retryAfterSeconds } = refusal as { retryAfterSeconds: number };
      expect([retryAfterSeconds >= least, retryAfterSeconds <= most, header]).toEqual([true, true, header]);
    }
    expect(out.other.host(out.url).state().resting).toEqual({ until: expect.any(String), reason: "It answers 429." });
  });

  it("that fails five times in a row is left alone, and a person may forget that", async () => {
    let asked = 0;
    let status = 500;
    await using out = await goOut((_, response) => void ((asked += 1), response.writeHead(status).end()));
    const [mine, others] = [out.context.host(out.url), out.other.host(out.url)];
    for (let time = 0; time < 4; time += 1) await mine.fetch(out.url);
    status = 404;
    expect((await mine.fetch(out.url)).status).toBe(404);
    status = 503;
    for (let time = 0; time < 5; time += 1) expect((await others.fetch(out.url)).status).toBe(503);
    await expect(mine.fetch(out.url)).rejects.toMatchObject({ code: "kernel/host-resting" });
    expect(asked).toBe(10);
    status = 200;
    mine.reset();
    expect((await others.fetch(out.url)).status).toBe(200);
    expect(mine.state().resting).toBeUndefined();
  });

  it("counts what plugins say is its failure, and nothing else", async () => {
    await using out = await goOut((_, response) => void response.end());
    const host = out.context.host(out.url);
    const fail = (fault: Error) => host.run(() => Promise.reject(fault)).catch((thrown: Error) => thrown.message);
    for (let time = 0; time < 6; time += 1) expect(await fail(new Error("mine"))).toBe("mine");
    for (let time = 0; time < 5; time += 1) expect(await fail(new HostFailure("theirs"))).toBe("theirs");
    await expect(host.run(async () => 1)).rejects.toMatchObject({ code: "kernel/host-resting" });
  });

  it("is asked by people first, one after the other, for as long as any plugin wants it so", async () => {
    await using out = await goOut((_, response) => void response.end());
    const order: string[] = [];
    const strict = out.other.host(out.url, { atOnce: 1, spacingMs: 1 });
    const host = out.context.host(out.url);
    const first = Promise.withResolvers<void>();
    const running = [host.run(() => first.promise)];
    const note = (name: string) => async () => void order.push(name);
    running.push(host.run(note("background"), { urgency: "background" }));
    running.push(strict.run(note("person one")), host.run(note("person two"), { urgency: "person" }));
    const given = new AbortController();
    const left = host.run(note("left"), { signal: given.signal }).catch((fault: Error) => fault.message);
    expect(host.state()).toMatchObject({ running: 1, waiting: 4 });
    given.abort(new Error("gone"));
    expect(await left).toBe("gone");
    first.resolve();
    await Promise.all(running);
    expect(order).toEqual(["person one", "person two", "background"]);
    await out.host.disable("other");
    const both = [0, 1].map(() => host.run(() => until(() => host.state().running === 2)));
    await Promise.all(both);
  });

  it("is asked for so much within an hour, of which people keep a fifth", async () => {
    await using out = await goOut((_, response) => void response.end());
    const host = out.context.host(out.url, { perHour: 5 });
    const ask = (urgency: "person" | "background", kind = "a") => host.run(async () => "ok", { urgency, kind });
    for (let time = 0; time < 4; time += 1) await ask("background");
    await expect(ask("background")).rejects.toMatchObject({ code: "kernel/host-budget-spent" });
    expect(await ask("person")).toBe("ok");
    await expect(ask("person")).rejects.toMatchObject({ code: "kernel/host-budget-spent", retryAfterSeconds: 3600 });
    expect(await ask("background", "b")).toBe("ok");
  });
});
