import { connect, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import {
  BadInput,
  Conflict,
  defineRoute,
  idParameter,
  LongboxError,
  NotFound,
  reply,
  UpstreamFailure,
} from "@longbox/sdk";
import { gzipSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { openDoor } from "./open-door.js";

const text = (path: string, says: string, method: "GET" | "POST" = "GET", access = "public") =>
  defineRoute({ method, path: path as "/", access, summary: says, handle: ({ params }) => ({ says, params }) });

describe("finding a route", () => {
  it("takes a literal before a parameter, and goes back when the literal leads nowhere", async () => {
    await using door = await openDoor();
    door.mount([
      text("/api/box/counts", "counts"),
      text("/api/box/{id}", "one"),
      text("/api/box/{id}/lid", "lid"),
      text("/api/box/{id}/{side}", "side"),
    ]);
    const says = async (path: string) => (await door.ask(path)).body.says;
    expect([
      await says("/api/box/counts"),
      await says("/api/box/7"),
      await says("/api/box/counts/lid"),
      await says("/api/box/7/lid"),
      await says("/api/box/7/left"),
    ]).toEqual(["counts", "one", "lid", "lid", "side"]);
  });

  it("never reaches a handler by another spelling of its path", async () => {
    await using door = await openDoor();
    await door.setUp();
    let reached = 0;
    door.mount([
      defineRoute({
        method: "GET",
        path: "/api/secret/{id}",
        access: "system.logs",
        summary: "Secret",
        handle: () => ({ reached: ++reached }),
      }),
    ]);
    const spellings = [
      "/API/secret/1",
      "/api/Secret/1",
      "/api//secret/1",
      "//api/secret/1",
      "/api/secret/1/",
      "/api/secret//1",
      "/api/secret/./1",
      "/api/./secret/1",
      "/api/x/../secret/1",
      "/api/%73ecret/1",
      "/%61pi/secret/1",
      "/api%2fsecret/1",
      "/api/secret%2f1",
      "/api/secret/1%2f",
      "/api/secret/1;x",
      "/api/secret/1#x",
      "/api\\secret\\1",
      "/api/secret/..",
      "/api/secret/%2e%2e",
      "/api/auth/me/../../secret/1",
      "/api/secret/1\t",
      "http://127.0.0.1/api/secret/1",
      "/./api/secret/1",
      "/api/secret/1?_method=GET",
    ];
    for (const path of spellings) {
      for (const method of ["GET", "HEAD", "POST", "OPTIONS"]) {
        const answer = await raw(
          door.url,
          `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nX-HTTP-Method-Override: GET\r\nConnection: close\r\n\r\n`,
        );
        expect([path, method, /^HTTP\/1\.1 (400|401|404|405) /.test(answer)]).toEqual([path, method, true]);
      }
    }
    expect(reached).toBe(0);
  });

  it("takes the whole URL of a proxy's client for its path and query, and that URL's host for the host", async () => {
    await using door = await openDoor({ trustProxy: "" });
    await door.setUp();
    door.mount([
      defineRoute({
        method: "GET",
        path: "/api/where/{id}",
        access: "public",
        summary: "Where",
        params: z.object({ id: z.string() }),
        query: z.looseObject({}),
        handle: ({ url, params, query }) => ({ url: url.href, params, query }),
      }),
    ]);
    const get = async (target: string, method = "GET") =>
      (await raw(door.url, `${method} ${target} HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n`)).split(
        "\r\n\r\n",
      );
    const [, body = ""] = await get("HTTP://box.example:8787/api/where/a%2Fb?x=1&y=http://z/?q");
    expect(JSON.parse(body)).toEqual({
      url: "http://box.example:8787/api/where/a%2Fb?x=1&y=http://z/?q",
      params: { id: "a/b" },
      query: { x: "1", y: "http://z/?q" },
    });
    const statuses = [];
    for (const target of [
      "https://box.example/healthz",
      "http://box.example",
      "http://box.example?x",
      "http://ann@box.example/healthz",
      "http:///healthz",
      "ftp://box.example/healthz",
      "healthz",
      "http://box.example/healthz/../api",
    ]) {
      statuses.push((await get(target))[0]!.split(" ")[1]);
    }
    expect(statuses).toEqual(["200", "404", "404", "404", "404", "404", "400", "404"]);
    // Who says by the URL that he wants another host is no local admin, whatever his Host header says.
    await using open = await openDoor();
    const users = (target: string, host: string) =>
      raw(open.url, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(await users("http://evil.example/api/users", "localhost")).toMatch(/^HTTP\/1.1 401 /);
    expect(await users("http://localhost/api/users", "localhost")).toMatch(/^HTTP\/1.1 200 /);
  });

  it("answers a question about the server as a whole", async () => {
    await using door = await openDoor();
    for (const target of ["*", "http://box.example"]) {
      expect(
        await raw(door.url, `OPTIONS ${target} HTTP/1.1\r\nHost: box.example\r\nConnection: close\r\n\r\n`),
      ).toMatch(/^HTTP\/1.1 204 [^]*X-Request-Id: wire-/);
    }
    expect(await raw(door.url, "GET * HTTP/1.1\r\nHost: box.example\r\nConnection: close\r\n\r\n")).toMatch(
      /^HTTP\/1.1 404 /,
    );
  });

  it("answers HEAD where it answers GET, without a body and with the same length", async () => {
    await using door = await openDoor();
    const [head, get] = [await door.ask("/healthz", { method: "HEAD" }), await door.ask("/healthz")];
    expect(head).toMatchObject({
      status: 200,
      text: "",
      headers: { "content-length": get.headers["content-length"], etag: get.headers["etag"] },
    });
  });

  it("names the methods that a path knows when it gets another", async () => {
    await using door = await openDoor();
    door.mount([text("/api/box", "list"), text("/api/box", "make", "POST")]);
    expect(await door.ask("/api/box", { method: "DELETE" })).toMatchObject({
      status: 405,
      headers: { allow: "GET, HEAD, POST" },
      body: { code: "kernel/wrong-method" },
    });
  });

  it("swaps routes in one step, and forgets those that are released", async () => {
    await using door = await openDoor();
    const first = door.mount([text("/api/box", "old")]);
    const second = door.door.routes.mount(door.ownerOf("tester"), [text("/api/box", "new")], { instead: first });
    expect((await door.ask("/api/box")).body.says).toBe("new");
    await first.release();
    expect((await door.ask("/api/box")).body.says).toBe("new");
    await second.release();
    expect((await door.ask("/api/box")).status).toBe(404);
  });

  it("refuses a route that is taken, also with other parameter names, and names both owners", async () => {
    await using door = await openDoor();
    door.mount([text("/api/box/{id}", "mine")], "boxes");
    expect(() => door.mount([text("/api/box/{name}", "mine too")], "crates")).toThrow(/"crates".*"boxes"/);
    expect(() => door.mount([text("/api/auth/me", "me")], "crates")).toThrow(/"crates".*"kernel"/);
    expect(() => door.mount([text("/elsewhere", "out")], "crates")).toThrow(/neither under \/api\/ nor/);
    expect(() => door.mount([text("/api/fine", "odd", "GET", "no.such")], "crates")).toThrow(/no\.such/);
    expect((await door.ask("/api/fine")).status).toBe(404);
  });

  it("asks for settings.manage on every path that ends in /test", async () => {
    await using door = await openDoor();
    door.mount([text("/api/site/test", "test", "POST")]);
    await door.setUp();
    const { key } = await door.member("bob", "trusted");
    expect((await door.ask("/api/site/test", { method: "POST" })).status).toBe(401);
    expect((await door.ask("/api/site/test", { method: "POST", headers: { "x-api-key": key } })).body).toMatchObject({
      code: "kernel/forbidden",
      details: { permission: "settings.manage" },
    });
  });
});

describe("checking input", () => {
  const route = defineRoute({
    method: "POST",
    path: "/api/box/{id}",
    access: "public",
    summary: "Fill",
    params: z.object({ id: idParameter }),
    query: z.object({ deep: z.enum(["yes", "no"]).default("no") }),
    body: z.object({ name: z.string(), size: z.object({ width: z.number() }) }),
    handle: ({ params, query, body }) => ({ params, query, body }),
  });
  const good = { name: "a", size: { width: 1 }, unknown: true };

  it("hands over what the schemas made of it, and drops what they do not know", async () => {
    await using door = await openDoor();
    door.mount([route]);
    const answer = await door.ask("/api/box/7?deep=yes&more=1", { method: "POST", body: good });
    expect(answer.body).toEqual({ params: { id: 7 }, query: { deep: "yes" }, body: { name: "a", size: { width: 1 } } });
  });

  it("names each field that is wrong", async () => {
    await using door = await openDoor();
    door.mount([route]);
    const details = async (path: string, body: unknown) =>
      (await door.ask(path, { method: "POST", body })).body.details;
    expect(Object.keys(await details("/api/box/7", { size: { width: "1" } })).sort()).toEqual(["name", "size.width"]);
    expect(await details("/api/box/7", [])).toHaveProperty("body");
    expect(await details("/api/box/0", good)).toHaveProperty("id");
    expect(await details("/api/box/%ff", good)).toHaveProperty("id");
    expect(await details("/api/box/7?deep=maybe", good)).toHaveProperty("deep");
    expect(await details("/api/box/7?deep=yes&deep=no", good)).toHaveProperty("deep");
  });

  it("says what is wrong with a field in words that people use, unless its schema has some", async () => {
    await using door = await openDoor();
    door.mount([
      defineRoute({
        method: "POST",
        path: "/api/crate",
        access: "public",
        summary: "Crate",
        body: z.object({
          label: z.string().min(1),
          mark: z.string().min(3).max(8),
          weight: z.int().min(1),
          depth: z.number().positive().max(9),
          sides: z.array(z.string()).max(1),
          kind: z.enum(["wood", "tin"]),
          from: z.url(),
          by: z.email(),
          day: z.iso.date(),
          open: z.boolean(),
          lid: z.union([z.literal("none"), z.object({ hinges: z.number().multipleOf(2) })]),
          code: z.string().regex(/^[a-z]$/, "must be a letter"),
          rest: z.strictObject({}),
        }),
        handle: () => reply.empty(),
      }),
    ]);
    const wrong = {
      label: "",
      mark: "a",
      weight: 1.5,
      depth: 0,
      sides: ["a", "b"],
      kind: "tar",
      from: "here",
      by: "ann",
      day: "today",
      lid: 3,
      code: "7",
      rest: { more: 1 },
    };
    const answer = await door.ask("/api/crate", { method: "POST", body: wrong });
    expect(answer.body.details).toEqual({
      label: "must not be empty",
      mark: "must have at least 3 characters",
      weight: "must be a whole number",
      depth: "must be more than 0",
      sides: "must have at most 1 entry",
      kind: "must be one of wood, tin",
      from: "must be an address such as https://example.org",
      by: "must be an address such as ann@example.org",
      day: "must be a date such as 2026-05-01",
      open: "is missing",
      lid: "must be none, or must be an object",
      code: "must be a letter",
      rest: "has unknown fields: more",
    });
  });

  it("names a field called __proto__ as any other, and no more than fifty", async () => {
    await using door = await openDoor();
    door.mount([
      defineRoute({
        method: "POST",
        path: "/api/numbers",
        access: "public",
        summary: "Numbers",
        body: z.record(z.string(), z.number()),
        handle: () => reply.empty(),
      }),
    ]);
    const details = async (raw: string) =>
      Object.keys(
        (await door.ask("/api/numbers", { method: "POST", raw, headers: { "content-type": "application/json" } })).body
          .details,
      );
    expect(await details('{"__proto__":{"x":1},"constructor":"x"}')).toContain("constructor");
    expect(
      await details(
        JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, "x"]))),
      ),
    ).toHaveLength(50);
  });

  it("tells malformed, missing, mistyped and oversized bodies apart", async () => {
    await using door = await openDoor();
    door.mount([route]);
    const send = async (raw: string | Uint8Array, type = "application/json") => {
      const answer = await door.ask("/api/box/7", { method: "POST", raw, headers: { "content-type": type } });
      return [answer.status, answer.body.code];
    };
    expect(await send("{")).toEqual([400, "kernel/body-malformed"]);
    expect(await send(Buffer.from([0x22, 0xff, 0x22]))).toEqual([400, "kernel/body-malformed"]);
    expect(await send("")).toEqual([400, "kernel/invalid-input"]);
    expect(await send(`${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`)).toEqual([400, "kernel/body-too-deep"]);
    expect((await send(JSON.stringify({ ...good, name: '[{"\\'.repeat(1000) })))[0]).toBe(200);
    expect(await send(JSON.stringify(good), "text/plain")).toEqual([415, "kernel/body-type"]);
    const coded = await door.ask("/api/box/7", {
      method: "POST",
      raw: gzipSync(JSON.stringify(good)),
      headers: { "content-type": "application/json", "content-encoding": "gzip" },
    });
    expect([coded.status, coded.body.code]).toEqual([415, "kernel/body-coding"]);
    expect(await send(JSON.stringify({ ...good, name: "x".repeat(2_000_000) }))).toEqual([
      413,
      "kernel/body-too-large",
    ]);
    expect((await send(JSON.stringify(good), "application/json; charset=utf-8"))[0]).toBe(200);
  });

  it("stops at the limit of a body that does not say its length", async () => {
    await using door = await openDoor();
    door.mount([
      defineRoute({
        method: "POST",
        path: "/api/text",
        access: "public",
        summary: "Text",
        body: z.string(),
        bodyFormat: "text",
        bodyLimitBytes: 100,
        handle: ({ body }) => ({ length: body.length }),
      }),
    ]);
    const chunked = (chunks: string[]) =>
      raw(
        door.url,
        `POST /api/text HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join("")}0\r\n\r\n`,
      );
    expect(await chunked(["x".repeat(60), "x".repeat(40)])).toContain('{"length":100}');
    expect(await chunked(["x".repeat(60), "x".repeat(41)])).toMatch(/^HTTP\/1\.1 413 /);
  });
});

describe("errors", () => {
  const failing = (thrown: () => unknown) =>
    defineRoute({
      method: "GET",
      path: "/api/fail",
      access: "public",
      summary: "Fail",
      handle: () => Promise.reject(thrown()),
    });

  it("become the status of their kind, with their code, details and further fields", async () => {
    const kinds: Array<[() => Error, number, object]> = [
      [
        () => new BadInput("box/odd", "It is odd.", { size: "must be even" }),
        400,
        { error: "It is odd.", code: "box/odd", details: { size: "must be even" } },
      ],
      [() => new NotFound("box/none", "None."), 404, { error: "None.", code: "box/none" }],
      [
        () => new Conflict("box/busy", "Busy.", undefined, { body: { seriesId: 7 } }),
        409,
        { seriesId: 7, error: "Busy.", code: "box/busy" },
      ],
      [() => new UpstreamFailure("box/far", "Far."), 502, { error: "Far.", code: "box/far" }],
      [() => new LongboxError("storage-full", "box/full", "Full."), 507, { error: "Full.", code: "box/full" }],
    ];
    for (const [thrown, status, body] of kinds) {
      await using door = await openDoor();
      door.mount([failing(thrown)]);
      const answer = await door.ask("/api/fail");
      expect([answer.status, answer.body]).toEqual([status, body]);
      expect(door.faults).toEqual([]);
    }
  });

  it("say nothing of a fault but a request id, under which it is reported", async () => {
    await using door = await openDoor();
    door.mount([failing(() => Object.assign(new Error("SELECT secret FROM vault"), { status: 200 }))]);
    const answer = await door.ask("/api/fail");
    expect(answer).toMatchObject({
      status: 500,
      headers: { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" },
    });
    expect(answer.text).not.toMatch(/vault|\.js|at /);
    expect(answer.body.details.requestId).toBe(answer.headers["x-request-id"]);
    expect(door.faults).toHaveLength(1);
    expect(door.failed).toHaveLength(1);
  });

  it("say when to come back", async () => {
    await using door = await openDoor();
    door.mount([
      failing(() => new LongboxError("unavailable", "box/later", "Later.", undefined, { retryAfterSeconds: 1.2 })),
    ]);
    expect(await door.ask("/api/fail")).toMatchObject({ status: 503, headers: { "retry-after": "2" } });
  });
});

describe("a request in its handler", () => {
  it("warns once of a proxy that TRUST_PROXY does not name, unless it says that there is none", async () => {
    const warnings = async (options: { trustProxy?: string }) => {
      await using door = await openDoor(options);
      await door.ask("/healthz");
      expect(door.lines.filter(({ message }) => message.includes("TRUST_PROXY"))).toEqual([]);
      for (const name of ["x-forwarded-for", "x-forwarded-proto", "x-forwarded-prefix"])
        await door.ask("/healthz", { headers: { [name]: "203.0.113.9" } });
      return door.lines.filter(({ message }) => message.includes("TRUST_PROXY"));
    };
    const warning = expect.stringContaining("set TRUST_PROXY=127.0.0.1.");
    expect(await warnings({})).toEqual([{ level: "warn", message: warning, fields: { peer: "127.0.0.1" } }]);
    for (const trustProxy of ["false", "10.0.0.0/8", "loopback"]) expect(await warnings({ trustProxy })).toEqual([]);
  });

  it("knows its absolute address, as a trusted proxy tells it", async () => {
    const echo = defineRoute({
      method: "GET",
      path: "/api/echo",
      access: "public",
      summary: "Echo",
      handle: ({ url }) => ({ url: url.href }),
    });
    await using plain = await openDoor();
    plain.mount([echo]);
    const forwarded = {
      "x-forwarded-host": "books.example",
      "x-forwarded-proto": "https",
      "x-forwarded-for": "203.0.113.9",
    };
    expect((await plain.ask("/api/echo?a=1", { headers: forwarded })).body.url).toBe(`${plain.url}/api/echo?a=1`);
    await using behind = await openDoor({ trustProxy: "loopback" });
    behind.mount([echo]);
    expect((await behind.ask("/api/echo?a=1", { headers: forwarded })).body.url).toBe(
      "https://books.example/api/echo?a=1",
    );
  });

  it("hears that the client went away", async () => {
    await using door = await openDoor();
    const heard = Promise.withResolvers<string>();
    const begun = Promise.withResolvers<void>();
    door.mount([
      defineRoute({
        method: "GET",
        path: "/api/slow",
        access: "public",
        summary: "Slow",
        handle: ({ signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => {
              heard.resolve(String(signal.reason));
              reject(signal.reason);
            });
            begun.resolve();
          }),
      }),
    ]);
    const socket = connect(Number(new URL(door.url).port), "127.0.0.1");
    socket.write("GET /api/slow HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await begun.promise;
    socket.destroy();
    expect(await heard.promise).toContain("went away");
    expect(door.faults).toEqual([]);
  });

  it("leaves nothing behind with its plugin once it is answered", async () => {
    await using door = await openDoor();
    let signals: Array<WeakRef<AbortSignal>> = [];
    door.mount([
      defineRoute({
        method: "GET",
        path: "/api/listens",
        access: "public",
        summary: "Listens",
        handle({ signal }) {
          signal.addEventListener("abort", () => {});
          signals.push(new WeakRef(signal));
          return {};
        },
      }),
    ]);
    for (let round = 0; round < 50; round++) await door.ask("/api/listens");
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    await vi.waitFor(() => {
      collect();
      signals = signals.filter((reference) => reference.deref() !== undefined);
      expect(signals.length).toBeLessThan(5);
    });
  });

  it("is told to ask again when the plugin that serves it stops, which is no fault", async () => {
    await using door = await openDoor();
    const begun = Promise.withResolvers<void>();
    door.mount([
      defineRoute({
        method: "GET",
        path: "/api/slow",
        access: "public",
        summary: "Slow",
        handle: ({ signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason));
            begun.resolve();
          }),
      }),
    ]);
    const slow = door.ask("/api/slow");
    await begun.promise;
    door.abort.abort();
    expect(await slow).toMatchObject({ status: 503, body: { code: "kernel/stopped" } });
    expect(door.faults).toEqual([]);
  });

  it("is waited for when the server closes, while new connections are refused", async () => {
    await using door = await openDoor();
    const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let running = 0;
    door.mount([
      defineRoute({
        method: "GET",
        path: "/api/slow",
        access: "public",
        summary: "Slow",
        async handle() {
          if (++running === 2) begun.resolve();
          await go.promise;
          return { done: true };
        },
      }),
    ]);
    const kept = connect(Number(new URL(door.url).port), "127.0.0.1");
    kept.write("GET /api/slow HTTP/1.1\r\nHost: localhost\r\n\r\n");
    kept.resume();
    const slow = door.ask("/api/slow");
    await begun.promise;
    // The connection that asked to be kept is not waited for: the test would end by its time limit.
    const closed = door.door.close(600_000);
    await expect(door.ask("/healthz")).rejects.toThrow();
    go.resolve();
    expect((await slow).body).toEqual({ done: true });
    await closed;
  });
});

describe("every answer", () => {
  it("carries a request id of its own and the headers that keep browsers careful", async () => {
    await using door = await openDoor();
    const answers = [
      await door.ask("/healthz"),
      await door.ask("/api/nothing"),
      await door.ask("/api/auth/login", { method: "POST", raw: "{" }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 415]);
    expect(new Set(answers.map((answer) => answer.headers["x-request-id"])).size).toBe(3);
    for (const { headers } of answers)
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",
        "content-security-policy": expect.stringContaining("default-src 'none'"),
      });
  });

  it("is JSON for whatever is wrong, never HTML", async () => {
    await using door = await openDoor();
    for (const path of ["/nowhere.txt", "/api", "/api/", "/api/nothing", "/plugins/x/y/z.js"]) {
      const answer = await door.ask(path, { headers: { accept: "text/html" } });
      expect([path, answer.status, typeof answer.body?.error]).toEqual([path, 404, "string"]);
    }
  });

  it("is JSON with the right status for bytes that never become a request", async () => {
    await using door = await openDoor();
    const wrong: Array<[string, number, string]> = [
      ["HELLO THERE\r\n\r\n", 400, "kernel/request-malformed"],
      [
        `GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"x".repeat(40_000)}\r\n\r\n`,
        431,
        "kernel/headers-too-large",
      ],
      [
        "POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n",
        400,
        "kernel/request-malformed",
      ],
      [
        "POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        400,
        "kernel/request-malformed",
      ],
      ["CONNECT elsewhere.example:80 HTTP/1.1\r\nHost: elsewhere.example:80\r\n\r\n", 405, "kernel/wrong-method"],
    ];
    for (const [bytes, status, code] of wrong) {
      const [head = "", body = ""] = (await raw(door.url, bytes)).split("\r\n\r\n");
      expect([code, head.split(" ")[1], head.includes("X-Request-Id: "), JSON.parse(body)]).toEqual([
        code,
        String(status),
        true,
        { error: expect.any(String), code },
      ]);
    }
    const long = `HEAD /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"x".repeat(40_000)}\r\n\r\n`;
    expect(await raw(door.url, long)).toMatch(/^HTTP\/1\.1 431 [^]*\r\n\r\n$/);
    expect((await door.ask("/healthz")).status).toBe(200);
  });

  it("comes once: a request that breaks off after its answer gets no second one", async () => {
    await using door = await openDoor();
    door.mount([
      defineRoute({
        method: "POST",
        path: "/api/small",
        access: "public",
        summary: "Small",
        body: z.unknown(),
        bodyLimitBytes: 10,
        handle: () => reply.empty(),
      }),
    ]);
    const text = await raw(
      door.url,
      "POST /api/small HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n",
      (socket) => socket.end(),
    );
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 413"]);
  });

  it("says in our words that a host is missing, or named twice, and that an expectation is unknown", async () => {
    await using door = await openDoor();
    const says = async (headers: string) =>
      (await raw(door.url, `GET /healthz HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`)).match(
        /^HTTP\/1\.1 \d+|kernel\/[a-z-]+/g,
      );
    expect(await says("")).toEqual(["HTTP/1.1 400", "kernel/request-malformed"]);
    expect(await says("Host: a\r\nHost: b\r\n")).toEqual(["HTTP/1.1 400", "kernel/request-malformed"]);
    expect(await says("Host: a\r\nExpect: a-miracle\r\n")).toEqual(["HTTP/1.1 417", "kernel/unknown-expectation"]);
  });

  it("never has another put into it when the next request on its connection is broken", async () => {
    await using door = await openDoor();
    const stream = new PassThrough();
    door.mount([
      defineRoute({
        method: "GET",
        path: "/api/long",
        access: "public",
        summary: "Long",
        handle: () => reply.content({ kind: "stream", contentType: "text/plain", stream }),
      }),
    ]);
    stream.write("first");
    const text = await raw(door.url, "GET /api/long HTTP/1.1\r\nHost: localhost\r\n\r\n", (socket) =>
      socket.write("BROKEN\r\n\r\n"),
    );
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200"]);
    expect(text).toMatch(/first\r\n$/);
  });

  it("can be empty, made, or a way elsewhere", async () => {
    await using door = await openDoor();
    door.mount([
      defineRoute({
        method: "GET",
        path: "/api/empty",
        access: "public",
        summary: "Empty",
        handle: () => reply.empty(),
      }),
      defineRoute({
        method: "GET",
        path: "/api/made",
        access: "public",
        summary: "Made",
        handle: () => reply.created({ id: 1 }, { "X-Total-Count": "9" }),
      }),
      defineRoute({
        method: "GET",
        path: "/api/away",
        access: "public",
        summary: "Away",
        handle: () => reply.redirect("/there"),
      }),
    ]);
    expect(await door.ask("/api/empty")).toMatchObject({ status: 204, text: "" });
    expect(await door.ask("/api/made")).toMatchObject({
      status: 201,
      body: { id: 1 },
      headers: { "x-total-count": "9" },
    });
    expect(await door.ask("/api/away")).toMatchObject({ status: 302, headers: { location: "/there" } });
  });
});

/** Sends exactly these bytes and gives back all that comes. @param answered - Called once, when the answer has begun */
function raw(base: string, request: string, answered?: (socket: Socket) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(base).port), "127.0.0.1", () => socket.write(request));
    let answer = "";
    socket.on("data", (chunk) => (answer += chunk.toString()));
    if (answered) socket.once("data", () => answered(socket));
    socket.on("end", () => socket.end());
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}
