import type { Viewer } from "@longbox/sdk";
import { extensionPoint } from "@longbox/sdk/light";
import type { LibraryType } from "../libraries/library-contract.js";

export interface Series {
  /** Stable for as long as the series exists. */
  readonly id: number;
  /** The provider's volume, once matched. */
  readonly cvId: number | undefined;
  readonly title: string;
  readonly publisher: string | undefined;
  readonly year: number | undefined;
  readonly type: LibraryType;
  readonly libraryId: number | undefined;
  readonly restricted: boolean;
  readonly addedAt: string;
  /** Other titles under which it is searched for. */
  readonly aliases: readonly string[];
  /** Which issues are wanted by themselves: all, those from `monitorFrom` on, or none. */
  readonly monitor: "all" | "new" | "none";
  readonly monitorFrom: number | undefined;
  /** The folder that the series is pinned to or was found in; absolute. */
  readonly path: string | undefined;
}

export interface SeriesQuery {
  readonly filter?: string | undefined;
  readonly search?: string | undefined;
  readonly library?: number | undefined;
  readonly publisher?: string | undefined;
  readonly sort?: "best" | "title" | "-title" | "added" | "missing" | "year" | "-year" | "latest" | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** A way to narrow lists of series by what another plugin knows: `GET /api/collection?facet={"author":"Ada Quill"}`. */
export interface SeriesFacet {
  readonly name: string;
  /** What people call it, such as `Mood`. Default: the name. */
  readonly label?: string | undefined;
  /** @throws {BadInput} when the value cannot be used */
  findSeries(value: unknown, viewer: Viewer): Promise<readonly number[]>;
  /** Its values, so that they can be offered with counts. It must leave out what is hidden from the viewer. */
  listValues?(viewer: Viewer): Promise<readonly SeriesFacetValue[]>;
  /**
   * For values that most series have: the series without it, and all other owned series are chosen. Undefined for
   * values that `findSeries` answers.
   */
  findOthers?(value: unknown, viewer: Viewer): Promise<readonly number[] | undefined>;
}

/** A value of a {@link SeriesFacet}. */
export interface SeriesFacetValue {
  /** What {@link SeriesFacet.findSeries} takes. */
  readonly value: string;
  readonly label: string;
  readonly seriesIds: readonly number[];
}

/** A facet that a plugin contributed, and its values; none where it does not list them. */
export interface ListedSeriesFacet {
  readonly name: string;
  readonly label: string;
  readonly values: readonly SeriesFacetValue[];
}

export const SeriesFacets = extensionPoint<SeriesFacet>("seriesFacets", "1.0.0");
