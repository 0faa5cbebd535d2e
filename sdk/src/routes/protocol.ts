import type { ErrorKind } from "../errors.js";

/** The part of a request that a credential scheme sees: everything but the body, which has not been read yet. */
export interface PresentedCredentials {
  readonly method: string;
  /** The path's parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The query parameters that the scheme declares as secret, decoded; absent ones are left out. */
  readonly query: Readonly<Record<string, string>>;
  /** The HTTP Basic credentials, where the scheme accepts them. */
  readonly basic: { readonly username: string; readonly password: string } | undefined;
  /** Aborts when the client goes away or the plugin stops. */
  readonly signal: AbortSignal;
  /** One request header, or undefined. */
  header(name: string): string | undefined;
}

/**
 * How the clients of a protocol authenticate instead of by keys, cookies and passwords of this server: by headers, by a
 * token in the path or the query, or by HTTP Basic with a separate secret.
 *
 * The kernel asks the scheme before it reads the body, slows down wrong answers as it does at sign-in, builds the
 * viewer of the account, and checks the route's permission as everywhere. The values of the secret headers and
 * parameters are kept out of logs.
 */
export interface CredentialScheme {
  /** Names it in the API document, and keeps its failed attempts apart from those of others. */
  readonly id: string;
  /** Request headers that carry a secret. */
  readonly secretHeaders?: readonly string[];
  /** Path parameters that carry a secret. */
  readonly secretParameters?: readonly string[];
  /**
   * Query parameters that carry a secret, for programs that can only be configured with an address, such as calendars.
   */
  readonly secretQuery?: readonly string[];
  /** Accepts HTTP Basic, and requests it with this realm. */
  readonly basicRealm?: string;
  /**
   * The claimed user name, where there is one; default that of HTTP Basic. Failed attempts are counted as at sign-in:
   * 10 for a name at one address, 40 for an address, 100 for a name, within 5 minutes. Without a name, the secret
   * counts in its place, and only at its address: then it has to be long and random, such as 16 random bytes.
   */
  claimedName?(presented: PresentedCredentials): string | undefined | Promise<string | undefined>;
  /**
   * The id of the account of the credentials; undefined when they are wrong. Called at every request with at least one
   * of the secrets, so that a revoked token is refused at once.
   */
  identify(presented: PresentedCredentials): Promise<number | undefined>;
}

/**
 * An error that is about to be sent to a client: one that a handler threw, or one that the kernel raised before the
 * handler.
 */
export interface RouteFailure {
  readonly kind: ErrorKind;
  /** `plugin/reason`; the kernel's own begin with `kernel/`. */
  readonly code: string;
  readonly message: string;
  readonly details: unknown;
  readonly retryAfterSeconds: number | undefined;
  /** Also in the answer's `X-Request-Id` and in the log. */
  readonly requestId: string;
}

/** The error response of a protocol, which replaces that of this server. */
export interface ProtocolAnswer {
  /** The HTTP status that the protocol prescribes. Default: that of the error's kind. */
  readonly protocolStatus?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Sent as JSON, unless `contentType` says otherwise and the body is text or bytes. Nothing is sent when it is left
   * out.
   */
  readonly body?: unknown;
  readonly contentType?: string;
}
