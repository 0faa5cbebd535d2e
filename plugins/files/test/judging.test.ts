import { foldTitle, systemViewer, type OptionalCapability } from "@longbox/sdk";
import type { Series } from "@longbox/collection/contract";
import type { MetadataContract } from "@longbox/metadata/contract";
import { seededRandom } from "@longbox/test/fixtures";
import { describe, expect, it } from "vitest";
import type { FoundGroup } from "../src/importing/candidate.js";
import { Judging } from "../src/importing/judging.js";

const words = ["Moth", "Patrol", "The", "Salt", "Night", "Bell", "and", "Orbital", "2", "Annual"];
const series = (id: number, title: string, year: number | undefined): Series => ({
  id,
  cvId: id + 1000,
  title,
  publisher: undefined,
  year,
  type: "comic",
  libraryId: 1,
  restricted: false,
  addedAt: "2026-01-01T00:00:00Z",
  path: undefined,
  aliases: [],
  monitor: "all",
  monitorFrom: undefined,
});
const group = (name: string, year: number | undefined): FoundGroup => ({
  folder: "/inbox",
  name,
  year,
  publisher: undefined,
  files: [],
  cvIds: [],
});
const noProvider = { available: () => false } as OptionalCapability<MetadataContract>;

describe("judging what waits in the import folder", () => {
  it("takes nothing for certain but the same title and year, once (2,000 random collections)", async () => {
    const random = seededRandom(5);
    const title = () => Array.from({ length: random.between(1, 3) }, () => random.pick(words)).join(" ");
    const year = () => (random.next() < 0.3 ? undefined : random.between(2018, 2020));
    let certain = 0;
    for (let round = 0; round < 2000; round++) {
      const known = Array.from({ length: 12 }, (_, id) => series(id + 1, title(), year()));
      const wanted = group(title(), year());
      const judging = new Judging({ listSeries: async () => ({ items: known, total: known.length }) }, noProvider, {
        all: () => [],
      });
      const { confidence, match } = await judging.judge(wanted, systemViewer);
      if (confidence !== "high") continue;
      certain++;
      const alike = known.filter((one) => foldTitle(one.title) === foldTitle(wanted.name) && one.year === wanted.year);
      expect(wanted.year).toBeDefined();
      expect(alike.map(({ id }) => id)).toEqual([match?.seriesId]);
    }
    expect(certain).toBeGreaterThan(20);
  });

  it("believes an id in the files, and not several", async () => {
    const judging = new Judging({ listSeries: async () => ({ items: [], total: 0 }) }, noProvider, { all: () => [] });
    expect(await judging.judge({ ...group("x", undefined), cvIds: [77] }, systemViewer)).toMatchObject({
      confidence: "high",
      match: { cvId: 77 },
    });
    expect(await judging.judge({ ...group("x", undefined), cvIds: [77, 78] }, systemViewer)).toMatchObject({
      confidence: "low",
      match: undefined,
    });
  });
});
