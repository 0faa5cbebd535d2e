import type { IncomingHttpHeaders } from "node:http";
import type { Client } from "./client.js";
import type { Grant } from "./grant.js";

/** Who a request comes from. */
export interface Identified {
  readonly grant: Grant;
  /** A cookie to send along: the session was moved on. */
  readonly cookie?: string;
}

/** What turns the credentials of a request into a grant. */
export interface Identifying {
  /**
   * The grant of whoever asks; `nobody` when no credential came or the session is over.
   * @throws {LongboxError} `kernel/bad-credentials` when a key is wrong, even beside a valid cookie
   */
  identify(headers: IncomingHttpHeaders, client: Client, acceptsBasic: boolean): Identified | Promise<Identified>;
  /** @throws {LongboxError} `kernel/cross-site` when another site may have made the browser send this */
  refuseCrossSite(headers: IncomingHttpHeaders, client: Client, grant: Grant): void;
}
