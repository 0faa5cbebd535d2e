import { describe, expect, it } from "vitest";
import { listSetting } from "@longbox/sdk";
import { z } from "zod";
import { fieldsOf, fromText, NotAValue, toText, type SettingSchema } from "../client/src/shell/setting-fields.js";

const schema = z.object({
  registration: z
    .boolean()
    .default(false)
    .meta({ title: "Open registration", description: "Anybody may make an account." }),
  tagPlacement: z.enum(["embed", "sidecar"]).default("embed"),
  concurrency: z.number().int().min(1).max(8).default(2),
  apiKey: z.string().default("").meta({ title: "Key", secret: true }),
  sources: z.array(z.string()).default([]),
  limits: z.record(z.string(), z.number()).default({}),
  folders: z.array(z.object({ from: z.string(), to: z.string() })).default([]),
  program: z
    .enum(["one", "two"])
    .default("one")
    .meta({ labels: { one: "One & Co." } }),
  servers: listSetting(z.object({ url: z.string().meta({ title: "Address" }) }), { title: "Servers" }),
});
const fields = fieldsOf(z.toJSONSchema(schema, { io: "input" }) as SettingSchema);
const field = (key: string) => {
  const found = fields.find((one) => one.key === key);
  if (!found) throw new Error(`There is no field ${key}.`);
  return found;
};

describe("the form of a group of settings", () => {
  it("has one field for each setting, of the kind that its schema asks for", () => {
    expect(fields.map(({ key, kind }) => [key, kind])).toEqual([
      ["registration", "flag"],
      ["tagPlacement", "choice"],
      ["concurrency", "number"],
      ["apiKey", "secret"],
      ["sources", "lines"],
      ["limits", "json"],
      ["folders", "list"],
      ["program", "choice"],
      ["servers", "list"],
    ]);
    expect(fieldsOf(field("folders").entry!).map(({ key, kind }) => [key, kind])).toEqual([
      ["from", "text"],
      ["to", "text"],
    ]);
  });

  it("takes labels, hints, choices and bounds from the schema, and makes a label where there is none", () => {
    expect(field("registration")).toMatchObject({ label: "Open registration", hint: "Anybody may make an account." });
    expect(field("tagPlacement")).toMatchObject({ label: "Tag placement", choices: ["embed", "sidecar"] });
    expect(field("program")).toMatchObject({ choices: ["one", "two"], labels: { one: "One & Co." } });
    expect(field("concurrency")).toMatchObject({ minimum: 1, maximum: 8, whole: true });
  });

  it.each([
    ["registration", true],
    ["tagPlacement", "sidecar"],
    ["concurrency", 3],
    ["sources", ["one", "two"]],
    ["limits", { perDay: 5 }],
    ["servers", [{ id: "a", url: "http://one/" }]],
  ])("writes %s as a text that reads back as the same value", (key, value) => {
    expect(fromText(field(key), toText(field(key), value))).toEqual(value);
  });

  it("refuses a text that stands for no value", () => {
    expect(() => fromText(field("concurrency"), "many")).toThrow(NotAValue);
    expect(() => fromText(field("concurrency"), "")).toThrow(NotAValue);
    expect(() => fromText(field("limits"), "{")).toThrow(NotAValue);
  });
});
