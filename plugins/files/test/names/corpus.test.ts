import { expect, it } from "vitest";
import { readPath } from "../../src/names/read-path.js";
import { readCorpus } from "./corpus/corpus.js";

it("names of every class and language are read: 97 of 100, series, number and year", () => {
  const worked = readCorpus().filter(({ isSetAside }) => !isSetAside);
  const wrong = worked.filter(({ path, series, number, year }) => {
    const folders = path.split("/");
    const read = readPath(folders.slice(0, -1), folders.at(-1)!);
    return read.series !== series || read.number !== number || read.year !== year;
  });
  expect(new Set(worked.map(({ language }) => language)).size).toBeGreaterThanOrEqual(10);
  expect(wrong.length / worked.length, wrong.map(({ path }) => path).join("\n")).toBeLessThanOrEqual(0.03);
});

it("a name in a folder named after its series is read as it is alone", () => {
  const alone = readCorpus().filter(({ path, about }) => !path.includes("/") && about === "plain");
  const different = alone.filter(({ path, series, number }) => {
    const read = readPath([series!], path);
    return read.series !== series || read.number !== number;
  });
  expect(different.map(({ path }) => path)).toEqual([]);
});
