import { defineRoute, idParameter, reply } from "@longbox/sdk";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { describeApi } from "../../dist/http/routing/openapi.js";
import { openDoor } from "./open-door.js";

describe("the status", () => {
  it("joins what plugins say, as this viewer may hear it, and leaves out one that fails", async () => {
    const said: string[] = [];
    await using door = await openDoor({
      statusParts: [
        { read: async (viewer) => ({ counts: { series: 3 }, seenBy: viewer.user.username }) },
        { read: async () => Promise.reject(new Error("the index is away")) },
      ],
    });
    const key = await door.setUp();
    const { body } = await door.ask("/api/status", { headers: { "x-api-key": key } });
    expect(body).toEqual({
      version: "1.2.3",
      startedAt: expect.stringMatching(/Z$/),
      counts: { series: 3 },
      seenBy: "admin",
    });
    said.push(...door.lines.filter((line) => line.level === "warn").map((line) => String(line.fields["plugin"])));
    expect(said).toEqual(["tester"]);
  });

  it("does not wait for a plugin that never answers", async () => {
    await using door = await openDoor({ statusParts: [{ read: () => new Promise(() => {}) }] });
    expect((await door.ask("/api/status")).body).toMatchObject({ version: "1.2.3" });
  });
});

describe("the OpenAPI document", () => {
  const routes = [
    defineRoute({
      method: "POST",
      path: "/api/box/{id}",
      summary: "Fill a box",
      access: "library.manage",
      acceptsBasic: true,
      params: z.object({ id: idParameter }),
      query: z.object({ deep: z.string().optional() }),
      body: z.object({ name: z.string().max(10) }),
      response: z.object({ filled: z.boolean() }),
      handle: () => ({ filled: true }),
    }),
    defineRoute({
      method: "GET",
      path: "/api/box/{id}/picture",
      summary: "A picture",
      params: z.object({ id: idParameter }),
      responseType: "image/webp",
      handle: () => reply.empty(),
    }),
  ];

  it("is valid OpenAPI 3.1, by an independent validator", async () => {
    await using door = await openDoor();
    door.mount(routes);
    const { body } = await door.ask("/api/openapi.json");
    const validator = new Validator();
    const result = await validator.validate(structuredClone(body));
    expect(result.errors).toBeUndefined();
    expect([result.valid, validator.version]).toEqual([true, "3.1"]);
  });

  it("describes exactly the routes that are there, and follows their coming and going", async () => {
    await using door = await openDoor();
    const operations = async () => {
      const { paths } = (await door.ask("/api/openapi.json")).body as { paths: Record<string, object> };
      return Object.entries(paths)
        .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
        .sort();
    };
    const before = await operations();
    expect(before).toEqual(
      door.door.routes
        .list()
        .map(({ route }) => `${route.method} ${route.path}`)
        .sort(),
    );
    const mounted = door.mount(routes);
    expect((await operations()).filter((operation) => !before.includes(operation))).toEqual([
      "GET /api/box/{id}/picture",
      "POST /api/box/{id}",
    ]);
    await mounted.release();
    expect(await operations()).toEqual(before);
  });

  it("leaves out the shapes that cannot be shown, and shows everything else", async () => {
    await using door = await openDoor();
    door.mount(routes);
    const odd = z.object({ when: z.custom<Date>(() => true) });
    door.mount(
      [
        defineRoute({
          method: "POST",
          path: "/api/odd/{id}",
          summary: "Odd",
          params: z.object({ id: idParameter }),
          body: odd,
          response: odd,
          handle: () => ({ when: new Date() }),
        }),
      ],
      "odd",
    );
    door.mount(
      [
        defineRoute({
          method: "GET",
          path: "/api/namesake",
          summary: "Namesake",
          response: z.object({ other: z.string() }).meta({ id: "Error" }),
          handle: () => ({ other: "" }),
        }),
      ],
      "namesake",
    );
    const { body } = await door.ask("/api/openapi.json");
    expect((await new Validator().validate(structuredClone(body))).errors).toBeUndefined();
    expect(body.paths["/api/odd/{id}"].post).toMatchObject({
      summary: "Odd",
      description: "Its schemas cannot be shown.",
      parameters: [{ name: "id", in: "path" }],
    });
    expect(body.paths["/api/namesake"].get.summary).toBe("Namesake");
    expect(body.paths["/api/box/{id}"].post.requestBody).toBeDefined();
    expect(body.components.schemas.Error.properties).toHaveProperty("code");
  });

  it("keeps shapes without a name apart that refer to themselves in several plugins", async () => {
    await using door = await openDoor();
    const itself = (name: string): z.ZodType =>
      z.object({ [name]: z.string(), parts: z.lazy(() => z.array(shapes[name]!)) });
    const shapes: Record<string, z.ZodType> = { one: itself("one"), two: itself("two") };
    for (const owner of ["one", "two"])
      door.mount(
        [
          defineRoute({
            method: "GET",
            path: `/api/${owner}`,
            summary: owner,
            response: shapes[owner]!,
            handle: () => ({ [owner]: "", parts: [] }),
          }),
        ],
        owner,
      );
    const { body } = await door.ask("/api/openapi.json");
    expect((await new Validator().validate(structuredClone(body))).errors).toBeUndefined();
    for (const owner of ["one", "two"]) {
      const shown = JSON.stringify(body.paths[`/api/${owner}`].get.responses[200]);
      const [, name] = /"#\/components\/schemas\/([^"]+)"/.exec(shown) ?? [];
      expect(Object.keys(body.components.schemas[name!].properties)).toEqual([owner, "parts"]);
    }
  });

  it("lets other requests through while it is made of many plugins", async () => {
    await using door = await openDoor();
    for (let owner = 0; owner < 20; owner++)
      door.mount(
        [
          defineRoute({
            method: "GET",
            path: `/api/owner-${owner}`,
            summary: "Owner",
            response: z.object({ id: z.number() }).meta({ id: `Owner${owner}` }),
            handle: () => ({ id: owner }),
          }),
        ],
        `owner-${owner}`,
      );
    await describeApi(door.door.routes, "1.0.0")();
    let turns = 0;
    const count = () => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    await describeApi(door.door.routes, "1.0.0")();
    clearImmediate(next);
    expect(turns).toBeGreaterThanOrEqual(20);
  });

  it("says what an operation takes, gives and asks for", async () => {
    await using door = await openDoor();
    door.mount(routes);
    const { paths } = (await door.ask("/api/openapi.json")).body;
    expect(paths["/api/box/{id}"].post).toMatchObject({
      tags: ["tester"],
      "x-permission": "library.manage",
      security: [{ key: [] }, { bearer: [] }, { session: [] }, { basic: [] }],
      parameters: expect.arrayContaining([
        expect.objectContaining({ in: "path", name: "id", required: true }),
        expect.objectContaining({ in: "query", name: "deep" }),
      ]),
      requestBody: {
        required: true,
        content: { "application/json": { schema: { properties: { name: { type: "string", maxLength: 10 } } } } },
      },
    });
    expect(paths["/healthz"].get.security).toEqual([]);
    expect(Object.keys(paths["/api/box/{id}/picture"].get.responses["200"].content)).toEqual(["image/webp"]);
  });
});

describe("the metrics", () => {
  it("count answers and their times by route, in Prometheus' format", async () => {
    await using door = await openDoor();
    for (let round = 0; round < 3; round++) await door.ask("/healthz");
    const login = await door.ask("/api/auth/login", { method: "POST", body: { username: "x", password: "y" } });
    expect(login.status).toBe(401);
    const { text, headers } = await door.ask("/api/metrics");
    expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(text).toContain('longbox_http_requests_total{method="GET",route="/healthz",plugin="kernel",status="200"} 3');
    expect(text).toContain(
      'longbox_http_requests_total{method="POST",route="/api/auth/login",plugin="kernel",status="401"} 1',
    );
    expect(text).toContain(
      'longbox_http_request_duration_seconds_count{method="GET",route="/healthz",plugin="kernel"} 3',
    );
    expect(text).toContain(
      'longbox_http_request_duration_seconds_bucket{method="GET",route="/healthz",plugin="kernel",le="+Inf"} 3',
    );
    expect(text).toContain("process_resident_memory_bytes");
    for (const line of text.trimEnd().split("\n")) expect(line).toMatch(/^(#.*|[a-z_][a-z0-9_]*(\{[^}]*\})? \S+|)$/i);
  });
});
