import type { BadgedFacts, ClientSubjects, OfferedAction } from "./client-actions.js";
import type { Releasable } from "./releasable.js";

export type { BadgedFacts, ClientBadge, ClientSubjects, OfferedAction } from "./client-actions.js";

/**
 * The object that the web UI passes to every element of a plugin as the property `longbox`, before the element is
 * connected. Written for browsers; types only, so that a plugin may use any framework.
 */
export interface LongboxClient {
  /**
   * Calls the HTTP API; `path` starts with `/api/`, `body` is sent as JSON or, when it is a Blob or File, as it is.
   * Rejects with {@link ApiError} for an error response.
   */
  api<T>(path: string, options?: { method?: string; body?: unknown; signal?: AbortSignal }): Promise<T>;
  /**
   * Calls a path that answers with a page of a list, and returns the length of the whole list (the header
   * `X-Total-Count`).
   */
  list<T>(path: string, options?: { signal?: AbortSignal }): Promise<ClientListPage<T>>;
  /** Calls the listener when a domain changed and should be fetched again. */
  onChanged(domain: string, listener: () => void): Releasable;
  /** Goes to another page of the UI without reloading the document. */
  navigate(path: string, options?: { replace?: boolean }): void;
  /** Goes back to the page that the user came from, or to `fallback`. */
  back(fallback: string): void;
  readonly user: { readonly id: number; readonly username: string; readonly role: string };
  may(permission: string): boolean;
  /** Shows a toast to the user. */
  notify(message: string, options?: ClientNotice): void;
  /** The actions of active plugins on these subjects, in order. Call it at every render. */
  actions(subjects: ClientSubjects): readonly OfferedAction[];
  /**
   * The badges of things by id. @param kind - Their kind, such as `shelf`
   * @returns an entry for each thing with badges or facts
   */
  badges(kind: string, ids: readonly number[]): Promise<ReadonlyMap<number, BadgedFacts>>;
  /**
   * Calls the listener when actions or badges may have changed, because plugins were started or stopped, or a badge's
   * domain changed.
   */
  onOffersChanged(listener: () => void): Releasable;
  /** What the user saves on this device. */
  readonly offline: OfflineClient;
}

/** Something that a page shows without a connection, when the answers of these addresses are saved. */
export interface OfflineItem {
  /** The path of that page. */
  readonly path: string;
  readonly title: string;
  /**
   * Every address that the page asks for with GET, from `/` on. Without a connection an address is also found by its path alone,
   * so that a page may ask for an image in another width.
   */
  readonly addresses: readonly string[];
}

export interface SavedItem extends OfflineItem {
  readonly sizeBytes: number;
  /** ISO 8601, UTC. */
  readonly savedAt: string;
}

/** Saves on this device, for the user who is signed in. Signing out deletes all of it. */
export interface OfflineClient {
  /** False where the browser does not allow it, such as over http. */
  readonly isSupported: boolean;
  /** Saves an item, or saves it again. @param told - called after each address. Rejects when one cannot be fetched or stored */
  save(item: OfflineItem, told?: (done: number, total: number) => void): Promise<void>;
  list(): Promise<readonly SavedItem[]>;
  remove(path: string): Promise<void>;
}

export type ClientNoticeLevel = "info" | "success" | "warning" | "danger";

export interface ClientNotice {
  /** Default `info`. */
  readonly level?: ClientNoticeLevel;
  /** Replaces an earlier message with the same key. */
  readonly key?: string;
  /**
   * A progress bar below the message, which then stays until it is replaced or dismissed. `total` is 0 while unknown.
   */
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

/** Represents the browser's HTMLElement, because this package does not depend on the DOM types. */
export interface HTMLElementLike {
  readonly isConnected: boolean;
}

/** The error of a failed API call. */
export interface ApiError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly details: unknown;
}
