import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider, { type JWKS } from "oidc-provider";
import { exportJWK, generateKeyPair } from "jose";

export interface CertifiedProvider extends AsyncDisposable {
  readonly issuer: string;
  /** Who signs in from now on. */
  signsIn(accountId: string): void;
  /** Restarts it at the same address with another key. */
  rotate(): Promise<void>;
}

interface Person {
  readonly preferred_username: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly groups: readonly string[];
}

/** The certified provider of npm, whose users sign in without being asked. */
export async function startCertifiedProvider(people: Readonly<Record<string, Person>>): Promise<CertifiedProvider> {
  let current = "";
  let provider: Provider;
  const server = createServer((request, response) => {
    const interaction = /^\/interaction\//.test(request.url ?? "");
    if (!interaction) return void provider.callback()(request, response);
    void provider.interactionFinished(request, response, { login: { accountId: current }, consent: {} });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const renew = async (kid: string) => {
    provider = new Provider(issuer, configurationOf(people, await newKeys(kid)));
    provider.on("server_error", (_, error) => console.error(error));
  };
  await renew("first");
  return {
    issuer,
    signsIn: (accountId) => void (current = accountId),
    rotate: () => renew("second"),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function newKeys(kid: string): Promise<JWKS> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return { keys: [{ ...(await exportJWK(privateKey)), kid, alg: "RS256", use: "sig" }] } as JWKS;
}

function configurationOf(people: Readonly<Record<string, Person>>, jwks: JWKS) {
  return {
    jwks,
    clients: [
      {
        client_id: "longbox",
        client_secret: "a secret of the provider",
        redirect_uris: ["http://127.0.0.1/api/auth/providers/club/callback"],
        post_logout_redirect_uris: ["http://127.0.0.1/"],
        application_type: "native" as const,
      },
    ],
    claims: {
      openid: ["sub"],
      profile: ["preferred_username"],
      email: ["email", "email_verified"],
      groups: ["groups"],
    },
    pkce: { required: () => true },
    cookies: { keys: ["a key for cookies"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
    async loadExistingGrant(context: any) {
      const { client, session, provider } = context.oidc;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope("openid profile email groups");
      await grant.save();
      return grant;
    },
  };
}
