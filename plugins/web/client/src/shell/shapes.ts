/** What the API answers, as far as the pages show it. */

export interface LibraryRow {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly rootFolder?: string;
  readonly folderPattern?: string;
  readonly restricted: boolean;
  readonly sortOrder: number;
  readonly tagPlacement?: "embed" | "sidecar";
}

export interface LibraryList {
  readonly libraries: readonly LibraryRow[];
  readonly types: readonly { readonly id: string; readonly label: string }[];
}

export type Monitor = "all" | "new" | "none";

export interface SeriesRow {
  readonly id: number;
  readonly cvId: number | null;
  readonly title: string;
  readonly publisher: string | null;
  readonly year: number | null;
  readonly description?: string | null;
  readonly cover: string | null;
  readonly monitor: Monitor;
  readonly monitor_from?: number | null;
  readonly followed: boolean;
  readonly type: string;
  readonly restricted: boolean;
  readonly libraryId: number | null;
  readonly matched: boolean;
  readonly status: "ongoing" | "ended" | "unknown";
  readonly total: number;
  readonly owned: number;
  readonly missing: number;
  readonly corrupt: number;
  readonly size: number;
  readonly latest: string | null;
  readonly addedAt: string;
}

export interface IssueFile {
  readonly name: string;
  readonly path?: string;
  readonly size: number;
  readonly pages: number;
  readonly valid: boolean;
  readonly tagged: boolean;
  readonly error?: string | null;
}

export interface IssueRow {
  readonly id: number;
  readonly cvIssueId: number;
  readonly seriesId: number;
  readonly number: string;
  readonly title: string | null;
  readonly coverDate: string | null;
  readonly storeDate?: string | null;
  readonly owned: boolean;
  readonly corrupt: boolean;
  readonly wanted: boolean;
  readonly why?: string | null;
  readonly status?: string;
  readonly cover: string | null;
  readonly files: readonly IssueFile[];
}

export interface IssueDocument extends IssueRow {
  readonly series?: string;
  readonly seriesTitle?: string;
  readonly description?: string | null;
  readonly credits?: readonly { readonly name: string; readonly role: string }[];
  readonly characters?: readonly string[];
  readonly teams?: readonly string[];
  readonly locations?: readonly string[];
  readonly arcs?: readonly (string | { readonly name: string })[];
  readonly url?: string | null;
}

export interface SeriesDocument extends SeriesRow {
  readonly aliases?: readonly string[];
  readonly path?: string | null;
  readonly location?: string | null;
  readonly issues: readonly IssueRow[];
  readonly unlinkedFiles?: readonly IssueFile[];
}

/** Something long that runs on the server. */
export interface RunningState {
  readonly running: boolean;
  readonly done: number;
  readonly total: number;
  readonly message?: string | null;
  readonly error?: string | null;
  readonly startedAt?: string | null;
}

export type PluginState = "active" | "disabled" | "unsatisfied" | "needs-config" | "failed" | "quarantined" | "upgrading";

export interface PluginRow {
  readonly name: string;
  readonly package: string;
  readonly version: string;
  readonly title: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly state: PluginState;
  readonly reason?: string | null;
  readonly requires: Readonly<Record<string, string>> | readonly string[];
  readonly provides: Readonly<Record<string, string>> | readonly string[];
  readonly updateAvailable?: string | boolean | null;
  /** The version that a rollback goes back to. */
  readonly previousVersion?: string | null;
  /** With that version comes back the data of this time. */
  readonly rollbackRestoresDataOf?: string | null;
  /** Data that a rollback gave up, and the folder below the data folder where it is kept. */
  readonly setAside?: { readonly at: string; readonly folder: string } | null;
  readonly installedAt: string;
  readonly faults: number;
  readonly bytes: number;
}

export interface CatalogRow {
  readonly name: string;
  readonly package: string;
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly installed?: string | boolean | null;
  readonly updateAvailable: boolean | string;
  readonly compatible: boolean;
  readonly reason?: string | null;
}

export interface UserRow {
  readonly id: number;
  readonly username: string;
  readonly email: string | null;
  readonly role: string;
  readonly active: boolean;
  readonly createdAt: string;
  readonly lastSeenAt: string | null;
}

export interface RoleRow {
  readonly name: string;
  readonly label: string;
  readonly builtin: boolean;
  readonly permissions: readonly string[];
  readonly users: number;
}

export interface PermissionRow {
  readonly key: string;
  readonly label: string;
  readonly description: string;
  readonly tier: string;
  readonly plugin?: string | null;
}
