import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseName } from "../../src/names/parse-name.js";
import { rules } from "../../src/names/rules.js";

describe("the rules for names", () => {
  it.each(rules.map(({ id, example }) => [id, ...example] as const))("%s: %s", (id, name, series, number) => {
    const hints = id === "known series" || id === "ordinal" ? { series } : {};
    expect([parseName(name, hints).series, parseName(name, hints).number]).toEqual([series, number]);
  });

  it("stand in the README in their order", () => {
    const readme = readFileSync(new URL("../../src/names/README.md", import.meta.url), "utf8");
    const cells = readme.split("\n").flatMap((line) => /^\| ([a-z ]+) \| `(.*?)` \|/.exec(line)?.slice(1, 3) ?? []);
    expect(cells).toEqual(rules.flatMap(({ id, example }) => [id, example[0]]));
  });
});

describe("the reasons", () => {
  it.each([
    ["Nattklockan Nr 5.cbz", "`Nr` is a number word, German, Dutch, Swedish, Danish"],
    ["Moth Patrol 012 c2c.cbz", "`c2c` is a scan note"],
    ["Moth Patrol 012 (1999).cbz", "`(1999)` is a year"],
    ["[Kage] Moth Patrol 012.cbz", "`[Kage]` is a group before the name"],
    ["Moth Patrol 001-006.cbz", "`001-006` is a range: several issues, never the first of them"],
    ["밤의 종 12화.cbz", "`화` counts chapters, Korean"],
  ])("of %s say: %s", (name, reason) => expect(parseName(name).reasons).toContain(reason));

  it("are given with a warning where another reading is as likely", () => {
    expect(parseName("Moth Patrol 3 Homecoming.cbz")).toMatchObject({ number: "3", isCertain: false });
    expect(parseName("Moth Patrol 003 Homecoming.cbz")).toMatchObject({ number: "3", isCertain: true });
  });
});

it("a name as long as 4,000 characters is read in time that grows with its length", () => {
  const parts = [
    "1 ",
    "(",
    "[a]",
    "#1 ",
    "v1 ",
    "1-",
    "Annual ",
    "c1",
    "a.",
    "第1話",
    "2019-01-01 ",
    "1 & 2 ",
    "½",
    "No. 1 2 ",
  ];
  for (const part of parts) {
    const read = parseName(part.repeat(Math.ceil(4000 / part.length)));
    expect(read.reasons.length).toBeLessThan(1000);
  }
});
