/** A row of `GET /api/lists`. */
export interface ListRow {
  id: number;
  name: string;
  public: boolean;
  arcId?: number;
  items: number;
  owned: number;
  read?: number;
  mine: boolean;
  createdAt: string;
  covers: string[];
}

export interface Item {
  cvIssueId: number;
  position: number;
  series: string | null;
  number: string | null;
  title: string | null;
  coverDate: string | null;
  seriesId?: number;
  owned: boolean;
  read?: boolean;
  inLibrary: boolean;
  cover: string | null;
}

export interface Unmatched {
  series: string;
  number: string;
  volume: string;
  reason: string;
}

/** The answer of `GET /api/lists/{id}`. */
export interface ListDocument extends Omit<ListRow, "items"> {
  total: number;
  items: Item[];
  unmatched: Unmatched[];
}

export interface PreviewBook {
  series: string;
  number: string;
  volume: string;
  year: string;
  cvIssueId?: number;
  hasId: boolean;
  owned: boolean;
  inLibrary: boolean;
}

/** The answer of `POST /api/lists/cbl-preview`. */
export interface Preview {
  name: string | null;
  total: number;
  owned: number;
  books: PreviewBook[];
}

/** The answer of the imports of files. */
export interface ImportOutcome {
  id: number;
  name: string;
  imported: number;
  total: number;
  unmatched: Unmatched[];
  jobId?: number;
}

/** The answer of `POST /api/lists/{id}/want`. */
export interface WantOutcome {
  added: number;
  picked: number;
  failed: number;
  issues: number;
  running: boolean;
}

/** A row of `GET /api/cv/arcs`. */
export interface ArcRow {
  id: number;
  name: string;
  publisher: string | null;
  deck: string | null;
}
