/** A row of `GET /api/wanted`. */
export interface WantedRow {
  readonly seriesId: number;
  readonly series: string;
  readonly cvIssueId: number;
  readonly number: string;
  readonly title: string | null;
  readonly coverDate: string | null;
  readonly storeDate: string | null;
  readonly followed: boolean;
  readonly wanted: boolean;
  readonly why: "monitored" | "picked" | "list" | "request" | null;
  readonly pick: boolean;
  readonly reason: string | null;
  /** How far the download is. */
  readonly queueStatus: string | null;
  readonly cover: string;
}

export type Scope = "wanted" | "gaps";
export type Order = "series" | "newest" | "oldest" | "most" | "fewest";

/** What is asked for. */
export interface Question {
  readonly scope: Scope;
  readonly sort: Order;
  readonly followed: boolean;
  readonly hideUnreleased: boolean;
  readonly q: string;
  readonly page: number;
}
