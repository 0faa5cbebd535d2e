// Matching series with the provider's volumes without a person: 2,000 seeded libraries among look-alikes, such as
// relaunches, annuals, translations, collected editions and legacy numbering. No wrong match is the rule.
import { performance } from "node:perf_hooks";
import { matchLookAlikes } from "../../../../plugins/metadata/test/support/match-look-alikes.ts";
import { report } from "../measure.ts";

const libraries = Number(process.env["LONGBOX_LIBRARIES"] ?? 2_000);
const seed = Number(process.env["LONGBOX_SEED"] ?? 7);

/** Prints how many are matched, and how many wrongly. */
export async function reportMatching(bench: string): Promise<void> {
  const begun = performance.now();
  const { matchable, matched, wrong, waiting, annuals } = await matchLookAlikes(libraries, seed);
  report({
    bench,
    figure: "look-alike libraries",
    libraries,
    matchable,
    matched,
    share: matched / matchable,
    wrong: wrong.length,
    wrongOnes: wrong,
    waiting,
    seconds: (performance.now() - begun) / 1000,
    atLeast: { share: 0.95 },
    atMost: { wrong: 0 },
    goal: "0 wrong, 95 % without a person",
  });
  report({
    ...{ bench, figure: "annuals beside the issues of their series", ...annuals },
    share: annuals.matched / annuals.matchable,
    atLeast: { share: 0.95 },
    goal: "95 % without a person",
  });
}
