import type { BadgedFacts, ClientSubjects, OfferedAction } from "./client-actions.js";
import type { Releasable } from "./releasable.js";

export type { Activity } from "./activity.js";
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
  /**
   * The address for the browser of a path of this server, such as `/api/shelves/3/cover`: for `src`, `href` and
   * `fetch`. The server may be below a path of its host. `api` and `navigate` take the path itself, and so do templates
   * of the UI kit.
   */
  addressOf(path: string): string;
  readonly user: { readonly id: number; readonly username: string; readonly role: string };
  may(permission: string): boolean;
  /** Shows a toast to the user. */
  notify(message: string, options?: ClientNotice): void;
  /** The actions of active plugins on these subjects, in order. Call it at every render. */
  actions(subjects: ClientSubjects): readonly OfferedAction[];
  /**
   * A text of the server in the language of the document, by the `texts` of the plugins that run: a reason, a word.
   * What has no translation stays as it is.
   */
  said(text: string): string;
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

/** What the module of a plugin's client may export. It is loaded as soon as one of its elements is shown. */
export interface ClientModule {
  /** Loads what defines an element, by its name: for pages and dialogs, which most visits do not need. */
  readonly lazyElements?: Readonly<Record<string, () => Promise<unknown>>>;
}

/** Something that a page shows without a connection, when the answers of these addresses are saved. */
export interface OfflineItem {
  /** The path of that page. */
  readonly path: string;
  readonly title: string;
  /** A word for what it is, such as `Book`, shown beside the title. */
  readonly kind?: string;
  /** The address of a small picture, which is one of `addresses`. */
  readonly cover?: string;
  /** How much it takes, as far as it is known before: it is not begun where there is no room for it. */
  readonly expectedBytes?: number;
  /**
   * Every address that the page asks for with GET, from `/` on. The first one says whether the user may still see the
   * item: after 403 or 404 it is removed from the device. Without a connection an image is also found by its path
   * alone, so that a page may ask for it in another width; large files are found in ranges of bytes.
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
  /** Positions and the like that wait for a connection. */
  readonly reports: LateReportsClient;
  /**
   * Saves an item, or saves it again. Rejects when an address cannot be fetched or stored, or when it is aborted;
   * nothing of it stays then, except for what was saved before.
   * @param told - called with the number of addresses that are saved, with the part of a large one as a fraction
   */
  save(item: OfflineItem, told?: (done: number, total: number) => void, signal?: AbortSignal): Promise<void>;
  list(): Promise<readonly SavedItem[]>;
  remove(path: string): Promise<void>;
}

/**
 * Reports of the user that the server has not confirmed, such as a position that was reached without a connection. They
 * are sent when the browser is online and at every start, and outlive a sign-out: each is sent only by the user who
 * made it.
 */
export interface LateReportsClient {
  /** Keeps the body of a POST with the time at which it was true; a later one for the same path replaces it. */
  keep(path: string, body: Readonly<Record<string, unknown>>): void;
  /** The body that waits for a path. */
  find(path: string): Readonly<Record<string, unknown>> | undefined;
  /** It was confirmed. Does nothing when another body has been kept for the path since. */
  forget(path: string, body: Readonly<Record<string, unknown>>): void;
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

/**
 * Parameters of a page (`/shelves/:shelfId` gives `{ shelfId }`) or of a slot (what the page that offers it shows), as
 * the property `subject`.
 */
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
