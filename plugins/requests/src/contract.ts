import type { LibraryType } from "@longbox/collection/contract";
import { extensionPoint, type Viewer } from "@longbox/sdk";

/** A search result that can be requested. */
export interface Requestable {
  /** The id at its source, at most 200 characters. */
  readonly externalId: string;
  readonly title: string;
  readonly authors?: readonly string[] | undefined;
  readonly publisher?: string | undefined;
  readonly year?: number | undefined;
  /** A path of this server. */
  readonly image?: string | undefined;
  /** The series that contains it, when it is in the library and visible to the viewer. */
  readonly seriesId?: number | undefined;
}

/** A source of e-books or audiobooks; comics come from the metadata provider. */
export interface RequestSource {
  readonly kind: "ebook" | "audiobook";
  /**
   * The scheme under which the collection knows what it finds, such as `openlibrary` or `isbn`: `externalId` is an id
   * of it. A request is then fulfilled by the very work, however it came into the library; otherwise by anything that
   * arrives in the series that {@link add} named.
   */
  readonly idScheme?: string | undefined;
  /**
   * The types of libraries whose works fulfil a request, where an id is that of a work in all its forms. Default: all.
   */
  readonly libraryTypes?: readonly LibraryType[] | undefined;
  search(query: string, viewer: Viewer): Promise<readonly Requestable[]>;
  /** Undefined when the id is unknown. */
  find(externalId: string, viewer: Viewer): Promise<Requestable | undefined>;
  /** Adds it on behalf of the viewer who approved it. @param options - `download`: also download it. */
  add(
    externalId: string,
    options: { readonly viewer: Viewer; readonly download: boolean },
  ): Promise<{ readonly seriesId: number; readonly queued: number }>;
}
export const RequestSources = extensionPoint<RequestSource>("requestSources", "1.0.0");
