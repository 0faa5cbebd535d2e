import { defineRoute, reply, settingTestResult, type PluginSettings, type Route } from "@longbox/sdk";
import * as oidc from "openid-client";
import { z } from "zod";
import { UnknownProvider } from "./oidc-errors.js";
import type { RelyingParty } from "./relying-party.js";
import { providerEntry, type ProviderEntry, type oidcSettings } from "./settings.js";

type Settings = PluginSettings<z.output<typeof oidcSettings>>;

export interface Parties {
  find(key: string): RelyingParty | undefined;
  /** For a form that is not saved yet. */
  of(entry: ProviderEntry): RelyingParty;
}

export function oidcRoutes(parties: Parties, settings: Settings): Route[] {
  return [testRoute(parties, settings), logoutRoute(parties)];
}

function testRoute(parties: Parties, settings: Settings): Route {
  return defineRoute({
    method: "POST",
    path: "/api/sign-in-oidc/test",
    access: "settings.manage",
    summary: "Fetch the discovery document of a provider",
    body: providerEntry.extend({ id: z.string().max(64).default("") }),
    response: settingTestResult,
    async handle({ body }) {
      const [entry] = settings.unmasked({ providers: [body] }).providers;
      try {
        const { issuer } = (await parties.of(entry!).configuration()).serverMetadata();
        return { ok: true, message: `The provider answers as ${issuer}.` };
      } catch (problem) {
        return { ok: false, message: problem instanceof Error ? problem.message : String(problem) };
      }
    },
  });
}

/** The session here is ended by `POST /api/auth/logout`, before or afterwards. */
function logoutRoute(parties: Parties): Route {
  return defineRoute({
    method: "GET",
    path: "/api/sign-in-oidc/{key}/logout",
    access: "public",
    summary: "Go to the provider to end its session, and come back",
    params: z.object({ key: z.string().max(40) }),
    responseType: "text/html",
    async handle({ params, url }) {
      const party = parties.find(params.key);
      if (!party) throw new UnknownProvider(params.key);
      const configuration = await party.configuration();
      if (configuration.serverMetadata().end_session_endpoint === undefined) return reply.redirect("/");
      const base = `${url.origin}${url.pathname.split("/api/")[0]}/`;
      return reply.redirect(oidc.buildEndSessionUrl(configuration, { post_logout_redirect_uri: base }).href);
    },
  });
}
