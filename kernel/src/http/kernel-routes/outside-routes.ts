import { defineRoute, reply, type Route, type RouteRequest } from "@longbox/sdk";
import { z } from "zod";
import type { Access } from "../../access/access.js";
import { attemptCookieFor, readCookie } from "../../access/credentials/cookies.js";
import { attemptSeconds } from "../../access/identifying/outside-sign-in.js";
import { beginSession } from "./beginning-sessions.js";
import { behind } from "../routing/route-call.js";

const params = z.object({ provider: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be a provider's id") });
const attemptCookie = "longbox_attempt";

/** The redirects to and from a sign-in provider. Browsers follow links here, so the answers are redirects. */
export function outsideRoutes(access: Access): Route[] {
  return [loginRoute(access), callbackRoute(access), linkRoute(access), unlinkRoute(access)];
}

function loginRoute({ outside }: Access): Route {
  return defineRoute({
    method: "GET",
    path: "/api/auth/providers/{provider}/login",
    access: "public",
    summary: "Start to sign in through a provider",
    params,
    query: z.object({ next: z.string().max(2000).default("/") }),
    responseType: "text/html",
    async handle(request) {
      const { provider } = request.params;
      const { client } = behind(request);
      const { redirectTo, ticket } = await outside.begin(provider, {
        client,
        callbackUrl: callbackUrl(request, provider),
        returnPath: request.query.next,
      });
      return reply.redirect(redirectTo, {
        "Set-Cookie": attemptCookieFor({ name: attemptCookie, value: ticket, maxAgeSeconds: attemptSeconds }, client),
      });
    },
  });
}

function callbackRoute(access: Access): Route {
  return defineRoute({
    method: "GET",
    path: "/api/auth/providers/{provider}/callback",
    access: "public",
    summary: "Return from a sign-in provider",
    params,
    responseType: "text/html",
    async handle(request) {
      const { provider } = request.params;
      const ticket = readCookie(request.header("cookie"), attemptCookie);
      const { account, returnPath } = await access.outside.complete(provider, ticket, {
        callbackUrl: callbackUrl(request, provider),
        answerUrl: request.url.href,
        peer: { address: behind(request).peerAddress, header: request.header },
        accountId: request.viewer.user.id,
      });
      return reply.redirect(returnPath, { "Set-Cookie": (await beginSession(access, request, account)).cookies });
    },
  });
}

/** A page sends people on by itself: an answer to a request of a script cannot redirect them. */
function linkRoute({ outside, membership }: Access): Route {
  return defineRoute({
    method: "POST",
    path: "/api/auth/providers/{provider}/link",
    access: "signed-in",
    summary: "Start to link your account to a provider, to sign in through it, too",
    params,
    body: z.object({ next: z.string().max(2000).default("/account") }),
    response: z.object({ redirectTo: z.string() }),
    async handle(request) {
      const { provider } = request.params;
      const { client, grant } = behind(request);
      const { redirectTo, ticket } = await outside.begin(provider, {
        client,
        callbackUrl: callbackUrl(request, provider),
        returnPath: request.body.next,
        linkTo: membership.sessionOwner(grant),
      });
      const cookie = attemptCookieFor({ name: attemptCookie, value: ticket, maxAgeSeconds: attemptSeconds }, client);
      return reply.json({ redirectTo }, { "Set-Cookie": cookie });
    },
  });
}

function unlinkRoute({ external, membership }: Access): Route {
  return defineRoute({
    method: "DELETE",
    path: "/api/auth/providers/{provider}/link",
    access: "signed-in",
    summary: "No longer sign in to your account through a provider",
    params,
    response: z.object({ providers: z.array(z.string()) }),
    async handle(request) {
      const id = membership.sessionOwner(behind(request).grant);
      await external.unlink(id, request.params.provider);
      return { providers: await external.providersOf(id) };
    },
  });
}

function callbackUrl({ url }: RouteRequest, provider: string): string {
  return `${url.origin}${url.pathname.split("/api/auth/")[0]}/api/auth/providers/${provider}/callback`;
}
