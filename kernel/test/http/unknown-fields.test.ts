import { definePlugin, defineRoute } from "@longbox/sdk";
import { startTestHost } from "@longbox/sdk/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openDoor } from "./open-door.js";

const bodies: Record<string, z.ZodType> = {
  plain: z.object({ name: z.string(), inner: z.object({ count: z.number() }).optional() }),
  list: z.array(z.object({ id: z.number() })),
  either: z.union([
    z.object({ kind: z.literal("a"), one: z.number() }),
    z.object({ kind: z.literal("b"), two: z.number() }),
  ]),
  both: z.intersection(z.object({ one: z.number() }), z.object({ two: z.number() })),
  loose: z.looseObject({ one: z.number() }),
  record: z.record(z.string(), z.object({ value: z.number() })),
  named: z.object({ user: z.object({ id: z.number() }).meta({ id: "NamedForThisTest" }) }),
  tree: z.object({
    name: z.string(),
    get children() {
      return z.array(bodies["tree"]!).optional();
    },
  }),
  changed: z.object({ at: z.string().transform((text) => text.length) }).transform(({ at }) => ({ length: at })),
  tuple: z.object({ pair: z.tuple([z.object({ a: z.number() }), z.number()]) }),
};

async function openBodies() {
  const door = await openDoor();
  const headers = { "x-api-key": await door.setUp() };
  door.mount(
    Object.entries(bodies).map(([name, body]) =>
      defineRoute({
        method: "POST",
        path: `/api/bodies/${name}`,
        summary: name,
        body,
        handle: (request) => request.body,
      }),
    ),
  );
  const unknown = async (name: string, body: unknown) => {
    const { status, headers: got } = await door.ask(`/api/bodies/${name}`, { method: "POST", headers, body });
    return [status, got["x-unknown-fields"]];
  };
  return Object.assign(door, { headers, unknown });
}

describe("fields that a route does not know", () => {
  it("are left out, and named wherever they stand", async () => {
    await using door = await openBodies();
    const { unknown } = door;
    const sent = { name: "x", colour: "red", inner: { count: 1, more: [{}] } };
    const answer = await door.ask("/api/bodies/plain", { method: "POST", headers: door.headers, body: sent });
    expect([answer.body, answer.headers["x-unknown-fields"]]).toEqual([
      { name: "x", inner: { count: 1 } },
      "colour, inner.more",
    ]);
    expect(await unknown("list", [{ id: 1 }, { id: 2, x: 1 }])).toEqual([200, "1.x"]);
    expect(await unknown("either", { kind: "a", one: 1, three: 3 })).toEqual([200, "three"]);
    expect(await unknown("both", { one: 1, two: 2, three: 3 })).toEqual([200, "three"]);
    expect(await unknown("record", { any: { value: 1, odd: 2 } })).toEqual([200, "any.odd"]);
    expect(await unknown("named", { user: { id: 1, age: 5 } })).toEqual([200, "user.age"]);
    expect(await unknown("tree", { name: "a", children: [{ name: "b", size: 1 }] })).toEqual([200, "children.0.size"]);
    expect(await unknown("changed", { at: "abc", by: "me" })).toEqual([200, "by"]);
    expect(await unknown("tuple", { pair: [{ a: 1, b: 2 }, 3] })).toEqual([200, "pair.0.b"]);
  });

  it("are none where everything is known, or anything may come", async () => {
    await using door = await openBodies();
    for (const [name, body] of [
      ["plain", { name: "x", inner: { count: 1 } }],
      ["either", { kind: "b", two: 2 }],
      ["both", { one: 1, two: 2 }],
      ["loose", { one: 1, any: { thing: 1 } }],
      ["record", { any: { value: 1 } }],
      ["tree", { name: "a", children: [{ name: "b", children: [] }] }],
    ] as const)
      expect([name, await door.unknown(name, body)]).toEqual([name, [200, undefined]]);
  });

  it("are named beside what is wrong, as a header can hold them, and fifty at most", async () => {
    await using door = await openBodies();
    expect(await door.unknown("plain", { nmae: "x" })).toEqual([400, "nmae"]);
    expect(await door.unknown("plain", { name: "x", "a\r\nb": 1, ü: 2, "\ud800": 3, __proto__x: 4 })).toEqual([
      200,
      "a%0D%0Ab, %C3%BC, %EF%BF%BD, __proto__x",
    ]);
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`field${at}`.repeat(50), 1]));
    const [status, named] = await door.unknown("plain", { name: "x", ...many });
    expect([status, String(named).split(", ").length]).toEqual([200, 50]);
    expect(String(named).length).toBeLessThan(6000);
  });

  it("fail the test that sends them, unless it says that it means to", async () => {
    const route = defineRoute({
      method: "POST",
      path: "/api/taker",
      access: "public",
      summary: "Takes",
      body: bodies["plain"]!,
      handle: () => ({}),
    });
    const plugin = definePlugin({ activate: (_, context) => context.routes([route]) });
    const plugins = [{ manifest: { id: "taker", title: "T", description: "", sdk: "^1.0.0" }, plugin }];
    await using strict = await startTestHost({ plugins });
    await expect(strict.as("viewer").post("/api/taker", { name: "x", nmae: "y" })).rejects.toThrow(/nmae/);
    expect((await strict.as("viewer").post("/api/taker", { name: "x" })).status).toBe(200);
    await using lenient = await startTestHost({ plugins, allowUnknownFields: true });
    expect(
      (await lenient.as("viewer").post("/api/taker", { name: "x", nmae: "y" })).headers.get("x-unknown-fields"),
    ).toBe("nmae");
  });
});
