import type { IssueRow, SeriesRow } from "../api.js";
import { number, t, type Card, type ClientBadge } from "@longbox/sdk/ui";

const damaged = () => t(["collection:damaged", "damaged"]);

/** The cover of a series with what is owned of it in words; badges are for what was read. */
export function seriesCard(series: SeriesRow, badges: readonly ClientBadge[] = []): Card {
  return {
    href: `/series/${series.id}`,
    cover: series.cover,
    title: series.title,
    note: [series.year, ownedOf(series)].filter((part) => part !== null && part !== "").join(" · "),
    badges,
    isMissing: series.owned === 0,
    problem: series.corrupt > 0 ? damaged() : undefined,
  };
}

export function issueCard(issue: IssueRow, seriesTitle: string, badges: readonly ClientBadge[] = []): Card {
  return {
    href: `/issue/${issue.cvIssueId}`,
    cover: issue.cover,
    title: issue.label.short,
    note: issue.label.within ?? (issue.owned ? "" : missing(issue)),
    sleeve: seriesTitle,
    number: issue.label.short,
    badges,
    isMissing: !issue.owned,
    problem: issue.corrupt ? damaged() : undefined,
  };
}

function missing({ wanted }: IssueRow): string {
  return wanted ? t(["collection:wanted", "wanted"]) : t(["collection:notOwned", "not owned"]);
}

/** `7/10`, or `10` where nothing is missing. A number that would stand alone has its word. */
function ownedOf({ year, owned, total, missing, numberGaps }: SeriesRow): string {
  if (total === 0) return "";
  if (missing + numberGaps > 0) return `${number(owned)}/${number(total + numberGaps)}`;
  return year === null ? t(["collection:owned", [["owned"], " owned"]], { owned: number(owned) }) : number(owned);
}
