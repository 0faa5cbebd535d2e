import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(fileURLToPath(new URL(path, root)), "utf8");

it("every promise of the README names a test that there is", () => {
  const page = read("kernel/README.md").split("## What Longbox promises")[1]!.split("\n## ")[0]!;
  const rows = page.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| Promise"));
  const broken = rows.filter((row) => {
    const [, file, sentence] = /\| `([^`]+)`: (.+) \|$/.exec(row) ?? [];
    return file === undefined || sentence === undefined || !read(file).includes(sentence);
  });
  expect(rows.length).toBeGreaterThan(20);
  expect(broken).toEqual([]);
});
