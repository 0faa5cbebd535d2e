import type { BadgedFacts, ClientSubjects, OfferedAction } from "./client-actions.js";
import type { Releasable } from "./releasable.js";

export type { BadgedFacts, ClientBadge, ClientSubjects, OfferedAction } from "./client-actions.js";

/**
 * What the web UI gives to every element that a plugin contributes, as the property `longbox`, before the element is
 * connected. Written for browsers; types only, so that a plugin may use any framework.
 */
export interface LongboxClient {
  /** Calls the HTTP API; `path` starts with `/api/`, `body` is sent as JSON or, when it is a Blob or File, as it is. Rejects with {@link ApiError} when the answer is not good. */
  api<T>(path: string, options?: { method?: string; body?: unknown; signal?: AbortSignal }): Promise<T>;
  /** Calls a path that answers with a part of a list, and says how long the whole list is (the header `X-Total-Count`). */
  list<T>(path: string, options?: { signal?: AbortSignal }): Promise<ClientListPage<T>>;
  /** Hears that a domain changed and should be fetched again. */
  onChanged(domain: string, listener: () => void): Releasable;
  /** Goes to another page of the UI without reloading the document. */
  navigate(path: string, options?: { replace?: boolean }): void;
  /** Leaves the present page for where the user came from, or for `fallback`. */
  back(fallback: string): void;
  readonly user: { readonly id: number; readonly username: string; readonly role: string };
  may(permission: string): boolean;
  /** Says something to the user in passing. */
  notify(message: string, options?: ClientNotice): void;
  /** What active plugins let this user do with these things, in their order. Ask again at every drawing. */
  actions(subjects: ClientSubjects): readonly OfferedAction[];
  /**
   * What active plugins say of things, by their ids. @param kind - What they are, such as `shelf`
   * @returns an entry for each thing that something is said of
   */
  badges(kind: string, ids: readonly number[]): Promise<ReadonlyMap<number, BadgedFacts>>;
  /** Hears that other actions or badges may be there now, since plugins came or went, or a badge's domain changed. */
  onOffersChanged(listener: () => void): Releasable;
}

export type ClientNoticeLevel = "info" | "success" | "warning" | "danger";

export interface ClientNotice {
  /** Default `info`. */
  readonly level?: ClientNoticeLevel;
  /** Replaces what was said with the same key before. */
  readonly key?: string;
  /** A bar below the message, which then stays until it is replaced or dismissed. `total` is 0 while it is not known. */
  readonly progress?: { readonly done: number; readonly total: number };
  /** A button; the message then stays until it is dismissed. */
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** A part of a list; without paging `total` is the length of `items`. */
export interface ClientListPage<T> {
  readonly items: readonly T[];
  readonly total: number;
}

/** Parameters of a page (`/shelves/:shelfId` gives `{ shelfId }`) or of a slot (what the page that offers it shows), as the property `subject`. */
export type ClientSubject = Readonly<Record<string, unknown>>;

/** The shape of an element that a plugin contributes. */
export interface ContributedElement extends HTMLElementLike {
  longbox?: LongboxClient;
  subject?: ClientSubject;
}

/** Stands for the browser's HTMLElement, which this package does not depend on. */
export interface HTMLElementLike {
  readonly isConnected: boolean;
}

/** What a failed call of the API rejects with. */
export interface ApiError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly details: unknown;
}
