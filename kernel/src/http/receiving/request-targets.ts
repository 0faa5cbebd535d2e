import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { apiHeaders } from "../answering/headers.js";
import { status } from "../statuses.js";

const absolute = /^https?:\/\/([^/?#@\s]+)((?:[/?][^#]*)?)$/is;

/**
 * Brings the target of a request into the form of a path with a query, whatever form of RFC 9112, section 3.2, it came
 * in. What the target says of the host wins over the `Host` header, so both must be changed before they are read.
 * What is none of these forms stays as it is, and leads nowhere.
 */
export function settleTarget(request: IncomingMessage): void {
  const { url = "/" } = request;
  if (url.startsWith("/")) return;
  const [, authority, rest = ""] = absolute.exec(url) ?? [];
  if (authority === undefined) return;
  request.headers.host = authority;
  // A URL without a path is how a client on the other side of a proxy says `*`.
  if (rest === "" && request.method === "OPTIONS") request.url = "*";
  else request.url = rest.startsWith("/") ? rest : `/${rest}`;
}

/** Answers `OPTIONS *`, which asks whether there is a server at all. */
export function answersForServer(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.url !== "*" || request.method !== "OPTIONS") return false;
  response.writeHead(status.empty, { ...apiHeaders, "X-Request-Id": `wire-${randomBytes(6).toString("hex")}` }).end();
  return true;
}

const hostHeader = "host";

/** Whether the request says whom it is for as RFC 9112, section 3.2, demands: once, and HTTP/1.0 need not. */
export function namesOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === hostHeader.length && name.toLowerCase() === hostHeader) hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion !== "1.1");
}
