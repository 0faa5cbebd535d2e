import type { CollectionContract, WorkCatalogContract } from "@longbox/collection/contract";
import type { Requestable, RequestSource } from "@longbox/requests/contract";
import type { Viewer } from "@longbox/sdk";
import type { WorkCovers } from "./asking/covers.js";
import { readWorkId, type OpenLibrary } from "./asking/open-library.js";
import { NoSuchWork } from "./errors.js";
import type { BookRecords } from "./matching/book-records.js";
import { describing } from "./matching/matching.js";
import { idScheme, type FoundWork } from "./works.js";

export interface RequestingParts {
  readonly library: Pick<CollectionContract, "findIssuesByIds">;
  readonly catalog: WorkCatalogContract;
  readonly openLibrary: OpenLibrary;
  readonly covers: WorkCovers;
  readonly records: BookRecords;
  readonly pageOf: (workId: string) => string;
}

/** Books of one kind that users can request: works of Open Library, each by its id. */
export function requestSource(kind: RequestSource["kind"], parts: RequestingParts): RequestSource {
  const { openLibrary, covers } = parts;
  return {
    kind,
    idScheme,
    libraryTypes: [kind],
    async search(query, viewer) {
      const found = await openLibrary.search(query, { urgency: "person", viewer });
      await covers.remember(found, viewer);
      return await rowsOf(found, kind, { viewer, parts });
    },
    async find(externalId, viewer) {
      if (!isWorkId(externalId)) return undefined;
      const work = await openLibrary.findWork(externalId, { urgency: "person", viewer });
      if (!work) return undefined;
      await covers.remember([{ id: externalId, coverId: work.coverId }], viewer);
      const [row] = await rowsOf([{ ...work, id: externalId }], kind, { viewer, parts });
      return row;
    },
    add: (externalId, { viewer, download }) => addWork(externalId, kind, { viewer, download, parts }),
  };
}

const isWorkId = (id: string) => readWorkId(id) === id && id.endsWith("W");

/** Wants the work, with its cover and details. */
async function addWork(
  externalId: string,
  kind: RequestSource["kind"],
  { viewer, download, parts }: { readonly viewer: Viewer; readonly download: boolean; readonly parts: RequestingParts },
): Promise<{ seriesId: number; queued: number }> {
  const { openLibrary, catalog, records, pageOf } = parts;
  const work = isWorkId(externalId) ? await openLibrary.findWork(externalId, { urgency: "person", viewer }) : undefined;
  if (!work) throw new NoSuchWork(externalId);
  const wanted = describing(work, undefined, pageOf(work.id));
  const request = { viewer, libraryTypes: [kind], why: "request", download } as const;
  const { seriesId, issueId, queued } = await catalog.addWork(wanted, request);
  if (!(await records.find([issueId])).has(issueId))
    await records.put({
      issueId,
      state: "matched",
      workId: work.id,
      coverId: work.coverId,
      reasons: ["requested by a user"],
      candidates: [],
      former: undefined,
      byHand: true,
      evidence: "",
    });
  return { seriesId, queued };
}

type Row = Pick<FoundWork, "id" | "title" | "authors" | "year" | "coverId">;

/** Rows with the series that holds them, if the viewer may know of it. */
async function rowsOf(
  works: readonly Row[],
  kind: string,
  { viewer, parts }: { readonly viewer: Viewer; readonly parts: RequestingParts },
): Promise<Requestable[]> {
  const here = await parts.library.findIssuesByIds(
    idScheme,
    works.map(({ id }) => id),
    viewer,
  );
  const owned = new Map(
    here.filter(({ issue }) => issue.owned && issue.type === kind).map(({ value, issue }) => [value, issue.seriesId]),
  );
  return works.map(({ id, title, authors, year, coverId }) => ({
    externalId: id,
    title,
    authors,
    year,
    image: coverId === undefined ? undefined : `/api/open-library/works/${id}/cover`,
    seriesId: owned.get(id),
  }));
}
