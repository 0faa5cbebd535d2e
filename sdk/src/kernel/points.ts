import type { Viewer } from "../viewer.js";
import { extensionPoint } from "../token.js";

/** A user as authenticated by an external provider. `subject` is stable and unique within the provider. */
export interface ExternalIdentity {
  subject: string;
  username: string;
  email?: string;
  /** A role that the provider's policy maps to; without it a new account is a viewer. */
  role?: string;
}

/** A way to sign in elsewhere and come back, such as OpenID Connect. */
export interface AuthProvider {
  readonly id: string;
  readonly label: string;
  /** Starts an attempt. `state` is kept by the kernel, bound to the browser, and handed back to `complete`. */
  begin(attempt: { callbackUrl: string }): Promise<{ redirectTo: string; state: Record<string, string> }>;
  /** Ends an attempt: checks the answer and says who it is. */
  complete(attempt: {
    callbackUrl: string;
    answerUrl: string;
    state: Record<string, string>;
  }): Promise<ExternalIdentity>;
}

/** A back end that checks names and passwords, such as LDAP. Asked when the kernel itself does not know the pair. */
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
