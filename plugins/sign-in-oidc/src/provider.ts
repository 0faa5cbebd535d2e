import type { AuthProvider, ExternalIdentity } from "@longbox/sdk";
import * as oidc from "openid-client";
import { z } from "zod";
import { identityOf } from "./claims.js";
import type { RelyingParty } from "./relying-party.js";

/** What the kernel keeps of an attempt, bound to the browser. */
const stateSchema = z.object({ state: z.string(), nonce: z.string(), verifier: z.string() });

/** Sign-in by the authorization code flow with PKCE. */
export function authProvider(party: RelyingParty): AuthProvider {
  const { key, label } = party.entry;
  return {
    id: key,
    label,
    begin: ({ callbackUrl }) => begin(party, callbackUrl),
    complete: (attempt) => complete(party, attempt),
  };
}

async function begin(party: RelyingParty, callbackUrl: string) {
  const configuration = await party.configuration();
  const verifier = oidc.randomPKCECodeVerifier();
  const attempt = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier };
  const address = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: callbackUrl,
    scope: party.entry.scopes,
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  return { redirectTo: address.href, state: attempt };
}

/** Checks state, issuer, audience, nonce, times and signature, and asks for claims that the ID token lacks. */
async function complete(
  party: RelyingParty,
  { callbackUrl, answerUrl, state }: Parameters<AuthProvider["complete"]>[0],
): Promise<ExternalIdentity> {
  const attempt = stateSchema.parse(state);
  const configuration = await party.configuration();
  const answered = new URL(callbackUrl);
  answered.search = new URL(answerUrl).search;
  const tokens = await oidc.authorizationCodeGrant(configuration, answered, {
    pkceCodeVerifier: attempt.verifier,
    expectedState: attempt.state,
    expectedNonce: attempt.nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw new Error("The provider sent no ID token.");
  const hasInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
  const info = hasInfo ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {};
  // The signed token decides where both have a claim.
  return identityOf({ ...info, ...claims }, party.entry);
}
