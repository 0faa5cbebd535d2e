import { FileNames } from "@longbox/files/contract";
import { startTestHost } from "@longbox/sdk/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

describe("the reader of names, for other plugins", () => {
  let host: Awaited<ReturnType<typeof startTestHost>>;
  beforeAll(async () => {
    host = await startTestHost({ plugins: ["operations", "collection", "files"] });
  });
  afterAll(() => host[Symbol.asyncDispose]());

  it("reads files and folders", async () => {
    const names = host.use(FileNames);
    expect(
      await names.readFiles(["Moth Patrol 003 (of 06) (May 2019) (Digital).cbz", "Night Bell 1.cbz"]),
    ).toMatchObject([
      { series: "Moth Patrol", number: "3", count: 6, year: 2019, month: 5, tags: ["Digital"] },
      { series: "Night Bell", number: "1" },
    ]);
    expect(await names.readFolders(["Moth Patrol (2019) [cv-4711]"])).toEqual([
      { name: "Moth Patrol", year: 2019, volume: undefined, cvId: 4711 },
    ]);
    expect(await names.readFiles(["300 004.cbz"], { series: "300" })).toMatchObject([{ series: "300", number: "4" }]);
  });

  it.each([
    ["Moth.Patrol.003.2019.Digital-LampGroup", "Moth Patrol", "3", 2019],
    ["Moth Patrol 003 (2019) (Digital) (Lamp-Group)", "Moth Patrol", "3", 2019],
    ['[03/12] - "Moth Patrol 003 (2019).cbz" yEnc (1/20)', "Moth Patrol", "3", 2019],
    ['"Moth Patrol 003 (2019).part02.rar" yEnc (01/99)', "Moth Patrol", "3", 2019],
    ["Moth Patrol 003 (2019).cbz.nzb", "Moth Patrol", "3", 2019],
    ["moth patrol 3", "moth patrol", "3", undefined],
    ["Moth Patrol #12.5", "Moth Patrol", "12.5", undefined],
    ["Moth Patrol Annual 2 (2020)", "Moth Patrol", "Annual 2", 2020],
  ])("reads the title %s", async (title, series, number, year) => {
    expect(await host.use(FileNames).readTitles([title])).toMatchObject([{ series, number, year }]);
  });

  it("answers to whatever it is given", async () => {
    const names = host.use(FileNames);
    const long = ["(", "1", "- ", '"', "v1 ", "#", "[1/2]"].map((part) => part.repeat(50_000));
    const hostile = ["", "\0", "\ud800", "#", ...long];
    for (const read of await Promise.all([names.readFiles(hostile), names.readTitles(hostile)])) {
      expect(read).toHaveLength(hostile.length);
      for (const name of read) expect(name.kind).toEqual(expect.any(String));
    }
    expect(await names.readFolders(hostile)).toHaveLength(hostile.length);
    expect(await names.readFiles(Array.from({ length: 5000 }, (_, index) => `Moth Patrol ${index}.cbz`))).toHaveLength(
      5000,
    );
  });
});
