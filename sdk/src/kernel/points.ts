import type { Viewer } from "../viewer.js";
import { extensionPoint } from "../token.js";

/** A user as authenticated by an external provider. `subject` is stable and unique within the provider. */
export interface ExternalIdentity {
  subject: string;
  username: string;
  email?: string;
  /** The role from the provider's mapping; by default a new account is a viewer. */
  role?: string;
  /** Whether the role is given at each sign-in, and not to new accounts alone. The last administrator stays one. */
  roleFollows?: boolean;
  /** False: without an account of this identity the sign-in is refused, whatever the settings of the server are. */
  createsAccount?: boolean;
  /** The identity belongs to the existing account of that name: only for providers that decide about the names here. */
  claimsName?: boolean;
}

/** The other end of the connection, which can be a proxy. */
export interface SigningPeer {
  /** The address of the socket, whatever headers say. */
  readonly address: string;
  /** A header as it came, or undefined; several of one name are joined with commas. */
  header(name: string): string | undefined;
}

/** A sign-in by redirect to another server, such as OpenID Connect. */
export interface AuthProvider {
  readonly id: string;
  readonly label: string;
  /** Starts an attempt. The kernel stores `state`, bound to the browser, and passes it to `complete`. */
  begin(attempt: { callbackUrl: string }): Promise<{ redirectTo: string; state: Record<string, string> }>;
  /** Completes an attempt: verifies the answer and returns the user. */
  complete(attempt: {
    callbackUrl: string;
    answerUrl: string;
    state: Record<string, string>;
    peer: SigningPeer;
  }): Promise<ExternalIdentity>;
}

/** A back end that verifies names and passwords, such as LDAP. Called when the kernel has no matching account. */
export interface CredentialProvider {
  readonly id: string;
  verify(credentials: { username: string; password: string }): Promise<ExternalIdentity | undefined>;
}

/** A part of `GET /api/status`: the fields are merged into the answer. */
export interface StatusPart {
  read(viewer: Viewer): Promise<Record<string, unknown>>;
}

export const AuthProviders = extensionPoint<AuthProvider>("authProviders", "1.0.0");
export const CredentialProviders = extensionPoint<CredentialProvider>("credentialProviders", "1.0.0");
export const StatusParts = extensionPoint<StatusPart>("statusParts", "1.0.0");
