import { argon2Sync } from "node:crypto";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { Passwords } from "../../dist/access/credentials/passwords.js";
import type { ThrottleLimits } from "../../dist/access/credentials/throttle-limits.js";
import { Proxies } from "../../dist/http/receiving/proxies.js";
import { openDoor } from "../http/open-door.js";

function heldBytes(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}

describe("throttling", () => {
  /** The throttle of a door, and as many attempts as fit before it refuses. */
  const throttleOf = async (limits: Partial<ThrottleLimits>) => {
    const door = await openDoor({ limits });
    return { door, attempt: (name: string, address: string) => door.access.signInThrottle.attempt({ name, address }) };
  };

  it("takes no more memory, however many names and addresses an attacker makes up", async () => {
    const { door, attempt } = await throttleOf({ perPair: 1e6, perAddress: 1e6, perName: 1e6, seconds: 3600 });
    await using _ = door;
    const guess = (number: number) =>
      attempt(`name-${number}`, `2001:db8:${(number >> 16).toString(16)}:${(number & 0xffff).toString(16)}::1`);
    for (let number = 0; number < 7_000; number++) await guess(number);
    const before = heldBytes();
    for (let number = 7_000; number < 10_000; number++) await guess(number);
    // A record for each count of these would be some 4 MB.
    expect(heldBytes() - before).toBeLessThan(2 * 1024 * 1024);
    const { kept } = await door.database
      .selectFrom("failure_count")
      .select(({ fn }) => fn.countAll<number>().as("kept"))
      .executeTakeFirstOrThrow();
    expect(Number(kept)).toBeLessThanOrEqual(20_000);
  }, 120_000);

  it("counts a whole IPv6 network as one address", async () => {
    const { door, attempt } = await throttleOf({ perPair: 100, perAddress: 3, seconds: 60 });
    await using _ = door;
    for (const host of ["1", "2", "3"]) await attempt(`a${host}`, `2001:db8:1:2::${host}`);
    await expect(attempt("b", "2001:db8:1:2:ffff::9")).rejects.toMatchObject({ code: "kernel/too-many-attempts" });
    await attempt("c", "2001:db8:1:3::1");
    // However short the address is written.
    for (const host of ["2001:db8::1", "2001:db8::a:b:c:d", "2001:db8::9:192.0.2.1"]) await attempt(`s${host}`, host);
    await expect(attempt("d", "2001:db8:0:0::2")).rejects.toMatchObject({ code: "kernel/too-many-attempts" });
    for (const host of ["::1", "fe80::1%eth0", "fe80::2%eth1", "1::", "2001:DB8:5:6:7:8:9:a"])
      await attempt(`o${host}`, host);
  });
});

describe("passwords", () => {
  it("that were hashed at another cost go on working", async () => {
    const passwords = new Passwords();
    const [salt, message] = [Buffer.alloc(16, 7), "longbox123"];
    const tag = argon2Sync("argon2id", {
      memory: 8_192,
      passes: 3,
      parallelism: 2,
      tagLength: 24,
      message,
      nonce: salt,
    });
    const plain = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
    const stored = `$argon2id$v=19$m=8192,t=3,p=2$${plain(salt)}$${plain(tag)}`;
    expect([await passwords.matches(message, stored), await passwords.matches("longbox124", stored)]).toEqual([
      true,
      false,
    ]);
    const own = await passwords.hash(message);
    expect([
      await passwords.matches(message, own),
      await passwords.matches("x", own),
      await passwords.matches(message, undefined),
    ]).toEqual([true, false, false]);
  });
});

describe("a change that a session asks for", () => {
  it("comes from a page of the same name and port, and where the client spoke https, from one that did", async () => {
    await using door = await openDoor({ trustProxy: "loopback" });
    await door.setUp();
    const { cookie = "" } = await door.browser("admin");
    const change = async (origin: string, protocol: string, host = "box.example") =>
      (
        await door.ask("/api/auth/hide-mature", {
          method: "POST",
          headers: { cookie, origin, host, "x-forwarded-proto": protocol },
          body: { hide: false },
        })
      ).status;
    expect([
      await change("https://box.example", "https"),
      await change("http://box.example", "http"),
      await change("https://box.example", "http"),
      await change("http://BOX.example:80", "http"),
    ]).toEqual([200, 200, 200, 200]);
    expect([
      await change("http://box.example", "https"),
      await change("https://box.example:8443", "https"),
      await change("null", "https"),
      await change("file://", "http"),
      await change("https://box.example.evil.example", "https"),
    ]).toEqual([403, 403, 403, 403, 403]);
  });
});

describe("forwarding headers", () => {
  const statuses = async (trustProxy: string | undefined, chains: string[]) => {
    await using door = await openDoor({
      limits: { perPair: 100, perAddress: 2, seconds: 60 },
      ...(trustProxy !== undefined && { trustProxy }),
    });
    await door.setUp();
    const answers = [];
    for (const [number, chain] of chains.entries()) {
      answers.push(
        (
          await door.ask("/api/auth/login", {
            method: "POST",
            headers: { "x-forwarded-for": chain },
            body: { username: `n${number}`, password: "wrong" },
          })
        ).status,
      );
    }
    return answers;
  };

  it("are believed only as far as the proxies that are trusted", async () => {
    const spoofed = ["1.1.1.1, 203.0.113.9", "2.2.2.2, 203.0.113.9", "3.3.3.3, 203.0.113.9"];
    expect(await statuses("loopback", spoofed)).toEqual([401, 401, 429]);
    expect(await statuses("loopback, 203.0.113.0/24", spoofed)).toEqual([401, 401, 401]);
  });

  it("are not believed at all when no proxy is trusted", async () => {
    expect(await statuses(undefined, ["1.1.1.1", "2.2.2.2", "3.3.3.3"])).toEqual([401, 401, 429]);
  });

  it("never make a client the local admin where all clients are believed", async () => {
    const users = async (trustProxy: string, headers: Record<string, string>) => {
      await using door = await openDoor({ trustProxy });
      return (await door.ask("/api/users", { headers: { host: "localhost", ...headers } })).status;
    };
    for (const headers of [
      { "x-forwarded-for": "127.0.0.1" },
      { "x-forwarded-for": "127.0.0.1, ::1", "x-forwarded-host": "localhost" },
    ] as Record<string, string>[])
      expect(await users("true", headers)).toBe(401);
    expect([
      await users("true", {}),
      await users("loopback", { "x-forwarded-for": "127.0.0.1" }),
      await users("loopback", { "x-forwarded-for": "203.0.113.9" }),
    ]).toEqual([200, 200, 401]);
  });

  it("with nonsense in them leave the address of the proxy", async () => {
    expect(await statuses("loopback", ["nonsense", "<script>", ", ,"])).toEqual([401, 401, 429]);
  });

  it("need a list of proxies that can be understood", () => {
    for (const list of ["10.0.0.0/99", "my-proxy", "10.0.0.1/x"])
      expect(() => new Proxies(list)).toThrow(/neither an address nor a network/);
    expect(() => new Proxies("loopback, 10.0.0.0/8, fc00::/7, 192.168.1.1, true")).not.toThrow();
  });
});
