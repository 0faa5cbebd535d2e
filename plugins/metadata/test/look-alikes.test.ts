import { describe, expect, it } from "vitest";
import { runsLongTests } from "@longbox/test/needs";
import { matchLookAlikes } from "./support/match-look-alikes.js";

const [libraries, seed] = runsLongTests ? [2_000, Number(process.env["LONGBOX_SEED"] ?? 7)] : [60, 7];

describe("libraries whose provider has volumes of nearly the same names", () => {
  it(
    "are matched with no wrong volume, and nearly all of them without a person",
    async () => {
      const { matchable, matched, wrong, waiting, annuals } = await matchLookAlikes(libraries, seed);
      expect(wrong).toEqual([]);
      expect(matched / matchable, JSON.stringify(waiting)).toBeGreaterThanOrEqual(runsLongTests ? 0.95 : 0.9);
      expect(annuals.matched / annuals.matchable).toBeGreaterThanOrEqual(0.5);
    },
    runsLongTests ? 1_800_000 : 60_000,
  );
});
