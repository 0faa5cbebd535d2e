import { basename } from "node:path";
import { Conflict, type Viewer } from "@longbox/sdk";
import type { CollectionContract, Issue, PlacedFile, ReadFile, Series } from "@longbox/collection/contract";
import type { ImportedFile } from "../contract.js";
import type { InspectedPath } from "../inspecting/inspected-path.js";
import { parseName } from "../names/parse-name.js";
import { issueOf } from "../scan/identify.js";
import type { ScanIndex } from "../scan/scan-index.js";
import type { PlacementTable } from "../tables.js";
import type { PatientInspecting } from "./patient-inspecting.js";
import { answerOf, replacedOf, type Placements } from "./placements.js";

export interface KnowingParts {
  readonly collection: CollectionContract;
  readonly index: ScanIndex;
  readonly patient: PatientInspecting;
  readonly placements: Placements;
}

/** Makes placed files known to the collection at once, as the issues that they were placed as. */
export class Knowing {
  constructor(private readonly parts: KnowingParts) {}

  /** Safe to repeat. @param placement - in the state `placed` */
  async makeKnown(placement: PlacementTable, viewer: Viewer): Promise<ImportedFile> {
    const { collection, patient, index, placements } = this.parts;
    const file = await patient.inspect(placement.goal!);
    const series = await collection.findSeries(placement.series_id!, viewer);
    if (!file || !series)
      throw new Conflict("files/not-placed", "The file was placed, and was taken away again by another program.");
    const [issue] = placement.issue_id === null ? [] : await collection.findIssues([placement.issue_id], viewer);
    await this.takeOver(placement);
    if (series.path === undefined) await collection.pinFolder(series.id, folderOf(file.path));
    const read = readFileOf(file, { series, issue, libraryId: placement.library_id! });
    const placed = await collection.placeFiles([read]);
    await index.remember(
      [
        {
          file: read,
          state: { modifiedMs: file.modifiedMs, tagsMs: file.tagsMs, format: file.format! },
          isKnown: false,
          fingerprint: file.fingerprint,
          partialMd5: file.partialMd5,
          details: file.inspection.details as string | undefined,
          // A person, or another plugin, has said which issue it is.
          doubts: undefined,
        },
      ],
      placed,
    );
    await this.#forgetReplaced(placement);
    const { issueId, seriesId } = placed[0] as PlacedFile;
    const done = { state: "done", placed_issue_id: issueId, series_id: seriesId };
    await placements.change(placement.key, done);
    return answerOf({ ...placement, ...done });
  }

  /** The record of the replaced file, with a person's assignment, becomes that of the new one. */
  async takeOver(placement: PlacementTable): Promise<void> {
    const [first] = replacedOf(placement);
    if (first && first.from !== placement.goal)
      await this.parts.collection.moveFiles([{ from: first.from, to: placement.goal! }]);
  }

  async #forgetReplaced(placement: PlacementTable): Promise<void> {
    const gone = replacedOf(placement).flatMap(({ from }) => (from === placement.goal ? [] : [from]));
    if (gone.length === 0) return;
    await this.parts.collection.removeFiles(gone);
    await this.parts.index.forget(gone);
  }
}

/** The file's metadata, completed with what is known of its series and of the requested issue. */
function readFileOf(
  file: InspectedPath,
  { series, issue, libraryId }: { series: Series; issue: Issue | undefined; libraryId: number },
): ReadFile {
  const { measure, reading, tagged, error } = file.inspection;
  const name = basename(file.path);
  const said = issueOf(reading, name, () => parseName(name, { series: series.title }));
  return {
    libraryId,
    path: file.path,
    name,
    sizeBytes: file.sizeBytes,
    modifiedAt: new Date(file.modifiedMs).toISOString(),
    pages: measure.kind === "pages" ? measure.pages : 0,
    seconds: measure.kind === "seconds" ? measure.seconds : undefined,
    format: file.format,
    valid: error === undefined,
    tagged,
    error,
    series: {
      name: series.title,
      folder: folderOf(file.path),
      year: series.year,
      publisher: series.publisher,
      cvId: series.cvId,
    },
    issue: issue
      ? {
          ...said,
          number: issue.number,
          kind: issue.kind,
          cvIssueId: issue.cvIssueId > 0 ? issue.cvIssueId : undefined,
          ids: undefined,
        }
      : said,
  };
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/"));
