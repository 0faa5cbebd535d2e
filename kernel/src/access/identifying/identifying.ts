import type { CredentialScheme, PresentedCredentials } from "@longbox/sdk";
import type { IncomingHttpHeaders } from "node:http";
import type { Client } from "./client.js";
import type { Grant } from "./grant.js";

/** The result of authenticating a request. */
export interface Identified {
  readonly grant: Grant;
  /** A cookie to send along: the session was moved on. */
  readonly cookie?: string;
}

/** The credentials that came, as the throttle and the scheme need them. */
export interface SchemeRequest {
  readonly scheme: CredentialScheme;
  readonly presented: PresentedCredentials;
  readonly client: Client;
  /** Asks the scheme, as its plugin. */
  readonly identify: () => Promise<number | undefined>;
}

/** Turns the credentials of a plugin's scheme into a grant. */
export interface SchemeIdentifying {
  /** @throws {LongboxError} `kernel/bad-credentials` or `kernel/too-many-attempts` */
  identify(request: SchemeRequest): Promise<Grant>;
}

/** Turns the credentials of a request into a grant. */
export interface Identifying {
  /**
   * The grant of the sender; `anonymous` when no credential came or the session is over.
   * @throws {LongboxError} `kernel/bad-credentials` when a key is wrong, even beside a valid cookie
   */
  identify(headers: IncomingHttpHeaders, client: Client, acceptsBasic: boolean): Identified | Promise<Identified>;
  /** @throws {LongboxError} `kernel/cross-site` when another site may have made the browser send this */
  refuseCrossSite(headers: IncomingHttpHeaders, client: Client, grant: Grant): void;
}
