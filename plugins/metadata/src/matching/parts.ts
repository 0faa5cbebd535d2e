/** What one kind of evidence says. `against`: it is another volume. `open`: nothing that decides. */
export type Verdict = "for" | "open" | "against";

export interface Part {
  readonly points: number;
  readonly verdict: Verdict;
  readonly reason?: string | undefined;
}

export type Aspect = "title" | "year" | "publisher" | "language" | "numbers" | "dates" | "titles" | "cover";

export const unknown: Part = { points: 0, verdict: "open" };
