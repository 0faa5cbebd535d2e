import { seededRandom } from "@longbox/test/fixtures";
import { expect, it } from "vitest";
import { Places } from "../src/scan/places.js";

it("hold what lies at or below them and nothing else, and know which of them lie in others (2,000 random paths)", () => {
  const random = seededRandom(4);
  const path = () =>
    `/${Array.from({ length: 1 + Math.floor(random.next() * 4) }, () => random.pick(["a", "a b", "a0", "a-", "ü"])).join("/")}`;
  for (let round = 0; round < 100; round++) {
    const paths = Array.from({ length: Math.floor(random.next() * 6) }, path);
    const places = new Places(paths);
    const isBelow = (one: string, other: string) => one.startsWith(`${other}/`);
    expect(places.outermost.sort()).toEqual(
      [...new Set(paths)].filter((one) => !paths.some((other) => isBelow(one, other))).sort(),
    );
    for (let probe = 0; probe < 20; probe++) {
      const probed = path();
      expect(places.hold(probed), `${probed} in ${paths.join(", ")}`).toBe(
        paths.some((place) => probed === place || isBelow(probed, place)),
      );
    }
  }
});
