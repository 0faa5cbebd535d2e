import type { DescribedLibraryType } from "../libraries/library-contract.js";
import type { Issue } from "../issues/issue-contract.js";
import type { Series } from "../series/series-contract.js";
import type { SearchHit } from "./search-contract.js";

/** A series as a result of a search. */
export function seriesHit({ id, title, year, publisher }: Series, score: number): SearchHit {
  return {
    group: { id: "series", label: "Series" },
    title,
    detail: [year, publisher].filter((part) => part !== undefined).join(" · "),
    href: `/series/${id}`,
    cover: `/api/collection/${id}/cover`,
    score,
  };
}

/** An issue as a result of a search: works that are known by their titles, such as books, have a group of their own. */
export function issueHit(issue: Issue, score: number, types: readonly DescribedLibraryType[]): SearchHit {
  const type = types.find(({ id }) => id === issue.type);
  const group =
    type?.words.named === "by-title" ? { id: type.id, label: type.label } : { id: "issues", label: "Issues" };
  return {
    group,
    title: issue.label.full,
    detail: issue.label.within,
    href: `/issue/${issue.cvIssueId}`,
    cover: `/api/issue/${issue.cvIssueId}/cover`,
    score,
  };
}
