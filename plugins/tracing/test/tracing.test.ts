import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { definePlugin, defineRoute, migration } from "@longbox/sdk";
import { startTestHost, type TestHost } from "@longbox/sdk/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { startCollector, type Collector } from "./support/collector.js";

let collector: Collector;
let host: TestHost;

const things = migration("0001-things", async ({ schema, types }) => {
  await schema.createTable("things").addColumn("name", types.text).execute();
});

/** Asks its own table and another server, and can fail. */
const asking = {
  manifest: { id: "asking", title: "Asking", description: "Asks", sdk: "^1.0.0" },
  plugin: definePlugin({
    migrations: [things],
    activate(_, context) {
      const db = context.storage.database<{ things: { name: string } }>();
      context.routes([
        defineRoute({
          method: "GET",
          path: "/api/asking/{name}",
          summary: "Asks",
          access: "viewer",
          params: z.object({ name: z.string() }),
          query: z.object({ other: z.string().optional() }),
          response: z.array(z.object({ name: z.string() })),
          async handle({ params, query }) {
            if (query.other !== undefined) await (await context.fetch(query.other)).text();
            if (params.name === "broken") throw new Error("It broke.");
            return db.selectFrom("things").select("name").where("name", "=", params.name).execute();
          },
        }),
      ]);
    },
  }),
};

async function start(settings: object = {}): Promise<void> {
  host = await startTestHost({
    plugins: ["operations", "tracing", asking],
    settings: { tracing: { address: collector.url, ...settings } },
  });
}

const header = (name: string, value: string) => ({ name, value });
const named = (name: string) => collector.spans.filter((span) => span.name === name);
const collected = (name: string, count = 1) =>
  expect.poll(() => named(name).length, { timeout: 30_000 }).toBeGreaterThanOrEqual(count);

beforeEach(async () => {
  collector = await startCollector();
});
afterEach(async () => {
  await host[Symbol.asyncDispose]();
  await collector[Symbol.asyncDispose]();
});

describe("the trace of a request", () => {
  it("has the request, its queries and what it asked other servers, with their owners", async () => {
    await start();
    const other = createServer((_request, response) => response.end("fine"));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const address = encodeURIComponent(`http://127.0.0.1:${port}/secret-path?key=s3cret`);
    const [traceId, parent] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
    const began = Date.now();
    const answer = await host
      .as("viewer")
      .get(`/api/asking/v4lue?other=${address}`, { traceparent: `00-${traceId}-${parent}-01` });
    expect(answer.status).toBe(200);
    await collected("GET /api/asking/{name}");
    await new Promise((resolve) => other.close(resolve));

    const [request] = named("GET /api/asking/{name}");
    expect(request).toMatchObject({
      traceId,
      parentSpanId: parent,
      kind: 2,
      scope: "asking",
      values: { "http.route": "/api/asking/{name}", "http.response.status_code": "200", "longbox.owner": "asking" },
      status: {},
    });
    const children = collector.spans.filter((span) => span.parentSpanId === request!.spanId);
    expect(children.every((span) => span.traceId === traceId)).toBe(true);
    const query = children.find((span) => span.scope === "asking" && span.name === "SELECT");
    expect(query!.values["db.query.text"]).toContain("things");
    expect(children.find(({ name }) => name === `GET 127.0.0.1:${port}`)).toMatchObject({
      kind: 3,
      values: { "server.address": "127.0.0.1", "http.response.status_code": "200" },
    });
    for (const { startTimeUnixNano, endTimeUnixNano } of [request!, ...children]) {
      expect(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano)).toBe(true);
      expect(Number(BigInt(startTimeUnixNano) / 1_000_000n)).toBeGreaterThan(began - 2_000);
    }
    expect(JSON.stringify(children)).not.toMatch(/secret|s3cret|v4lue/);
  });

  it("says that an answer of 500 failed, and begins a trace where the client's header is none", async () => {
    await start();
    const hostile = [
      "00-0".padEnd(60, "0"),
      "x".repeat(4_000),
      "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    ];
    for (const traceparent of hostile)
      expect((await host.as("viewer").get("/api/asking/broken", { traceparent })).status).toBe(500);
    await collected("GET /api/asking/{name}", hostile.length);
    const failed = named("GET /api/asking/{name}");
    expect(failed.map(({ status, parentSpanId }) => [status, parentSpanId])).toEqual(
      hostile.map(() => [{ code: 2 }, undefined]),
    );
    expect(new Set(failed.map(({ traceId }) => traceId)).size).toBe(hostile.length);
  });

  it("is not made for what the collector is sent, nor for requests beyond the share", async () => {
    await start({ share: 50 });
    // The last 56 bits decide.
    const kept = `00-000000000000000000${"1".padStart(14, "0")}-00f067aa0ba902b7-01`;
    const left = `00-000000000000000000${"f".repeat(14)}-00f067aa0ba902b7-01`;
    for (const traceparent of [left, kept, left, kept]) await host.as("viewer").get("/api/asking/a", { traceparent });
    await collected("GET /api/asking/{name}", 2);
    // What was sent by then would have been traced by the next delivery.
    await host.as("viewer").get("/api/asking/a", { traceparent: kept });
    await collected("GET /api/asking/{name}", 3);
    expect(named("GET /api/asking/{name}")).toHaveLength(3);
    expect(collector.spans.filter(({ name }) => name.startsWith("POST 127.0.0.1"))).toEqual([]);
  });
});

describe("a collector", () => {
  it("gets the headers and the name of the service of the settings", async () => {
    await start({ headers: [header("Authorization", "Bearer k3y"), header("X-Scope", "a: b")], service: "attic" });
    await host.as("viewer").get("/api/asking/a");
    await collected("GET /api/asking/{name}");
    const [{ headers, service }] = collector.requests as [Collector["requests"][number]];
    expect([headers["authorization"], headers["x-scope"], service]).toEqual(["Bearer k3y", "a: b", "attic"]);
    const settings = (await host.as("admin").get("/api/settings")).body;
    expect(JSON.stringify(settings)).not.toContain("k3y");
  });

  it("that is busy is asked again, and the spans are not lost", async () => {
    await start();
    let refusals = 1;
    collector.answer = (_request, response) => {
      response.writeHead(503, { "Retry-After": "1" }).end();
      refusals -= 1;
      if (refusals === 0) collector.answer = undefined;
    };
    await host.as("viewer").get("/api/asking/a");
    await collected("GET /api/asking/{name}");
  });

  it("that refuses or answers with garbage is named by the health check, and delays no request", async () => {
    await start();
    const health = async () => {
      const { body } = await host.as("admin").get("/api/health/checks");
      return (body as { id: string; level: string; advice: string }[]).find(({ id }) => id === "tracing");
    };
    collector.answer = (_request, response) => response.writeHead(401).end("<html>".repeat(100_000));
    expect((await host.as("viewer").get("/api/asking/a")).status).toBe(200);
    await expect.poll(async () => (await health())?.level, { timeout: 30_000 }).toBe("warning");
    expect(await health()).toMatchObject({
      advice: expect.stringContaining("status 401"),
      link: { path: "/settings#tracing" },
    });
    collector.answer = (_request, response) => response.writeHead(200).end("}{".repeat(1_000));
    await host.as("viewer").get("/api/asking/a");
    await expect.poll(async () => (await health())?.level, { timeout: 30_000 }).toBe("ok");
  });

  it("is tried with the values of the form, by administrators only", async () => {
    await start({ address: "", headers: [header("Authorization", "Bearer k3y")] });
    const attempt = (body: object, role = "admin") => host.as(role).post("/api/tracing/test", body);
    const saved = (await host.as("admin").get("/api/settings")).body as { tracing: { headers: object[] } };
    expect(saved.tracing.headers).toEqual([{ id: expect.any(String), name: "Authorization", value: "********" }]);
    const masked = { ...saved.tracing, address: collector.url };
    expect((await attempt(masked)).body).toMatchObject({ ok: true });
    expect(collector.requests[0]!.headers["authorization"]).toBe("Bearer k3y");
    expect((await attempt({ ...masked, address: "" })).body).toMatchObject({ ok: false });
    expect((await attempt({ ...masked, address: "http://127.0.0.1:9/v1/traces" })).body).toMatchObject({ ok: false });
    expect((await attempt({ ...masked, headers: [header("A", "b\r\nEvil: c")] })).body).toMatchObject({ ok: false });
    for (const wrong of [{ address: "ftp://a" }, { share: 101 }, { service: "" }, { headers: [header("no name", "")] }])
      expect((await attempt({ ...masked, ...wrong })).status).toBe(400);
    expect((await attempt(masked, "viewer")).status).toBe(403);
    expect((await attempt(masked, "anonymous")).status).toBe(401);
    // Without an address, nothing is traced.
    await host.as("viewer").get("/api/asking/a");
    expect(collector.spans).toEqual([]);
  });
});
