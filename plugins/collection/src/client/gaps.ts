import type { SeriesDocument } from "../api.js";
import { t } from "@longbox/sdk/ui";

/** So many gaps are named; the others are only counted. */
const mostNamed = 10;

/** `4, 6–8`, or nothing where no number is missing. */
export function gapsOf({ gaps }: Pick<SeriesDocument, "gaps">): string {
  const named = gaps.slice(0, mostNamed).map(({ from, to }) => (from === to ? String(from) : `${from}–${to}`));
  const rest = gaps.length - named.length;
  const names = named.join(", ");
  return rest > 0 ? t(["collection:andMore", [["names"], " and ", ["rest"], " more"]], { names, rest }) : names;
}
