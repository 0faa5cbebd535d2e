import type { Viewer } from "@longbox/sdk";
import { extensionPoint } from "@longbox/sdk/light";
import type { LibraryType } from "../libraries/library-contract.js";
import type { IssueKind } from "./issue-kind.js";

export interface Issue {
  /** Stable for as long as the issue exists, matched or not: keep this one. */
  readonly id: number;
  /** The provider's id once matched; until then the negative of `id`. What clients see. */
  readonly cvIssueId: number;
  readonly seriesId: number;
  readonly seriesTitle: string;
  readonly publisher?: string | undefined;
  /** Text such as `1`, `-1`, `½`, `1.5`, `1A`, `Annual 1`; sorts naturally by `sortKey`. */
  readonly number: string;
  readonly kind: IssueKind;
  readonly title: string | undefined;
  /** How it is named, in the words of its type. */
  readonly label: IssueLabel;
  readonly coverDate: string | undefined;
  readonly owned: boolean;
  readonly corrupt: boolean;
  /** Pages of the holding that is read, 0 when nothing is owned. */
  readonly pages: number;
  /** How long it plays; undefined where it is not measured in time. */
  readonly seconds: number | undefined;
  /** A BCP 47 tag. */
  readonly language: string | undefined;
  readonly type: LibraryType;
  readonly restricted: boolean;
  readonly addedAt: string;
}

/** How one issue is named, in the words of its type. */
export interface IssueLabel {
  /** Stands alone: `Moth Patrol #3`, `The Salt Road`. */
  readonly full: string;
  /** Stands below the series' name: `#3`, `The Salt Road`. */
  readonly short: string;
  /** What stands beneath: the issue's title, or a work's place in its series: `Low Tides, book 2`. */
  readonly within: string | undefined;
}

/** A file that holds an issue. */
export interface Holding {
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
  /** The id of its format; undefined for what was read before formats were told. */
  readonly format: string | undefined;
  /** 0 where it has none. */
  readonly pages: number;
  /** How long it plays; undefined where it is not measured in time. */
  readonly seconds: number | undefined;
  readonly valid: boolean;
  readonly tagged: boolean;
  /** Why the file cannot be read, when it is not valid. */
  readonly error: string | undefined;
  /** A person said which issue this file is. */
  readonly assigned: boolean;
}

/** What is known of an issue beyond {@link Issue}. */
export interface IssueDetail {
  readonly issueId: number;
  readonly storeDate: string | undefined;
  readonly description: string | undefined;
  readonly credits: ReadonlyArray<{ readonly name: string; readonly role: string }>;
  readonly characters: readonly string[];
  readonly teams: readonly string[];
  readonly locations: readonly string[];
  readonly arcs: readonly string[];
  /** Genres and topics. */
  readonly subjects: readonly string[];
  readonly url: string | undefined;
  /** For whom it is, as its tags say it: `Teen`, `Mature 17+`. */
  readonly ageRating?: string | undefined;
}

/** An issue with all its metadata, for plugins that build an index. */
export interface CatalogIssue {
  readonly issue: Issue;
  readonly detail: IssueDetail;
  /** What others call it, by scheme. */
  readonly ids: Readonly<Record<string, readonly string[]>>;
  /** The formats of its readable files, each once. */
  readonly formats: readonly string[];
  /** Undefined where its series is in no library: then the first library counts. */
  readonly libraryId: number | undefined;
  /** When its series began. */
  readonly seriesYear: number | undefined;
}

/** An issue that is wanted and not owned. */
export interface WantedIssue {
  readonly issue: Issue;
  readonly why: "monitored" | "picked" | "list" | "request";
  /** What was said when it was picked. */
  readonly reason: string | undefined;
  readonly storeDate: string | undefined;
}

/** A plugin that gets missing issues. */
export interface IssueGetter {
  /** Starts to get these issues for this user. @returns how many were queued */
  queue(issueIds: readonly number[], viewer: Viewer): Promise<number>;
  /**
   * How far issues are on their way: `queued`, `downloading`, `failed` and so on; those that were not asked for are
   * left out.
   */
  findStates(
    issueIds: readonly number[],
  ): Promise<ReadonlyArray<{ readonly issueId: number; readonly status: string }>>;
}

export const IssueGetters = extensionPoint<IssueGetter>("issueGetters", "1.0.0");
