import { defineRoute, reply, type Route, type RouteRequest } from "@longbox/sdk";
import { z } from "zod";
import type { Access } from "../../access/access.js";
import { attemptCookieFor, readCookie, sessionCookieFor } from "../../access/cookies.js";
import { attemptSeconds } from "../../access/outside-sign-in.js";
import { behind } from "../route-call.js";

const params = z.object({ provider: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be a provider's id") });
const attemptCookie = "longbox_attempt";

/** The way to a sign-in provider and back. Browsers come here by links, so the answers are redirects. */
export function outsideRoutes({ outside, sessions, accounts, membership }: Access): Route[] {
  const callbackUrl = (request: RouteRequest, provider: string) => `${request.url.origin}${request.url.pathname.split("/api/auth/")[0]}/api/auth/providers/${provider}/callback`;
  return [
    defineRoute({
      method: "GET",
      path: "/api/auth/providers/{provider}/login",
      access: "public",
      summary: "Begin to sign in through a provider",
      params,
      query: z.object({ next: z.string().max(2000).default("/") }),
      responseType: "text/html",
      async handle(request) {
        const { provider } = request.params;
        const { client } = behind(request);
        const { redirectTo, ticket } = await outside.begin(provider, client, callbackUrl(request, provider), request.query.next);
        return reply.redirect(redirectTo, { "Set-Cookie": attemptCookieFor(attemptCookie, ticket, client, attemptSeconds) });
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/auth/providers/{provider}/callback",
      access: "public",
      summary: "Come back from a provider",
      params,
      responseType: "text/html",
      async handle(request) {
        const { provider } = request.params;
        const { client, grant } = behind(request);
        const ticket = readCookie(request.header("cookie"), attemptCookie);
        const { account, returnPath } = await outside.complete(provider, ticket, { callbackUrl: callbackUrl(request, provider), answerUrl: request.url.href });
        // As at every sign-in: the session that the browser had before must not live on beside the new one.
        await membership.signOut(grant);
        const { token } = await sessions.begin(account.id);
        await accounts.seen(account.id, new Date().toISOString());
        return reply.redirect(returnPath, { "Set-Cookie": sessionCookieFor(token, client) });
      },
    }),
  ];
}
