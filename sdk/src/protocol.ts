import type { ErrorKind } from "./errors.js";

/** What a request brings to prove who it is: everything but its body, which has not been read. */
export interface PresentedCredentials {
  readonly method: string;
  /** The path's parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The query's parameters that the scheme names as secret, decoded; those that did not come are left out. */
  readonly query: Readonly<Record<string, string>>;
  /** Of HTTP Basic, where the scheme takes it. */
  readonly basic: { readonly username: string; readonly password: string } | undefined;
  /** Aborts when the client goes away or the plugin stops. */
  readonly signal: AbortSignal;
  /** One request header, or undefined. */
  header(name: string): string | undefined;
}

/**
 * How the clients of a protocol prove who they are, in place of keys, cookies and passwords of this server: by headers, by a
 * token in the path or the query, or by HTTP Basic with a secret of its own.
 *
 * The kernel asks the scheme before it reads the body, slows down wrong answers as it does at sign-in, builds the viewer of
 * the account, and checks the route's permission as everywhere. The values of the secret headers and parameters are kept out
 * of logs.
 */
export interface CredentialScheme {
  /** Names it in the API document, and keeps its failed attempts apart from those of others. */
  readonly id: string;
  /** Request headers that carry a secret. */
  readonly secretHeaders?: readonly string[];
  /** Path parameters that carry a secret. */
  readonly secretParameters?: readonly string[];
  /** Query parameters that carry a secret, for programs that know nothing but an address, such as calendars. */
  readonly secretQuery?: readonly string[];
  /** Takes HTTP Basic, and asks for it by this realm. */
  readonly basicRealm?: string;
  /** Whom the request claims to be, where it says so: wrong attempts are counted for this name. */
  claimedName?(presented: PresentedCredentials): string | undefined;
  /**
   * The id of the account that the credentials stand for; undefined when they are wrong. It is asked at every request, so a
   * revoked token is refused at once, and only when at least one of the secrets came.
   */
  identify(presented: PresentedCredentials): Promise<number | undefined>;
}

/** An error on its way to a client: one that a handler threw, or one of the kernel's own before the handler was reached. */
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

/** What a protocol answers in place of this server's own error. */
export interface ProtocolAnswer {
  /** The HTTP status that the protocol prescribes. Default: that of the error's kind. */
  readonly protocolStatus?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless `contentType` says otherwise and the body is text or bytes. Nothing is sent when it is left out. */
  readonly body?: unknown;
  readonly contentType?: string;
}
