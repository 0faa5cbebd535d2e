import { defineRoute, reply, type Route, type RouteRequest } from "@longbox/sdk";
import { z } from "zod";
import {
  credentialsSchema,
  currentUserSchema,
  emailSchema,
  okSchema,
  passwordSchema,
  registrationSchema,
} from "../../access/accounts/account-schemas.js";
import type { Access } from "../../access/access.js";
import type { Account } from "../../access/accounts/account.js";
import { deviceOf, endedSessionCookie } from "../../access/credentials/cookies.js";
import type { Grant } from "../../access/identifying/grant.js";
import { beginSession } from "./beginning-sessions.js";
import { behind } from "../routing/route-call.js";

export const meSchema = z.object({
  openMode: z.boolean(),
  registration: z.boolean(),
  user: currentUserSchema.nullable(),
  hideMature: z.boolean(),
  setupTokenNeeded: z.boolean().optional(),
});
const signedInSchema = z.object({
  user: currentUserSchema,
  sessionUntilRestart: z.literal(true).optional().meta({
    description: "True if the session could not be stored because the disk is full; it then ends with the server.",
  }),
});
export const providersSchema = z.object({
  providers: z.array(z.object({ id: z.string(), label: z.string(), loginPath: z.string() })),
  passwordLogin: z.boolean(),
});

/** The routes for signing in and out. */
export function authRoutes(access: Access): Route[] {
  return [
    ...stateRoutes(access),
    ...beginningRoutes(access),
    ...endingRoutes(access),
    passwordRoute(access),
    ...ownAccountRoutes(access),
  ];
}

/** Who is signed in, and how one can sign in. */
function stateRoutes(access: Access): Route[] {
  const { openMode, outside, settings, signIn } = access;

  return [
    defineRoute({
      method: "GET",
      path: "/api/auth/me",
      access: "public",
      summary: "The current user, and whether the server is open",
      response: meSchema,
      async handle(request) {
        const { grant } = behind(request);
        const hideMature = grant.user.id > 0 && (await access.accounts.find(grant.user.id))?.hideMature === true;
        const open = openMode.open;
        return {
          openMode: open,
          registration: settings.current.registration,
          user: grant.signedIn ? describe(grant) : null,
          hideMature,
          ...(open && { setupTokenNeeded: !grant.signedIn }),
        };
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/auth/providers",
      access: "public",
      summary: "The sign-in methods",
      response: providersSchema,
      handle: () => ({ providers: outside.providers(), passwordLogin: signIn.acceptsPasswords }),
    }),
  ];
}

function beginningRoutes(access: Access): Route[] {
  const { authentication, membership, signIn } = access;

  const begin = async (request: RouteRequest, account: Account) => {
    const { cookies, isStored } = await beginSession(access, request, account);
    const user = describe(authentication.grantFor(account, { kind: "none" }));
    return reply.json({ user, ...(!isStored && { sessionUntilRestart: true }) }, { "Set-Cookie": cookies });
  };

  return [
    defineRoute({
      method: "POST",
      path: "/api/auth/register",
      access: "public",
      summary: "Create an account: the first admin, or a viewer where registration is open",
      body: registrationSchema,
      response: signedInSchema,
      async handle(request) {
        const { client, grant } = behind(request);
        return begin(request, await membership.register(grant, client, request.body));
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/auth/login",
      access: "public",
      summary: "Sign in with a name and a password",
      body: credentialsSchema,
      response: signedInSchema,
      async handle(request) {
        const { username, password } = request.body;
        const { address } = behind(request).client;
        const device = deviceOf(request.header("cookie"));
        return begin(request, await signIn.check(username, password, { address, device }));
      },
    }),
  ];
}

function endingRoutes(access: Access): Route[] {
  const { membership } = access;

  return [
    defineRoute({
      method: "POST",
      path: "/api/auth/logout",
      access: "signed-in",
      summary: "End the current session",
      response: okSchema,
      async handle(request) {
        const { client, grant } = behind(request);
        await membership.signOut(grant);
        return reply.json({ ok: true }, { "Set-Cookie": endedSessionCookie(client) });
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/auth/logout-others",
      access: "signed-in",
      summary: "End every other session of the account",
      response: z.object({ cleared: z.number().int() }),
      handle: async (request) => ({ cleared: await membership.signOutOthers(behind(request).grant) }),
    }),
  ];
}

function passwordRoute({ membership }: Access): Route {
  return defineRoute({
    method: "POST",
    path: "/api/auth/password",
    access: "signed-in",
    summary: "Change your password; other sessions end",
    body: z.object({ current: z.string().max(1024), next: passwordSchema }),
    response: okSchema,
    async handle(request) {
      const { client, grant } = behind(request);
      await membership.changePassword(grant, client, request.body);
      return { ok: true as const };
    },
  });
}

/** What users change about their own accounts. */
function ownAccountRoutes({ membership }: Access): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/auth/email",
      access: "signed-in",
      summary: "Set your email address; an empty one removes it",
      body: z.object({ email: z.union([emailSchema, z.literal(""), z.null()]) }),
      response: z.object({ email: z.string().nullable() }),
      async handle(request) {
        const email = request.body.email || null;
        await membership.changeOwn(behind(request).grant, { email });
        return { email };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/auth/hide-mature",
      access: "signed-in",
      summary: "Hide mature content from yourself",
      body: z.object({ hide: z.boolean() }),
      response: z.object({ hideMature: z.boolean() }),
      async handle(request) {
        await membership.changeOwn(behind(request).grant, { hideMature: request.body.hide });
        return { hideMature: request.body.hide };
      },
    }),
  ];
}

function describe(grant: Grant): z.output<typeof currentUserSchema> {
  return { ...grant.user, permissions: grant.rights.list() };
}
