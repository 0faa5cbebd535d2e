import type { AuthProvider, Contributions, CredentialProvider, Logger, StatusPart } from "@longbox/sdk";
import { token } from "../injection.js";

/** What others have added to an extension point. */
export type Offered<T> = Pick<Contributions<T>, "entries">;

export const OfferedAuthProviders = token<Offered<AuthProvider>>("ways to sign in elsewhere");
export const OfferedCredentialProviders = token<Offered<CredentialProvider>>("directories of names and passwords");
export const OfferedStatusParts = token<Offered<StatusPart>>("parts of the status");

/** Called after accounts or roles have changed. */
export const AccountsChanged = token<() => void>("what follows a change of accounts");
export const AccessLog = token<Logger>("the log of access");
