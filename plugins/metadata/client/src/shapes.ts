/** A row of `GET /api/cv/search`. */
export interface VolumeRow {
  id: number;
  name: string;
  publisher: string | null;
  startYear: number | null;
  issueCount: number;
  image: string | null;
  deck: string | null;
  inLibrary: boolean;
  seriesId?: number;
  /** Only in candidates of a match. */
  score?: number;
  reasons?: string[];
}

/** The answer of `POST /api/cv/match`. */
export interface MatchAnswer {
  matched: boolean;
  seriesId: number;
  cvId: number | null;
  reasons: string[];
  candidates: VolumeRow[];
}

/** What the page of a series shows, as far as matching is concerned. */
export interface SubjectSeries {
  id: number;
  title: string;
  matched: boolean;
}
