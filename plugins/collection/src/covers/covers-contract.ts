import type { Content, Viewer } from "@longbox/sdk";
import { contract, extensionPoint } from "@longbox/sdk/light";

/** Whose cover: an issue, or a series, whose cover is that of its first owned issue. Ids are internal ones. */
export type CoverSubject = { readonly issueId: number } | { readonly seriesId: number };

/** How a cover is wanted. */
export interface CoverShape {
  /** Pixels; snapped up to one of a few sizes, never enlarged. Left out, the image is sent as its source has it. */
  readonly width?: number | undefined;
  /** The client's `Accept` header, which decides the format. */
  readonly accept?: string | undefined;
  /** Nothing but JPEG, PNG or GIF, for clients that show no other. */
  readonly plain?: boolean | undefined;
}

/**
 * The covers of issues and series, from whichever source has one: resized, kept, and only for those who may see them.
 */
export interface CoversContract {
  /**
   * Tells of a cover without making it; undefined when there is none, or the viewer may not know of its subject.
   * `validator` changes with the image and with everything that shapes the bytes.
   */
  describe(
    subject: CoverSubject,
    shape: CoverShape,
    viewer: Viewer,
  ): Promise<{ readonly validator: string } | undefined>;
  /**
   * For lists: which of the subjects have a cover, one answer for each, in their order. Faster than `describe` for
   * each, since sources answer from what they have stored. Ids that were merged into others are not followed.
   */
  findCovered(subjects: readonly CoverSubject[], viewer: Viewer): Promise<readonly boolean[]>;
  /** The cover as content. @throws {NotFound} `collection/no-cover` */
  read(subject: CoverSubject, shape: CoverShape, viewer: Viewer): Promise<Content>;
}

export const Covers = contract<CoversContract>("collection.covers", "1.1.0");

/** Whose cover is asked for. */
export interface CoverQuestion {
  readonly issueId: number;
  readonly cvIssueId: number;
  /** The page that a person chose, from 0, for sources that have pages. */
  readonly page?: number | undefined;
}

/** Where covers come from; asked in the order of `rank`, lowest first, until one answers. */
export interface CoverSource {
  readonly rank: number;
  /** Its images come from another server, which takes longer than a disk. Default false. */
  readonly isRemote?: boolean;
  /** The image as it is, and a text that changes whenever the image does. */
  findCover(issue: CoverQuestion): Promise<{ readonly bytes: Uint8Array; readonly contentType: string } | undefined>;
  /** Changes whenever the result of `findCover` would change; undefined without a cover. Cheap. */
  validator(issue: CoverQuestion): Promise<string | undefined>;
  /**
   * For lists: which of the issues it has a cover for, by what it has stored. Without this function, `validator` is
   * asked about each issue.
   */
  findCovered?(issueIds: readonly number[]): Promise<readonly number[]>;
}

export const CoverSources = extensionPoint<CoverSource>("coverSources", "1.1.0");
