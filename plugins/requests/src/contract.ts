import { extensionPoint, type Viewer } from "@longbox/sdk";

/** Something that can be asked for, as a search shows it. */
export interface Requestable {
  /** What its source calls it, at most 200 characters. */
  readonly externalId: string;
  readonly title: string;
  readonly authors?: readonly string[] | undefined;
  readonly publisher?: string | undefined;
  readonly year?: number | undefined;
  /** A path of this server. */
  readonly image?: string | undefined;
  /** The series that holds it, where it is in the library and the viewer may know of it. */
  readonly seriesId?: number | undefined;
}

/** Where e-books or audiobooks are found and added; comics come from the metadata provider. */
export interface RequestSource {
  readonly kind: "ebook" | "audiobook";
  search(query: string, viewer: Viewer): Promise<readonly Requestable[]>;
  /** Undefined where it has nothing of this id. */
  find(externalId: string, viewer: Viewer): Promise<Requestable | undefined>;
  /** Adds it for the viewer, who approved of it. @param options - `download`: get it, too. */
  add(
    externalId: string,
    options: { readonly viewer: Viewer; readonly download: boolean },
  ): Promise<{ readonly seriesId: number; readonly queued: number }>;
}
export const RequestSources = extensionPoint<RequestSource>("requestSources", "1.0.0");
