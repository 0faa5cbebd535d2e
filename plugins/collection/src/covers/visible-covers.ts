import { NotFound, type Content, type Viewer } from "@longbox/sdk";
import { coveredIssue } from "../issues/issue-shape.js";
import type { IssueReading } from "../issues/issue-reading.js";
import type { SeriesReading } from "../series/series-reading.js";
import type { CoveredIssues } from "./covered-issues.js";
import type { CoverShape, CoversContract, CoverSubject } from "./covers-contract.js";
import type { CoveredIssue, FoundCover, KeptCovers } from "./covers.js";

/** Covers for other plugins: only of series and issues that the viewer may see. */
export class VisibleCovers implements CoversContract {
  constructor(
    private readonly parts: {
      readonly covers: KeptCovers;
      readonly coveredIssues: CoveredIssues;
      readonly issues: IssueReading;
      readonly series: SeriesReading;
    },
  ) {}

  async describe(subject: CoverSubject, shape: CoverShape, viewer: Viewer): Promise<{ validator: string } | undefined> {
    const cover = await this.#find(subject, shape, viewer);
    return cover && { validator: cover.validator };
  }

  async findCovered(subjects: readonly CoverSubject[], viewer: Viewer): Promise<readonly boolean[]> {
    const series = subjects.flatMap((subject) => ("seriesId" in subject ? [subject.seriesId] : []));
    const issues = subjects.flatMap((subject) => ("issueId" in subject ? [subject.issueId] : []));
    const [ofSeries, ofIssues] = await Promise.all([
      this.parts.coveredIssues.findOfSeries(series, viewer),
      this.parts.coveredIssues.find(issues, viewer),
    ]);
    const shown = subjects.map((subject) =>
      "issueId" in subject ? ofIssues.get(subject.issueId) : ofSeries.get(subject.seriesId),
    );
    const byId = new Map(shown.flatMap((issue) => (issue ? [[issue.issueId, issue]] : [])));
    const covered = await this.parts.covers.findCovered([...byId.values()]);
    return shown.map((issue) => issue !== undefined && covered.has(issue.issueId));
  }

  async read(subject: CoverSubject, shape: CoverShape, viewer: Viewer): Promise<Content> {
    const cover = await this.#find(subject, shape, viewer);
    if (!cover) throw new NotFound("collection/no-cover", "There is no cover.", { ...subject });
    return cover.make();
  }

  async #find(subject: CoverSubject, shape: CoverShape, viewer: Viewer): Promise<FoundCover | undefined> {
    const issue = await this.#covered(subject, viewer);
    return issue && this.parts.covers.find(issue, shape);
  }

  async #covered(subject: CoverSubject, viewer: Viewer): Promise<CoveredIssue | undefined> {
    const issueId = "issueId" in subject ? subject.issueId : await this.#ofSeries(subject.seriesId, viewer);
    if (issueId === undefined) return undefined;
    const [issue] = await this.parts.issues.finding.findAll([issueId], viewer);
    return issue && coveredIssue(issue);
  }

  async #ofSeries(seriesId: number, viewer: Viewer): Promise<number | undefined> {
    return (await this.parts.series.find(seriesId, viewer))?.cover_issue_id ?? undefined;
  }
}
