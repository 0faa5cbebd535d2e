/** A candidate of `GET /api/import`: files that seem to be of one series. */
export interface Candidate {
  readonly id: number;
  readonly folder: string;
  readonly name: string;
  readonly year: number | null;
  readonly publisher: string | null;
  readonly files: ReadonlyArray<{ readonly path: string; readonly name: string; readonly size: number; readonly number: string }>;
  readonly confidence: "none" | "low" | "medium" | "high";
  readonly status: "review" | "ready" | "skipped" | "imported";
  readonly match?: CandidateMatch;
  readonly reasons: readonly string[];
}

export interface CandidateMatch {
  readonly cvId: number | null;
  readonly name: string;
  readonly year: number | null;
  readonly image: string | null;
  readonly seriesId: number | null;
}

/** The answer of `POST /api/import/run`. */
export interface ImportOutcome {
  readonly imported: number;
  readonly failed: ReadonlyArray<{ readonly id: number; readonly error: string }>;
}

/** The answer of `POST /api/naming/preview`. */
export interface NamingPreview {
  readonly example: string;
  readonly errors: readonly string[];
  readonly examples: readonly NameExample[];
}

/** The name that an issue of the library would have. */
export interface NameExample {
  readonly seriesId: number;
  readonly series: string;
  readonly year: number | null;
  readonly number: string;
  readonly path: string | null;
  readonly unknown: readonly string[];
  readonly ownFolderPattern: boolean;
}

export interface RefileStep {
  readonly from: string;
  readonly to: string;
  readonly status: "move" | "unchanged" | "collision" | "no-name";
}

/** A batch of `GET /api/library/moves`. */
export interface MoveBatch {
  readonly id: number;
  readonly what: string;
  readonly state: string;
  readonly at: string;
  readonly moves: number;
}

export interface Undone {
  readonly moved: number;
  readonly failed: ReadonlyArray<{ readonly from: string; readonly to: string; readonly error: string }>;
}

export interface Redundant {
  readonly path: string;
  readonly kept: string;
  readonly reason: "same-bytes" | "same-pages";
}

export interface Trash {
  readonly files: number;
  readonly bytes: number;
}

/** Something long that runs on the server. */
export interface RunningState {
  readonly running: boolean;
  readonly done: number;
  readonly total: number;
  readonly message?: string;
  readonly error?: string;
  readonly startedAt?: string;
}

export interface Library {
  readonly id: number;
  readonly name: string;
  readonly type: string;
}

/** A row of `GET /api/collection`, as far as choosing one needs it. */
export interface SeriesRow {
  readonly id: number;
  readonly title: string;
  readonly year?: number | null;
  readonly publisher?: string | null;
}

/** A row of `GET /api/cv/search`, which only the metadata plugin answers. */
export interface VolumeRow {
  readonly id: number;
  readonly name: string;
  readonly publisher: string | null;
  readonly startYear: number | null;
  readonly issueCount: number;
}

/** The answer of `GET /api/libraries/folders`. */
export interface FolderListing {
  readonly path: string;
  readonly parent?: string;
  readonly folders: ReadonlyArray<{ readonly name: string; readonly path: string }>;
}
