import { RedirectRefused } from "./outgoing-errors.js";

/** One request on its way, as it was given or as a redirect left it. */
export interface Hop {
  readonly url: URL;
  readonly init: RequestInit;
}

const redirects = new Set([301, 302, 303, 307, 308]);
/** What another origin may know of a request: how to answer it, and nothing of who asks. */
const harmless =
  /^(accept(-.*)?|user-agent|range|if-(none-match|match|modified-since|unmodified-since|range)|cache-control|content-(type|language|encoding))$/i;
const ofBody = /^content-/i;

/** Where an answer sends the request, or undefined. */
export function redirectOf(answer: Pick<Response, "status" | "headers">): string | undefined {
  return redirects.has(answer.status) ? (answer.headers.get("location") ?? undefined) : undefined;
}

/**
 * The request that follows a redirect, as the Fetch standard says, except that no header of unknown meaning goes to
 * another origin.
 */
export function follow({ url, init }: Hop, status: number, location: string): Hop {
  const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
  if (next === undefined || !/^https?:$/.test(next.protocol))
    throw new RedirectRefused(url.host, "not to a web address");
  next.username = next.password = "";
  const method = (init.method ?? "GET").toUpperCase();
  const becomesGet = (status === 303 && method !== "HEAD") || (status < 303 && method === "POST");
  if (!becomesGet && init.body instanceof ReadableStream)
    throw new RedirectRefused(url.host, "a body that can be sent only once");
  const headers = [...new Headers(init.headers)].filter(
    ([name]) => (next.origin === url.origin || harmless.test(name)) && !(becomesGet && ofBody.test(name)),
  );
  return {
    url: next,
    init: { ...init, headers, ...(becomesGet ? { method: "GET", body: null } : {}) },
  };
}
