import type { EngineName, EngineStatements, Method, User } from "@longbox/sdk";
import type { Manifest } from "@longbox/sdk/manifest";
import type { Rank } from "../contracts/contribution-rules.js";
import type { Mistake } from "../examining/mistakes.js";

/** The plugin that a process is for. */
export interface ToldPlugin {
  readonly id: string;
  readonly package: string;
  readonly version: string;
  readonly folder: string;
  readonly entry: string;
  readonly manifest: Manifest;
}

/** A viewer that the process holds, by its number. */
export interface ToldViewer {
  readonly number: number;
  readonly user: User;
  readonly seesRestricted: boolean;
  readonly permissions: readonly string[];
}

/** A viewer that stands for no account by itself: the system's, the public's, or another without what is restricted. */
export interface ToldSpecial {
  readonly system?: unknown;
  readonly public?: unknown;
  readonly narrowed?: unknown;
}

/** What a definition says without being activated, as data. */
export interface Description {
  /** The ids of the contracts, by the names that `activate` gets them under. */
  readonly requires: Readonly<Record<string, string>>;
  readonly optional: Readonly<Record<string, string>>;
  /** JSON Schema. */
  readonly settings: Record<string, unknown> | undefined;
  readonly migrations: readonly { readonly name: string; readonly checksum: string }[];
}

/** What the process gets for `activate`. */
export interface Beginning {
  readonly settings: Readonly<Record<string, unknown>>;
  /** Names of contracts, and whether each optional one is provided now. */
  readonly optional: Readonly<Record<string, boolean>>;
  /** What has been added to the extension points that the plugin opens. */
  readonly contributions: Readonly<Record<string, readonly Contributed[]>>;
  readonly storage: {
    readonly folder: string;
    /** A folder for what is needed for a while only. */
    readonly temporary: string;
    readonly engine: EngineName;
    readonly dataVersion: number;
  };
  readonly memoryLimitBytes: number;
}

export interface Contributed extends Rank {
  readonly plugin: string;
  readonly contribution: object;
}

/** A query for the kernel to run. */
export interface ToldQuery {
  /** `database`, `reader`, or an index. */
  readonly source: string;
  /** The turn of a transaction. */
  readonly turn?: number | undefined;
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly isRead: boolean;
}

export interface ToldRows {
  readonly rows: readonly unknown[];
  readonly numAffectedRows?: bigint | undefined;
  readonly insertId?: bigint | undefined;
  readonly dataVersion: number;
}

/** The rows of a query while the kernel still reads them. */
export interface ToldStream {
  readonly pieces: AsyncIterable<readonly unknown[]>;
  /** Ends the statement in the engine, also while a piece is awaited. */
  cancel(): Promise<void>;
}

/**
 * What the process asks the kernel to do within one migration step. Queries are Kysely's own trees, so that every
 * engine compiles them itself.
 */
export interface ToldStep {
  run(node: object): Promise<Omit<ToldRows, "dataVersion">>;
  raw(statements: EngineStatements): Promise<void>;
  readonly engine: EngineName;
  /** The column types as nodes. */
  readonly types: Readonly<Record<string, object>>;
  /** A column that was made with `types.numbered`. */
  readonly numbered: object;
}

/** One request as it crosses. Input has not been checked by the plugin's schemas yet. */
export interface ToldRequest {
  readonly id: string;
  readonly method: string;
  readonly url: URL;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly viewer: object;
  readonly signal: AbortSignal;
  readonly headers: Readonly<Record<string, string>>;
}

/** Credentials as they cross. */
export interface ToldCredentials {
  readonly method: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly basic: { readonly username: string; readonly password: string } | undefined;
  readonly signal: AbortSignal;
  readonly headers: Readonly<Record<string, string>>;
}

type Called = (...given: readonly unknown[]) => Promise<unknown>;

/** A route as data, with functions that run in the process. */
export interface ToldRoute {
  readonly method: Method;
  readonly path: string;
  readonly access: string;
  readonly summary: string;
  readonly description: string | undefined;
  /** JSON Schema of each part. */
  readonly params: Record<string, unknown> | undefined;
  readonly query: Record<string, unknown> | undefined;
  readonly body: Record<string, unknown> | undefined;
  readonly response: Record<string, unknown> | undefined;
  readonly bodyFormat: "json" | "text" | "bytes";
  readonly bodyLimitBytes: number;
  readonly responseType: string;
  readonly acceptsBasic: boolean;
  readonly ignoresHideMature: boolean;
  readonly challenge: Called | undefined;
  readonly onError: Called | undefined;
  readonly credentials:
    | {
        readonly id: string;
        readonly secretHeaders: readonly string[];
        readonly secretParameters: readonly string[];
        readonly secretQuery: readonly string[];
        readonly basicRealm: string | undefined;
        readonly claimedName: Called | undefined;
        readonly identify: Called;
      }
    | undefined;
  readonly handle: Called;
  /** What is wrong with its schemas. */
  readonly mistakes: readonly Mistake[];
}

/** An answer as it crosses. */
export type ToldReply =
  | { readonly kind: "value"; readonly json: string | undefined }
  | {
      readonly kind: "json";
      readonly json: string | undefined;
      readonly created: boolean;
      readonly headers: Record<string, string | string[]>;
      readonly protocolStatus: number | undefined;
    }
  | {
      readonly kind: "empty";
      readonly headers: Record<string, string | string[]>;
      readonly protocolStatus: number | undefined;
    }
  | { readonly kind: "redirect"; readonly location: string; readonly headers: Record<string, string | string[]> }
  | { readonly kind: "content"; readonly content: unknown; readonly options: unknown };
