import type { FacetName } from "../browsing/facets.js";
import type { FindQuestion, Found } from "../finding/findable.js";

/** What the index keeps of an issue. */
export interface IndexedIssue {
  readonly id: number;
  readonly seriesId: number;
  /** What it is sorted by: the title of its series, or its own where it is known by that. */
  readonly title: string;
  /** By which its series is found; empty where that is its own title. */
  readonly seriesTitle: string;
  /** When its series began, 0 where it is not known. */
  readonly seriesYear: number;
  /** By which it is found itself; empty for none. */
  readonly ownTitle: string;
  readonly number: string;
  readonly hidden: boolean;
  /** Minutes since 1970. */
  readonly addedAt: number;
  /** `20260131`, 0 where it is not known. */
  readonly date: number;
  readonly pages: number;
  readonly seconds: number;
  /** Values by facet; a facet that is left out has none. */
  readonly values: Readonly<Partial<Record<FacetName, readonly string[]>>>;
}

/** The values of one facet that are chosen; the empty text stands for having none. */
export interface FacetChoice {
  readonly facet: FacetName;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** The same for a facet that another plugin contributes, as the series that its values stand for. */
export interface SeriesChoice {
  readonly facet: string;
  readonly include: ReadonlyArray<readonly number[]>;
  readonly exclude: ReadonlyArray<readonly number[]>;
}

/** What a viewer asks of the index. */
export interface Question {
  readonly userId: number;
  readonly seesRestricted: boolean;
  readonly choices: readonly FacetChoice[];
  readonly series: readonly SeriesChoice[];
  /** Part of a title; empty for all. */
  readonly text: string;
}

export const sorts = [
  "title",
  "-title",
  "added",
  "-added",
  "date",
  "-date",
  "length",
  "-length",
  "rating",
  "read",
] as const;
export type Sort = (typeof sorts)[number];

export interface CountedValue {
  readonly value: string;
  readonly label: string;
  readonly count: number;
  readonly selected: boolean;
  readonly excluded: boolean;
}

export interface CountedName {
  readonly name: string;
  readonly count: number;
}

/** What a user has to do with an issue. */
export interface IssueState {
  readonly issueId: number;
  readonly read: "unread" | "reading" | "read";
  /** Minutes since 1970 when it was last read, 0 for never. */
  readonly readAt: number;
  /** 1 to 5, 0 for none. */
  readonly rating: number;
}

export interface Suggestion {
  readonly issueId: number;
  readonly shared: ReadonlyArray<{ readonly facet: FacetName; readonly label: string }>;
}

export interface IndexStatus {
  readonly ready: boolean;
  readonly size: number;
  readonly builtAt: string | undefined;
}

/** What the thread of the index does. */
export type IndexTasks = {
  restore: { input: { readonly file: string }; output: IndexStatus & { readonly damaged: boolean } };
  status: { input: undefined; output: IndexStatus };
  put: { input: readonly IndexedIssue[]; output: undefined };
  /** Issues of these series that are not among the given ones are gone. */
  putSeries: {
    input: { readonly seriesIds: readonly number[]; readonly issues: readonly IndexedIssue[] };
    output: undefined;
  };
  beginWalk: { input: undefined; output: undefined };
  /** Everything that was not put since the walk began is gone. */
  endWalk: { input: { readonly builtAt: string }; output: IndexStatus };
  giveUpWalk: { input: undefined; output: undefined };
  /** The bytes that were written, none where there is nothing whole to save, and the items in them. */
  save: { input: { readonly file: string }; output: { readonly bytes: number; readonly size: number } };
  states: {
    input: { readonly userId: number; readonly states: readonly IssueState[]; readonly replaces: boolean };
    output: undefined;
  };
  forgetUsers: { input: { readonly userIds: readonly number[] }; output: undefined };
  items: {
    input: { readonly question: Question; readonly sort: Sort; readonly offset: number; readonly limit: number };
    output: { readonly ids: readonly number[]; readonly total: number };
  };
  /** The ids of the series that have an issue of the selection. */
  series: { input: { readonly question: Question }; output: readonly number[] };
  facets: {
    input: {
      readonly question: Question;
      readonly limit: number;
      readonly only: readonly FacetName[] | undefined;
      readonly find: string;
    };
    output: Readonly<Partial<Record<FacetName, readonly CountedValue[]>>>;
  };
  /** How many issues each list of series has within the selection; without the choices of `but`. */
  countSeries: {
    input: { readonly question: Question; readonly but: string; readonly lists: ReadonlyArray<readonly number[]> };
    output: readonly number[];
  };
  names: {
    input: { readonly question: Question; readonly letter: string | undefined; readonly text: string };
    output: readonly CountedName[];
  };
  find: { input: FindQuestion; output: readonly Found[] };
  pick: { input: { readonly question: Question; readonly at: number }; output: number | undefined };
  similar: {
    input: { readonly question: Question; readonly issueId: number; readonly limit: number };
    output: readonly Suggestion[];
  };
};
