import { readFileSync } from "node:fs";
import { translatedBy } from "@longbox/sdk";
import { describe, expect, it } from "vitest";
import { readFolderNames } from "../../src/names/folder-names.js";
import { readFolders } from "../../src/names/folders.js";
import { readPath } from "../../src/names/read-path.js";
import { rules } from "../../src/names/rules.js";
import { readCorpus } from "./corpus/corpus.js";

/** Names of one folder, which are read beside each other. */
const folders: ReadonlyArray<readonly [folder: string, names: readonly string[]]> = [
  ["Moth Patrol (2019)", ["Moth Patrol 001", "Moth Patrol 002", "Moth Patrol 003", "Moth Patorl 004"]],
  ["Moth Patrol (2019)", ["Moth Patrol 001", "Moth Patrol 002", "Moth Patrol 003", "Moth Patrol Homecoming"]],
  ["Moth Patrol", ["Moth Patrol (1961) 001", "Moth Patrol (2018) 001"]],
  ["Comics", ["001 Moth Patrol", "002 Moth Patrol", "003 Moth Patrol"]],
  ["Comics", ["Area 61 - Dawn", "Area 61 - Noon", "Area 61 - Dusk"]],
  ["Moth Patrol", ["Moth Patrol 2019-05-01", "Moth Patrol 2019-05-08"]],
  ["Moth Patrol", ["1 - Dawn", "2 - Noon", "Homecoming"]],
];

function allReasons(): ReadonlySet<string> {
  const alone = [...readCorpus().map(({ path }) => path), ...rules.map(({ example }) => example[0])].map((path) => {
    const parts = path.split("/");
    return readPath(parts.slice(0, -1), parts.at(-1)!);
  });
  const together = folders.flatMap(([folder, names]) => [
    ...readFolderNames(
      readFolders([folder]),
      names.map((name) => `${name}.cbz`),
    ).values(),
  ]);
  return new Set([...alone, ...together].flatMap(({ reasons }) => reasons));
}

describe.each(["de", "ar"])("the reasons why names are read as they are, in %s", (language) => {
  it("are all translated, with the name as it is", () => {
    const messages = new URL(`../../messages/${language}.json`, import.meta.url);
    const said = translatedBy([
      (JSON.parse(readFileSync(messages, "utf8")) as { texts: Record<string, string> }).texts,
    ]);
    const reasons = [...allReasons()];
    expect(reasons.length).toBeGreaterThan(100);
    expect(reasons.filter((reason) => said(reason) === undefined)).toEqual([]);
    const quoted = (text: string) => /`[^`]*`/.exec(text)?.[0];
    expect(reasons.filter((reason) => quoted(reason) !== quoted(said(reason)!))).toEqual([]);
  });
});
