import { describe, expect, it } from "vitest";
import { ServerLog } from "../../dist/logging/server-log.js";

function openLog(level: "debug" | "info" = "info") {
  const written: string[] = [];
  const log = new ServerLog({ level, to: { write: (line: string) => void written.push(line) } });
  return { log, written, lines: () => written.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe("the log", () => {
  it("writes one line of JSON for each entry, with where it comes from and its request", () => {
    const { log, lines } = openLog();
    log.logger("reader").info("A page was turned.", { page: 7, requestId: "r-1" });
    expect(lines()).toEqual([
      {
        level: "info",
        time: expect.stringMatching(/Z$/),
        category: "reader",
        requestId: "r-1",
        page: 7,
        msg: "A page was turned.",
      },
    ]);
  });

  it("keeps the latest lines for reading, the newest first, by level, category and text", async () => {
    const { log } = openLog();
    log.logger("reader").info("first", { title: "Moth Patrol" });
    log.logger("files").warn("second");
    log.logger("files").error("third", { requestId: "r-2" });
    const messages = async (filter: object) => (await log.ring.list(filter)).lines.map((line) => line.message);
    expect(await messages({})).toEqual(["third", "second", "first"]);
    expect(await messages({ level: "warn" })).toEqual(["third", "second"]);
    expect(await messages({ category: "reader" })).toEqual(["first"]);
    expect(await messages({ text: "moth patrol" })).toEqual(["first"]);
    expect(await messages({ limit: 1, offset: 1 })).toEqual(["second"]);
    expect(await messages({ after: 1 })).toEqual(["third", "second"]);
    expect(await log.ring.list({ limit: 1 })).toMatchObject({
      total: 3,
      categories: ["files", "reader"],
      lines: [{ id: 3, requestId: "r-2", level: "error" }],
    });
    expect(await log.ring.clear()).toBe(3);
    expect(await messages({})).toEqual([]);
  });

  it("keeps no more than its bound", async () => {
    const { log } = openLog();
    const logger = log.logger("busy");
    for (let number = 0; number < 12_000; number++) logger.info(`line ${number}`);
    const { lines, total } = await log.ring.list({ limit: 1 });
    expect(total).toBeLessThanOrEqual(5256);
    expect(lines[0]!.message).toBe("line 11999");
  });

  it("tells those who follow it of every line, until they stop", () => {
    const { log } = openLog();
    const followed: string[] = [];
    const following = log.ring.onLine((line) => followed.push(line.message));
    log.logger("a").info("one");
    void following.release();
    log.logger("a").info("two");
    expect(followed).toEqual(["one"]);
  });

  it("drops lines below its level, in both places", async () => {
    const { log, written } = openLog();
    log.logger("a").debug("unheard");
    expect(written).toEqual([]);
    expect((await log.ring.list()).total).toBe(0);
    const chatty = openLog("debug");
    chatty.log.logger("a").debug("heard");
    expect(chatty.written).toHaveLength(1);
  });

  it("takes secrets out wherever they stand, before anybody sees them", async () => {
    const { log, written } = openLog();
    const secret = "s3cr3t-v4lue-of-mine";
    const key = "lbx_0123456789abcdefghijklmnopqrstuvwxyzABCD";
    const logger = log.logger("careless");
    logger.info(`asked http://indexer.example/api?apikey=${secret}&t=search`);
    logger.info(`with ${key} and Bearer ${secret}`);
    logger.warn("fields", {
      password: secret,
      nested: { apiKey: secret, list: [{ Authorization: `Basic ${secret}` }] },
      url: `http://ann:${secret}@host.example/`,
    });
    logger.error("thrown", {
      error: Object.assign(new Error(`connect to ftp://u:${secret}@host failed`), {
        cause: new Error(`token=x?token=${secret}`),
      }),
    });
    logger.info("cookie", { header: `longbox_session=${secret}; other=1` });
    const kept = JSON.stringify(await log.ring.list({ limit: 100 }));
    for (const text of [written.join(""), kept]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(key);
      expect(text).toContain("indexer.example");
    }
  });

  it("needs neither much time nor much room for very long texts", async () => {
    const { log } = openLog();
    const logger = log.logger("a");
    const begun = process.cpuUsage();
    for (const text of [
      "a".repeat(200_000),
      `x://${"a".repeat(200_000)}`,
      "a.+-".repeat(50_000),
      "?key=".repeat(50_000),
      "Bearer ".repeat(30_000),
    ])
      logger.warn(text, { text, nested: { text }, error: new Error(text) });
    const { user, system } = process.cpuUsage(begun);
    // What takes time with the square of a text's length takes minutes for these, on any machine.
    expect((user + system) / 1000).toBeLessThan(10_000);
    for (let number = 0; number < 3_000; number++) logger.warn(`line ${number}`, { text: "x".repeat(9_000) });
    const { lines } = await log.ring.list({ limit: 10_000 });
    expect(lines[0]!.message).toBe("line 2999");
    expect(JSON.stringify(lines).length).toBeLessThan(9 * 1024 * 1024);
    expect(await log.ring.clear()).toBe(lines.length);
    logger.info("again");
    expect((await log.ring.list()).total).toBe(1);
  });

  it("survives whatever is put into its fields", async () => {
    const { log, written } = openLog();
    const cyclic: Record<string, unknown> = {
      big: 10n,
      when: new Date(NaN),
      bytes: new Uint8Array(5),
      call: () => 1,
      long: "x".repeat(100_000),
    };
    cyclic["self"] = cyclic;
    log.logger("odd").info("odd", cyclic);
    expect(written).toHaveLength(1);
    expect(written[0]!.length).toBeLessThan(100_000);
    expect(JSON.parse(written[0]!)).toMatchObject({ big: "10", when: "[invalid date]", bytes: "[5 bytes]" });
  });
});
