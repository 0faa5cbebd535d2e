/** The answers of the reader's routes, as far as this client uses them. */

export type Mode = "single" | "double" | "continuous";
export type Direction = "ltr" | "rtl";
export type Fit = "page" | "width" | "height" | "original";

export interface Progress {
  /** Counted from 0. */
  readonly page: number;
  readonly pages: number;
  readonly completed: boolean;
  readonly readAt: string;
}

export interface IssueSummary {
  readonly cvIssueId: number;
  readonly seriesId: number;
  readonly series: string;
  readonly number: string;
  readonly title: string | null;
  readonly cover: string;
  readonly owned: boolean;
  readonly pages: number;
}

export interface ShelfItem extends IssueSummary {
  readonly progress: Progress | null;
}

export interface Neighbour {
  readonly cvIssueId: number;
  readonly number: string;
  readonly title: string | null;
  readonly cover: string;
}

export interface OpenIssue extends Omit<IssueSummary, "pages"> {
  readonly pageCount: number;
  /** Changes with the file. */
  readonly version: string;
  readonly direction: Direction;
  readonly neighbours: { readonly previous: Neighbour | null; readonly next: Neighbour | null };
  readonly progress: Progress | null;
  readonly bookmarks: readonly number[];
  readonly later: boolean;
  readonly preferences: { readonly mode: Mode | null; readonly direction: Direction | null; readonly fit: Fit | null };
}

export interface SeriesReading {
  readonly read: number;
  readonly next: ShelfItem | null;
  readonly progress: ReadonlyArray<{ readonly cvIssueId: number; readonly page: number; readonly pages: number; readonly completed: boolean }>;
}

/** `#12`, and names such as `Annual 1` as they are. */
export function issueLabel(number: string): string {
  return /^[\d½¼¾.-]/.test(number) ? `#${number}` : number;
}
