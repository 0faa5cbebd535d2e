/** What this page shows of `GET /api/stats`. */
export interface Stats {
  readonly files: {
    readonly total: number;
    readonly valid: number;
    readonly corrupt: number;
    readonly tagged: number;
    readonly untagged: number;
    readonly bytes: number;
    readonly pages: number;
    readonly formats: Readonly<Record<"cbz" | "cbr" | "pdf" | "other", number>>;
  };
  readonly collection: { readonly series: number; readonly followed: number; readonly ownedIssues: number; readonly byPublisher: readonly Publisher[] };
  readonly completion: { readonly complete: number; readonly incomplete: number; readonly missingIssues: number; readonly cvIssuesTotal: number; readonly topGaps: readonly Gap[] };
  readonly comicvine: { readonly source: string | null; readonly matchedSeries: number; readonly unmatchedSeries: number };
  readonly activity: { readonly grabs: Readonly<Record<string, number>>; readonly perDay: readonly Day[] };
}

export interface Publisher {
  readonly publisher: string;
  readonly series: number;
  readonly issues: number;
  readonly bytes: number;
}

export interface Gap {
  readonly id: number;
  readonly title: string;
  readonly owned: number;
  readonly total: number;
  readonly missing: number;
}

export interface Day {
  /** As in `2026-05-31`. */
  readonly day: string;
  readonly grabs: number;
}
