import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { goOut } from "./going-out.js";

const longestAtOnce = 64 * 1024;
const rowsSchema = z.object({ rows: z.array(z.object({ id: z.number(), name: z.string().nullish() })) });

/** Lengths of everything that this process parses on its main thread: the kernel runs in it. */
function watchParsing(): number[] {
  const lengths: number[] = [];
  const original = JSON.parse;
  vi.spyOn(JSON, "parse").mockImplementation((text: string, ...rest) => {
    lengths.push(text.length);
    return original(text, ...rest) as unknown;
  });
  return lengths;
}

afterEach(() => {
  vi.restoreAllMocks();
});

/** Opens a server elsewhere that answers with these documents by path. */
const serving = (documents: Readonly<Record<string, string>>) =>
  goOut(({ url }, response) => void response.end(documents[url!.slice(1)]));

describe("JSON of another server", () => {
  it("of five megabytes is parsed in a thread, which hands over what the schema names", async () => {
    const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `n${id}`, rest: { x: "x".repeat(200) } }));
    const text = JSON.stringify({ rows, more: rows.slice(0, 1000) });
    expect(text.length).toBeGreaterThan(5_000_000);
    await using out = await serving({
      long: text,
      some: JSON.stringify(rows.slice(0, 2000)),
      short: JSON.stringify({ rows: rows.slice(0, 3) }),
    });
    const lengths = watchParsing();
    const healthy: number[] = [];
    const asking = (await out.fetch(`${out.url}long`)).json(rowsSchema);
    while (healthy.length < 5) healthy.push((await fetch(`${out.host.url}/healthz`)).status);
    expect((await asking).rows).toEqual(rows.map(({ id, name }) => ({ id, name })));
    expect(new Set(healthy)).toEqual(new Set([200]));
    expect(await (await out.fetch(`${out.url}short`)).json(rowsSchema)).toEqual({
      rows: rows.slice(0, 3).map(({ id, name }) => ({ id, name })),
    });
    // Without a schema everything comes.
    expect(await (await out.fetch(`${out.url}some`)).json()).toEqual(rows.slice(0, 2000));
    expect(Math.max(...lengths)).toBeLessThanOrEqual(longestAtOnce);
  });

  it("that is deep, crowded, broken, or of another shape is refused, and says which", async () => {
    const deep = (levels: number, size = 0) => `${"[".repeat(levels)}"${"x".repeat(size)}"${"]".repeat(levels)}`;
    await using out = await serving({
      deep: deep(101),
      "deep-and-long": deep(2_000_000),
      "deep-at-the-limit": deep(99, 100_000),
      crowded: `[${"0,".repeat(2_500_000)}0]`,
      broken: "[1,",
      "broken-and-long": `[${"1,".repeat(100_000)}`,
      "no-text": `"${"\u0000".repeat(100_000)}"`,
      other: JSON.stringify({ rows: [{ id: 1 }, { id: "two" }] }),
    });
    const lengths = watchParsing();
    const read = (path: string, schema: z.ZodType = z.unknown()) =>
      out.fetch(out.url + path).then((answer) => answer.json(schema));
    const refused = (problem: string) => ({
      kind: "upstream",
      code: "kernel/answer-unreadable",
      details: { problem },
    });
    await expect(read("deep")).rejects.toMatchObject(refused("too-deep"));
    await expect(read("deep-and-long")).rejects.toMatchObject(refused("too-deep"));
    await expect(read("deep-at-the-limit")).resolves.toBeDefined();
    await expect(read("crowded")).rejects.toMatchObject(refused("too-many-values"));
    await expect(read("broken")).rejects.toMatchObject(refused("malformed"));
    await expect(read("broken-and-long")).rejects.toMatchObject(refused("malformed"));
    await expect(read("no-text")).rejects.toMatchObject(refused("malformed"));
    await expect(read("other", rowsSchema)).rejects.toMatchObject({
      message: expect.stringContaining("rows.1.id"),
      details: { problem: "unexpected", fields: { "rows.1.id": expect.any(String) } },
    });
    // The thread that read all this is as good as before.
    await expect(read("deep-at-the-limit")).resolves.toBeDefined();
    expect(Math.max(...lengths)).toBeLessThanOrEqual(longestAtOnce);
  });

  it("keeps what a schema takes by other ways than a key's name", async () => {
    const filler = "x".repeat(longestAtOnce);
    const document = {
      filler,
      counts: { a: { n: 1, m: 2 }, b: { n: 3, m: 4 } },
      either: [{ id: 1, no: 1 }, "two", { name: "three", no: 3 }],
      loose: { any: { thing: [1] } },
      pair: [1, { two: 2 }],
      text: "12",
      missing: null,
    };
    const schema = z.object({
      counts: z.record(z.string(), z.object({ n: z.number() })),
      either: z.array(z.union([z.string(), z.object({ id: z.number() }), z.object({ name: z.string() })])),
      loose: z.looseObject({}),
      pair: z.tuple([z.number(), z.object({ two: z.number() })]),
      text: z.coerce.number(),
      missing: z.object({ x: z.number() }).nullish().catch(undefined),
      absent: z.array(z.number()).default([7]),
    });
    await using out = await serving({ document: JSON.stringify(document) });
    const inThread = await (await out.fetch(`${out.url}document`)).json(schema);
    expect(inThread).toEqual(schema.parse(document));
    expect(await out.context.parseJson(JSON.stringify({ ...document, filler: "" }), schema)).toEqual(inThread);
    const own = `{"__proto__":{"polluted":1},"counts":{"__proto__":{"n":1}},"filler":"${filler}"}`;
    const counts = z.object({ counts: z.record(z.string(), z.object({ n: z.number() })) });
    expect(Object.getPrototypeOf(await out.context.parseJson(own, counts))).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

describe("JSON that came by another way", () => {
  it("is read by the same limits, and is the sender's error", async () => {
    await using out = await serving({});
    const lengths = watchParsing();
    const bytes = new TextEncoder().encode(JSON.stringify(Array.from({ length: 50_000 }, (_, index) => index)));
    expect(await out.context.parseJson(bytes, z.array(z.number()))).toHaveLength(50_000);
    await expect(out.context.parseJson(bytes, z.array(z.number()), { maxValues: 100 })).rejects.toMatchObject({
      kind: "bad-input",
      code: "kernel/json-unreadable",
      details: { problem: "too-many-values" },
    });
    expect(Math.max(0, ...lengths)).toBeLessThanOrEqual(longestAtOnce);
  });

  it("as a request's body is parsed in a thread when it is long", async () => {
    await using out = await serving({});
    const lengths = watchParsing();
    const send = async (body: string) => {
      const headers = { "content-type": "application/json", authorization: `Bearer ${out.host.as("admin").key!}` };
      const answer = await fetch(`${out.host.url}/api/roles`, { method: "POST", headers, body });
      return [answer.status, ((await answer.json()) as { code?: string }).code];
    };
    const name = { name: "helpers", permissions: [] };
    expect(await send(JSON.stringify({ ...name, padding: "x".repeat(500_000) }))).toEqual([201, undefined]);
    expect(await send(`{"a":[${"0,".repeat(400_000)}0]}`)).toEqual([400, "kernel/body-too-many-values"]);
    expect(await send(`{"a":${"[".repeat(300_000)}${"]".repeat(300_000)}}`)).toEqual([400, "kernel/body-too-deep"]);
    expect(await send(`{"a":${"x".repeat(300_000)}}`)).toEqual([400, "kernel/body-malformed"]);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(longestAtOnce);
  });
});
