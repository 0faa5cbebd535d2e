import type { Viewer } from "@longbox/sdk";
import { extensionPoint } from "@longbox/sdk/light";

/** What a user typed. */
export interface SearchQuestion {
  readonly text: string;
  /** Its words as titles are compared, without numbers of issues. */
  readonly words: readonly string[];
  /** `12` of `#12`. */
  readonly number: string | undefined;
  /** So many results of each group are shown. */
  readonly limit: number;
}

/** One thing that was found. */
export interface SearchHit {
  /** Results of a group are shown below each other; `label` is its heading, such as `Reading lists`. */
  readonly group: { readonly id: string; readonly label: string };
  readonly title: string;
  readonly detail?: string | undefined;
  /** The page that shows it. */
  readonly href: string;
  /** The address of its cover. */
  readonly cover?: string | undefined;
  /** How well it fits, on the scale of {@link scoreTitle}. */
  readonly score: number;
}

/** A plugin that finds things by words. */
export interface SearchProvider {
  /** Finds series and issues too, so that the collection need not. */
  readonly findsLibrary?: boolean;
  /**
   * The best results of each group. What the viewer may not know of must not show, nor change what is found or counted.
   * Undefined when it cannot answer now, such as while its index is being built.
   */
  search(question: SearchQuestion, viewer: Viewer): Promise<readonly SearchHit[] | undefined>;
}

export const SearchProviders = extensionPoint<SearchProvider>("searchProviders", "1.0.0");
