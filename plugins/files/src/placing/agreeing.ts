import { foldIssueNumber, type Issue, type Series } from "@longbox/collection/contract";
import { Conflict, foldTitle } from "@longbox/sdk";
import type { InspectedPath } from "../inspecting/inspected-path.js";
import { issueOf } from "../scan/identify.js";

/**
 * Compares a file's tags with the issue that it was brought as. Missing tags count as agreeing.
 * @throws {Conflict} `files/other-issue`
 */
export function requireAgreement(file: InspectedPath, series: Series, issue: Issue): void {
  const { reading } = file.inspection;
  const cvId = Number(reading.ids?.["cv"]);
  if (cvId > 0 && issue.cvIssueId > 0) {
    if (cvId === issue.cvIssueId) return;
    throw otherIssue(`it has the id ${cvId} in place of ${issue.cvIssueId}`, issue);
  }
  const name = reading.series?.name === undefined ? "" : foldTitle(reading.series.name);
  const titles = [series.title, ...series.aliases].map(foldTitle);
  if (name !== "" && !titles.some((title) => title.includes(name) || name.includes(title)))
    throw otherIssue(`it is of ${reading.series!.name}`, issue);
  // Only tags are compared: the caller has chosen the file by its name.
  const number = reading.number === undefined ? "" : issueOf(reading, "", noName).number;
  if (number !== "" && issue.number !== "" && foldIssueNumber(number) !== foldIssueNumber(issue.number))
    throw otherIssue(`it is number ${number}`, issue);
}

const nothing = { kind: "issue", isCertain: true, tags: [], reasons: [] } as const;
const noName = () => ({
  ...nothing,
  ...({ series: undefined, number: undefined, volume: undefined, year: undefined, month: undefined } as const),
  ...({ day: undefined, count: undefined, title: undefined, edition: undefined, cvIssueId: undefined } as const),
});

function otherIssue(because: string, issue: Issue): Conflict {
  return new Conflict("files/other-issue", `The file is not ${issue.label.full}: ${because}.`, { issueId: issue.id });
}
