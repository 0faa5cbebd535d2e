import type { IncomingHttpHeaders } from "node:http";
import { LongboxError } from "@longbox/sdk";
import type { Client } from "./client.js";
import type { Grant } from "./grant.js";

/**
 * Refuses a change that another site may have made the browser ask for. A credential that a browser sends by itself is
 * good for changes only with a sign that our own pages asked; without one, such as at sign-in, no sign to the contrary
 * is needed.
 *
 * @throws {LongboxError} `kernel/cross-site`
 */
export function refuseCrossSite(headers: IncomingHttpHeaders, client: Client, grant: Grant): void {
  const verdict = sameOrigin(headers, client);
  if (verdict === true) return;
  if (verdict === undefined && grant.credential.kind !== "session") return;
  if (verdict === false && grant.signedIn && !grant.ambient) return;
  throw new LongboxError(
    "forbidden",
    "kernel/cross-site",
    "This change was requested by another site, or without a known origin.",
  );
}

/** Undefined when the request does not say. */
function sameOrigin(headers: IncomingHttpHeaders, client: Client): boolean | undefined {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin" || site === "none";
  const { origin } = headers;
  if (origin === undefined) return undefined;
  try {
    const { host, protocol } = new URL(origin);
    // An attacker in between could have put a page at the same name, but not behind its certificate. The other way
    // round is a proxy that speaks TLS and that is not configured as trusted.
    if (host === "" || (client.secure && protocol !== "https:")) return false;
    return host === withoutDefaultPort(client.host, protocol);
  } catch {
    return false;
  }
}

function withoutDefaultPort(host: string, protocol: string): string {
  return host.toLowerCase().replace(protocol === "https:" ? /:443$/ : /:80$/, "");
}
