import { describe, expect, it } from "vitest";
import { readFolderNames } from "../../src/names/folder-names.js";
import { readFolders } from "../../src/names/folders.js";

/** What each name of a folder is: series, number and what tells it from another series of its title. */
function read(folder: string, names: readonly string[]): Array<readonly (string | undefined)[]> {
  const folders = folder === "" ? [] : folder.split("/");
  const decided = readFolderNames(
    readFolders(folders),
    names.map((name) => `${name}.cbz`),
  );
  return [...decided.values()].map(({ series, number, apart }) => [series, number, apart]);
}

describe("the names of one folder", () => {
  it("keep comics of one title and number apart by the year before the number", () => {
    expect(read("", ["Moth Patrol (1961) 001", "Moth Patrol (1961) 002", "Moth Patrol (2018) 001"])).toEqual([
      ["Moth Patrol", "1", undefined],
      ["Moth Patrol", "2", undefined],
      ["Moth Patrol", "1", "2018"],
    ]);
  });

  it("are collected editions where their folder says so, and not the issues beside it", () => {
    expect(read("Moth Patrol/TPB", ["01", "02 - Dusk"])).toEqual([
      ["Moth Patrol", "TPB 1", undefined],
      ["Moth Patrol", "TPB 2", undefined],
    ]);
    expect(read("Moth Patrol/Hardcovers", ["Moth Patrol 03"])).toEqual([["Moth Patrol", "HC 3", undefined]]);
    expect(read("Omnibus", ["001"])).toEqual([["Omnibus", "1", undefined]]);
  });

  it("have dates for numbers where nothing else tells them apart", () => {
    expect(read("Moth Patrol", ["Moth Patrol (Jan 1999)", "Moth Patrol (Feb 1999)"])).toEqual([
      ["Moth Patrol", "1999.01", undefined],
      ["Moth Patrol", "1999.02", undefined],
    ]);
    expect(read("Moth Patrol", ["Moth Patrol 2019-12", "Moth Patrol 2019-13"])).toEqual([
      ["Moth Patrol", "2019.12", undefined],
      ["Moth Patrol", "2019.13", undefined],
    ]);
    expect(read("Moth Patrol", ["Moth Patrol (Jan 1999)", "Moth Patrol 2"])).toEqual([
      ["Moth Patrol", undefined, undefined],
      ["Moth Patrol", "2", undefined],
    ]);
  });

  it("are of the folder's series where none of them names one, and of a longer title where a number follows it", () => {
    expect(read("Moth Patrol", ["Chapter 1 - Dusk", "Chapter 2 - Dawn", "Chapter 3 - Noon", "Epilogue"])).toEqual([
      ["Moth Patrol", "1", undefined],
      ["Moth Patrol", "2", undefined],
      ["Moth Patrol", "3", undefined],
      ["Moth Patrol", undefined, undefined],
    ]);
    expect(read("Moth Patrol", ["Moth Patrol 2099 001", "Moth Patrol 001"])).toEqual([
      ["Moth Patrol 2099", "1", undefined],
      ["Moth Patrol", "1", undefined],
    ]);
  });

  it("keep them apart by volume", () => {
    expect(read("Moth Patrol", ["Moth Patrol v1 001", "Moth Patrol v2 001", "Moth Patrol v2 002"])).toEqual([
      ["Moth Patrol", "1", undefined],
      ["Moth Patrol", "1", "v2"],
      ["Moth Patrol", "2", "v2"],
    ]);
  });

  it("keep them apart by the years of the issues, where a number comes back after a pause", () => {
    expect(
      read("", [
        "Moth Patrol 001 (1961)",
        "Moth Patrol 012 (1962)",
        "Moth Patrol 001 (2018)",
        "Moth Patrol 060 (2018)",
      ]),
    ).toEqual([
      ["Moth Patrol", "1", undefined],
      ["Moth Patrol", "12", undefined],
      ["Moth Patrol", "1", "2018"],
      ["Moth Patrol", "60", "2018"],
    ]);
  });

  it("are a series of annuals in a folder of annuals, and annuals of their series elsewhere", () => {
    const names = ["Moth Patrol Annual 001 (1961)", "Moth Patrol Annual v2 #2"];
    expect(read("Moth Patrol Annual (1961)", names)).toEqual([
      ["Moth Patrol Annual", "1", undefined],
      ["Moth Patrol Annual", "2", undefined],
    ]);
    expect(read("Moth Patrol (1958)", names)).toEqual([
      ["Moth Patrol", "Annual 1", undefined],
      ["Moth Patrol", "Annual 2", undefined],
    ]);
    expect(read("Moth Patrol Special", ["Moth Patrol Special 1"])).toEqual([["Moth Patrol Special", "1", undefined]]);
  });

  it("leave together what has no number twice: a long run, volumes of chapters, two scans of one issue", () => {
    const together = [
      ["Moth Patrol 001 (1961)", "Moth Patrol 060 (1966)"],
      ["Akari v01 c001", "Akari v02 c008"],
      ["Moth Patrol 001 (1961) (Kilo)", "Moth Patrol 001 (1962) (TLK)"],
    ];
    for (const names of together)
      expect(new Set(read("", names).map(([, , apart]) => apart))).toEqual(new Set([undefined]));
  });

  it("are never fewer issues than files: counts, packs, annuals and one-shots of several years", () => {
    const names = [
      "Mini (1 of 3)",
      "Mini (2 of 3)",
      "Mini #1-3 (2019)",
      "Mini 1 & 2 (2019)",
      "Mini Annual (2019)",
      "Mini Annual (2020)",
      "Mini TPB (2021)",
      "Mini v01",
      "Bell (1999)",
      "Bell (2012)",
    ];
    const issues = read("", names);
    expect(new Set(issues.map((issue) => issue.join("|"))).size).toBe(names.length);
    expect(issues.slice(0, 7).map(([, number]) => number)).toEqual([
      "1",
      "2",
      "1-3",
      "1-2",
      "Annual 2019",
      "Annual 2020",
      "TPB",
    ]);
  });

  it("take the folder's name for the series where they are only numbers and titles", () => {
    expect(
      read("Lamplight/Kite Regiment (1978)", ["003 - Paper Wings", "004 - Low Water, Part 1", "5 - Team-Up 14"]),
    ).toEqual([
      ["Kite Regiment", "3", undefined],
      ["Kite Regiment", "4", undefined],
      ["Kite Regiment", "5", undefined],
    ]);
    expect(read("Kite Regiment", ["12 Paper Wings", "13 Low Water", "14 Masks"]).map(([, number]) => number)).toEqual([
      "12",
      "13",
      "14",
    ]);
  });

  it("name their series themselves in a folder that is none", () => {
    expect(read("Incoming", ["003 - Moth Patrol (1999)", "Bell 001", "Salt Road 004"])[0]).toEqual([
      "Moth Patrol",
      "3",
      undefined,
    ]);
  });

  it("are titles where they begin with the folder's name, or with numbers that are no run", () => {
    expect(read("Asterion", ["01 - Asterion le Lampiste", "02 - La Serpe", "03 - Asterion et les Masques"])).toEqual([
      ["Asterion", "1", undefined],
      ["Asterion", "2", undefined],
      ["Asterion", "3", undefined],
    ]);
    expect(read("Downloads", ["100 Kites (2010)", "52 v01 (2007)", "300 Lamps (1998)"])).toEqual([
      ["100 Kites", undefined, undefined],
      ["52", "Vol. 1", undefined],
      ["300 Lamps", undefined, undefined],
    ]);
  });

  it("take for the series what follows every number", () => {
    expect(read("Downloads", ["001 Moth Patrol", "002 Moth Patrol", "003 - Moth Patrol"])).toEqual([
      ["Moth Patrol", "1", undefined],
      ["Moth Patrol", "2", undefined],
      ["Moth Patrol", "3", undefined],
    ]);
  });

  it("have as their number what changes, and as their series what stays", () => {
    expect(read("", ["Area 61 - Sub 4 - Part 1", "Area 61 - Sub 4 - Part 2", "Area 61 - Sub 4 - Part 3"])).toEqual([
      ["Area 61 - Sub 4 - Part", "1", undefined],
      ["Area 61 - Sub 4 - Part", "2", undefined],
      ["Area 61 - Sub 4 - Part", "3", undefined],
    ]);
    expect(read("", ["Team 7 - Alpha", "Team 7 - Beta", "Team 7 - Gamma"])).toEqual([
      ["Team 7", undefined, undefined],
      ["Team 7", undefined, undefined],
      ["Team 7", undefined, undefined],
    ]);
  });

  it("do not make a series of their own of a name that is nearly the others', and say that it is uncertain", () => {
    const names = ["Moth Patrol 001", "Moth Patrol 002", "Moth Patrol 003", "Moth Patorl 004", "Moth 005", "Bell 001"];
    const decided = readFolderNames(
      readFolders(["Moth Patrol (2019)"]),
      names.map((name) => `${name}.cbz`),
    );
    expect([...decided.values()].map(({ series, number, isCertain }) => [series, number, isCertain])).toEqual([
      ["Moth Patrol", "1", true],
      ["Moth Patrol", "2", true],
      ["Moth Patrol", "3", true],
      ["Moth Patrol", "4", false],
      ["Moth Patrol", "5", false],
      ["Bell", "1", true],
    ]);
    expect(decided.get("Moth Patorl 004.cbz")?.reasons.at(-1)).toBe(
      "`Moth Patorl` is nearly Moth Patrol, as the other names of the folder have it",
    );
  });

  it("keep volumes in folders of their own apart where their numbers begin again, and chapters together", () => {
    expect(read("Moth Patrol/Volume 1 (1991)", ["009"])).toEqual([["Moth Patrol", "9", undefined]]);
    expect(read("Moth Patrol/Volume 3 (2001)", ["009"])).toEqual([["Moth Patrol", "9", "v3"]]);
    expect(read("Moth Patrol/V1999", ["005"])).toEqual([["Moth Patrol", "5", "1999"]]);
    expect(read("Moth Patrol/1999", ["1150", "1151"]).map(([, , apart]) => apart)).toEqual([undefined, undefined]);
    expect(read("Moth Patrol/2000", ["001", "002"]).map(([, , apart]) => apart)).toEqual(["2000", "2000"]);
    expect(read("Akari/Vol. 02", ["Ch. 016", "Ch. 017"])).toEqual([
      ["Akari", "16", undefined],
      ["Akari", "17", undefined],
    ]);
  });
});
