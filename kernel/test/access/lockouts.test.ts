import { defineRoute } from "@longbox/sdk";
import { startKernelTestHost } from "@longbox/kernel/testing";
import { describe, expect, it } from "vitest";
import { openDoor, type DoorOptions, type OpenDoor } from "../http/open-door.js";

const limits = {
  perPair: 4,
  perAddress: 12,
  perName: 100,
  seconds: 60,
  undelayed: 3,
  firstDelayMs: 100,
  longestDelayMs: 200,
};
const right = "longbox123";

/** A door behind a proxy, so that attempts can come from several addresses. */
async function openHouse(options: DoorOptions = {}) {
  const door = await openDoor({ trustProxy: "loopback", limits, ...options });
  const headers = { "x-api-key": await door.setUp() };
  await door.member("ann");
  const login = (password: string, address: string, more: Record<string, string> = {}, username = "ann") =>
    door.ask("/api/auth/login", {
      method: "POST",
      headers: { "x-forwarded-for": address, ...more },
      body: { username, password },
    });
  return Object.assign(door, { headers, login });
}

type House = Awaited<ReturnType<typeof openHouse>>;

const basic = (door: OpenDoor, password: string, address: string) =>
  door.ask("/api/basic", {
    headers: {
      "x-forwarded-for": address,
      authorization: `Basic ${Buffer.from(`ann:${password}`).toString("base64")}`,
    },
  });

const guess = async (house: House, address: string, times = 5) => {
  for (let number = 0; number < times; number++)
    expect([401, 429]).toContain((await house.login(`guess ${number}`, address)).status);
};

const deviceOf = (answer: { headers: Record<string, string> }) =>
  /longbox_device=[\w-]{43}/.exec(answer.headers["set-cookie"] ?? "")?.[0] ?? "";

describe("wrong passwords of another client", () => {
  it("do not lock the user out at another address", async () => {
    await using house = await openHouse();
    await guess(house, "203.0.113.9");
    expect((await house.login(right, "203.0.113.9")).status).toBe(429);
    expect((await house.login(right, "198.51.100.7")).status).toBe(200);
  });

  it("do not lock the user out at the same address, if that has signed in before", async () => {
    await using house = await openHouse();
    expect((await house.login(right, "203.0.113.9")).status).toBe(200);
    await guess(house, "203.0.113.9");
    expect((await house.login(right, "203.0.113.9")).status).toBe(200);
  });

  it("lock no browser out that has signed in before, at any address and after any failures there", async () => {
    await using house = await openHouse();
    const first = await house.login(right, "198.51.100.7");
    const cookie = deviceOf(first);
    await guess(house, "203.0.113.9");
    for (let number = 0; number < 14; number++)
      expect([401, 429]).toContain((await house.login("wrong", "203.0.113.9", {}, `name-${number}`)).status);
    expect((await house.login(right, "203.0.113.9")).status).toBe(429);
    expect((await house.login(right, "203.0.113.9", { cookie })).status).toBe(200);
    const made = `longbox_device=${"A".repeat(43)}`;
    expect((await house.login(right, "203.0.113.10", { cookie: made })).status).toBe(200);
    await guess(house, "203.0.113.11");
    expect((await house.login(right, "203.0.113.11", { cookie: "longbox_device=made-up" })).status).toBe(429);
  });

  it("count for HTTP Basic alike, and those of a page for feeds", async () => {
    await using house = await openHouse();
    house.mount([
      defineRoute({ method: "GET", path: "/api/basic", acceptsBasic: true, summary: "Says yes", handle: () => "yes" }),
    ]);
    for (let number = 0; number < 4; number++)
      expect((await basic(house, `guess ${number}`, "203.0.113.9")).status).toBe(401);
    expect((await basic(house, right, "203.0.113.9")).status).toBe(429);
    expect((await house.login(right, "203.0.113.9")).status).toBe(429);
    expect((await basic(house, right, "198.51.100.7")).status).toBe(200);
    await guess(house, "198.51.100.7");
    // The address signed in by Basic, and is known for pages by that.
    expect((await house.login(right, "198.51.100.7")).status).toBe(200);
  });

  it("are still refused from many addresses at once, where the account never signed in", async () => {
    await using house = await openHouse({ limits: { ...limits, perName: 12 } });
    await house.login(right, "198.51.100.7");
    for (let number = 0; number < 12; number++)
      expect((await house.login("wrong", `203.0.113.${number}`)).status).toBe(401);
    expect((await house.login(right, "203.0.113.99")).status).toBe(429);
    expect((await house.login(right, "198.51.100.7")).status).toBe(200);
  });
});

describe("a device that is known", () => {
  it("waits longer and longer after failures, a few attempts at a time, and not after a right password", async () => {
    await using house = await openHouse({ limits: { ...limits, firstDelayMs: 1500, longestDelayMs: 1500 } });
    const cookie = deviceOf(await house.login(right, "198.51.100.7"));
    const timed = async (password: string) => {
      const started = performance.now();
      const { status } = await house.login(password, "198.51.100.7", { cookie });
      return { status, milliseconds: performance.now() - started };
    };
    for (let number = 0; number < 3; number++) expect((await timed("wrong")).status).toBe(401);
    const slowed = await timed("wrong");
    expect([slowed.status, slowed.milliseconds >= 1500]).toEqual([401, true]);
    const many = await Promise.all(Array.from({ length: 12 }, () => timed("wrong")));
    expect(many.filter(({ status }) => status === 401)).toHaveLength(3);
    expect(many.filter(({ status }) => status === 429)).toHaveLength(9);
    expect((await timed(right)).status).toBe(200);
    expect((await house.access.signInThrottle.list()).filter(({ kind }) => kind === "device")).toEqual([]);
  });
});

describe("what was counted", () => {
  it("lasts over a restart, and so do known devices", async () => {
    await using host = await startKernelTestHost({ storage: "sqlite", kernel: { trustProxy: "loopback" } });
    await host.as("admin").post("/api/users", { username: "ann", password: right });
    const login = (password: string, address: string) =>
      host.as("anonymous").post("/api/auth/login", { username: "ann", password }, { "x-forwarded-for": address });
    expect((await login(right, "198.51.100.7")).status).toBe(200);
    const guesses = [];
    for (let number = 0; number < 11; number++) guesses.push((await login("wrong", "203.0.113.9")).status);
    expect(guesses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    await host.restart();
    const refused = await login(right, "203.0.113.9");
    expect(refused).toMatchObject({ status: 429, body: { code: "kernel/too-many-attempts" } });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    for (let number = 0; number < 4; number++) expect((await login("wrong", "198.51.100.7")).status).toBe(401);
    expect((await login(right, "198.51.100.7")).status).toBe(200);
  });

  it("is seen and lifted only by users who manage accounts", async () => {
    await using house = await openHouse();
    await guess(house, "203.0.113.9");
    for (let number = 0; number < 40; number++)
      expect([401, 429]).toContain(
        (await house.login("a secret typed as a name", "203.0.113.77", {}, `x${number}`)).status,
      );
    const listed = await house.ask("/api/users/lockouts", { headers: house.headers });
    expect(listed.body).toHaveLength(2);
    expect(listed.body).toEqual(
      expect.arrayContaining([
        {
          id: expect.any(String),
          kind: "pair",
          username: "ann",
          address: "203.0.113.9",
          failures: 4,
          until: expect.any(String),
        },
        {
          id: expect.any(String),
          kind: "address",
          username: null,
          address: "203.0.113.77",
          failures: 12,
          until: expect.any(String),
        },
      ]),
    );
    expect(listed.text).not.toContain("x1");
    const { id } = listed.body.find(({ kind }: { kind: string }) => kind === "pair");
    const bob = { "x-api-key": (await house.member("bob", "trusted")).key };
    const lift = (headers: Record<string, string>) =>
      house.ask(`/api/users/lockouts/${id}`, { method: "DELETE", headers });
    expect((await house.ask("/api/users/lockouts", { headers: bob })).status).toBe(403);
    expect((await lift(bob)).status).toBe(403);
    expect((await lift(house.headers)).body).toEqual({ ok: true });
    expect((await lift(house.headers)).body).toMatchObject({ code: "kernel/lockout-not-found" });
    expect((await house.login(right, "203.0.113.9")).status).toBe(200);
  });
});
