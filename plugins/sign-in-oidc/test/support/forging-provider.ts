import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from "jose";

export interface ForgingProvider extends AsyncDisposable {
  readonly issuer: string;
  /** Changes what the next ID tokens say, and how they are signed. */
  forge(how: Forgery): void;
}

export interface Forgery {
  readonly claims?: (right: JWTPayload) => JWTPayload;
  readonly signedBy?:
    | "own key"
    | "unknown key"
    | "unknown key with the id of the own one"
    | "nothing"
    | "the client secret";
  /** The issuer of the discovery document. */
  readonly claimsToBe?: string;
}

export const clientSecret = "a secret that is long enough for HS256, which is never accepted";

/** A provider that answers every code with an ID token for the nonce that is given as the code. */
export async function startForgingProvider(): Promise<ForgingProvider> {
  let forgery: Forgery = {};
  const [own, other] = [await generateKeyPair("RS256"), await generateKeyPair("RS256")];
  const keys = [{ ...(await exportJWK(own.publicKey)), kid: "own", alg: "RS256", use: "sig" }];
  const answers: Record<string, (issuer: string, body: URLSearchParams) => unknown> = {
    "/.well-known/openid-configuration": (issuer) => discoveryOf(issuer, forgery.claimsToBe ?? issuer),
    "/keys": () => ({ keys }),
    "/token": async (issuer, body) => {
      const parts = { issuer, nonce: body.get("code") ?? "", forgery };
      const token = await tokenOf({ ...parts, own: own.privateKey, other: other.privateKey });
      return { access_token: "access", token_type: "Bearer", expires_in: 60, id_token: token };
    },
  };
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const answer = await answers[request.url ?? ""]?.(`http://${request.headers.host}`, new URLSearchParams(body));
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forge: (how) => void (forgery = how),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const discoveryOf = (address: string, issuer: string) => ({
  issuer,
  authorization_endpoint: `${address}/authorize`,
  token_endpoint: `${address}/token`,
  jwks_uri: `${address}/keys`,
  response_types_supported: ["code"],
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["RS256", "HS256"],
});

interface TokenParts {
  readonly issuer: string;
  readonly nonce: string;
  readonly forgery: Forgery;
  readonly own: CryptoKey;
  readonly other: CryptoKey;
}

async function tokenOf({ issuer, nonce, forgery, own, other }: TokenParts): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const right = { iss: issuer, aud: "longbox", sub: "s-1", nonce, iat: now, exp: now + 60, preferred_username: "ann" };
  const claims = forgery.claims?.(right) ?? right;
  const signedBy = forgery.signedBy ?? "own key";
  if (signedBy === "nothing") {
    const encoded = [{ alg: "none" }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
    return `${encoded.join(".")}.`;
  }
  const token = new SignJWT(claims);
  if (signedBy === "the client secret")
    return token.setProtectedHeader({ alg: "HS256", kid: "own" }).sign(new TextEncoder().encode(clientSecret));
  const kid = signedBy === "unknown key" ? "other" : "own";
  return token.setProtectedHeader({ alg: "RS256", kid }).sign(signedBy === "own key" ? own : other);
}
