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
  return [loginRoute(access), callbackRoute(access)];
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
      });
      return reply.redirect(returnPath, { "Set-Cookie": (await beginSession(access, request, account)).cookies });
    },
  });
}

function callbackUrl({ url }: RouteRequest, provider: string): string {
  return `${url.origin}${url.pathname.split("/api/auth/")[0]}/api/auth/providers/${provider}/callback`;
}
