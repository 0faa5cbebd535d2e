import type { z } from "zod";
import type { CredentialScheme, ProtocolAnswer, RouteFailure } from "./protocol.js";
import type { Reply } from "./reply.js";
import type { Viewer } from "../viewer.js";

/** A value, or a promise of it. */
export type MaybePromise<T> = T | Promise<T>;

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call a route: `public`, `signed-in`, a tier (`viewer` is library.view, `trusted` is library.manage, `admin`
 * is plugins.manage), or a permission key.
 */
export type Access = "public" | "signed-in" | "viewer" | "trusted" | "admin" | (string & {});

/** The argument of a handler: the parsed, validated input and the viewer. */
export interface RouteRequest<Params = unknown, Query = unknown, Body = unknown> {
  /** Also in the answer's `X-Request-Id` and in the log. */
  readonly id: string;
  readonly method: string;
  /** The absolute URL as the client wrote it, forwarded headers of trusted proxies considered. */
  readonly url: URL;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly viewer: Viewer;
  /** Aborts when the client goes away or the plugin stops. */
  readonly signal: AbortSignal;
  /** One request header, or undefined. */
  header(name: string): string | undefined;
}

/** What an anonymous client is told besides the error: how to sign in. */
export interface Challenge {
  /** Top-level fields of the answer's body, beside `error` and `code`. */
  readonly body: Record<string, unknown>;
  readonly headers: Record<string, string>;
}

/** One route as the kernel sees it: everything that validation, access, the API document and the tests need. */
export interface Route {
  readonly method: Method;
  readonly path: string;
  readonly access: Access;
  readonly summary: string;
  readonly description: string | undefined;
  readonly params: z.ZodType | undefined;
  readonly query: z.ZodType | undefined;
  readonly body: z.ZodType | undefined;
  readonly bodyFormat: "json" | "text" | "bytes";
  readonly bodyLimitBytes: number;
  readonly response: z.ZodType | undefined;
  readonly responseType: string;
  readonly acceptsBasic: boolean;
  readonly ignoresHideMature: boolean;
  readonly challenge: ((request: { readonly url: URL }) => MaybePromise<Challenge>) | undefined;
  readonly credentials: CredentialScheme | undefined;
  readonly onError: ((failure: RouteFailure) => MaybePromise<ProtocolAnswer>) | undefined;
  readonly handle: (request: RouteRequest<never, never, never>) => unknown;
  /** Names of fields that `defineRoute` was given and does not know, such as `acess`: the kernel refuses the plugin. */
  readonly unknownFields: readonly string[];
}

/** What a handler gets of a schema. */
export type RouteInput<S> = S extends z.ZodType ? z.output<S> : undefined;
/** What a handler returns for a schema. */
export type RouteAnswer<S> = S extends z.ZodType ? z.input<S> : unknown;

export interface RouteOptions<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType> {
  method: Method;
  /**
   * Exact and case-sensitive; parameters in braces: `/api/shelves/{id}`. Inside a base path of the plugin's manifest,
   * `{rest...}` at the end matches the rest of the path, including slashes.
   */
  path: `/${string}`;
  /** Default: `viewer` for GET, `trusted` for everything else. Paths ending in `/test` always need settings.manage. */
  access?: Access;
  summary: string;
  description?: string;
  /**
   * An object schema of the path's parameters; they arrive as decoded text, so use the parameter schemas of the SDK.
   */
  params?: P;
  query?: Q;
  body?: B;
  /** How the body is read: as JSON (default), as text, or as bytes. */
  bodyFormat?: "json" | "text" | "bytes";
  /** Default 1 MB (1 048 576). */
  bodyLimitBytes?: number;
  /** The schema of the JSON answer. */
  response?: R;
  /** The media type of an answer that is not JSON. */
  responseType?: string;
  /** HTTP Basic is accepted beside keys and cookies: feeds and book files. */
  acceptsBasic?: boolean;
  /** The hide-mature preference does not apply to this route, such as a catalog for a whole household. */
  ignoresHideMature?: boolean;
  /** Adds to the answer for anonymous clients, such as a document that tells a program how to sign in. */
  challenge?: (request: { readonly url: URL }) => MaybePromise<Challenge>;
  /** Clients authenticate only by this scheme: keys, cookies and passwords of this server are ignored here. */
  credentials?: CredentialScheme;
  /** The errors of this route, the kernel's own included, in the form of a protocol. */
  onError?: (failure: RouteFailure) => MaybePromise<ProtocolAnswer>;
  handle: (request: RouteRequest<RouteInput<P>, RouteInput<Q>, RouteInput<B>>) => MaybePromise<RouteAnswer<R> | Reply>;
}

/**
 * Describes a route: input, output, access and documentation in one value.
 *
 * @example
 * ```ts
 * defineRoute({ method: "POST", path: "/api/shelves/rebuild", access: "library.manage", summary: "Rebuild the index",
 *   response: rebuildSchema, handle: () => shelves.rebuild() });
 * ```
 */
export function defineRoute<
  P extends z.ZodType = z.ZodUndefined,
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
  R extends z.ZodType = z.ZodUnknown,
>(options: RouteOptions<P, Q, B, R>): Route {
  const route = {
    method: options.method,
    path: options.path,
    access: options.access ?? (options.method === "GET" ? "viewer" : "trusted"),
    summary: options.summary,
    description: options.description,
    params: options.params,
    query: options.query,
    body: options.body,
    bodyFormat: options.bodyFormat ?? "json",
    bodyLimitBytes: options.bodyLimitBytes ?? 1_048_576,
    response: options.response,
    responseType: options.responseType ?? "application/json",
    acceptsBasic: options.acceptsBasic ?? false,
    ignoresHideMature: options.ignoresHideMature ?? false,
    challenge: options.challenge,
    credentials: options.credentials,
    onError: options.onError,
    handle: options.handle as Route["handle"],
  };
  return Object.freeze({ ...route, unknownFields: Object.keys(options).filter((field) => !(field in route)) });
}
