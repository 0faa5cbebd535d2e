import type { IssueSummary } from "../shapes.js";

/** The answer of `GET /api/reader/stats`. */
export interface Diary {
  /** Every finish counts, also a second one of the same issue. */
  readonly issuesFinished: number;
  readonly issuesBegun: number;
  readonly pagesRead: number;
  readonly streak: { readonly current: number; readonly longest: number };
  readonly days: readonly DiaryDay[];
  readonly series: readonly DiarySeries[];
}

export interface DiaryDay {
  /** `2026-05-31` */
  readonly day: string;
  readonly pages: number;
  readonly finished: number;
}

export interface DiarySeries {
  readonly seriesId: number;
  readonly series: string;
  readonly pages: number;
  readonly finished: number;
}

export interface Bookmark extends IssueSummary {
  /** Counted from 0. */
  readonly page: number;
  readonly createdAt: string;
}
