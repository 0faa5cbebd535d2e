export type Scope = "wanted" | "gaps";
export type Order = "series" | "newest" | "oldest" | "most" | "fewest";

/** What the list of wanted issues is asked for. */
export interface Question {
  readonly scope: Scope;
  readonly sort: Order;
  readonly followed: boolean;
  readonly hideUnreleased: boolean;
  readonly q: string;
  readonly page: number;
}
