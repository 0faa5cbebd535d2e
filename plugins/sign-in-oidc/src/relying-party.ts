import type { Fetch } from "@longbox/sdk";
import * as oidc from "openid-client";
import { InsecureIssuer, NotConfigured } from "./oidc-errors.js";
import type { ProviderEntry } from "./settings.js";

/** How long a discovery document is used. */
const discoveryMs = 3_600_000;
/** How far the clocks of both servers may differ, in seconds. */
const clockToleranceSeconds = 30;
const timeoutSeconds = 15;
const mostBytes = 1_048_576;

/** This server as a client of one provider. */
export class RelyingParty {
  #discovered: { readonly metadata: oidc.ServerMetadata; readonly until: number } | undefined;

  constructor(
    readonly entry: ProviderEntry,
    private readonly fetch: Fetch,
  ) {}

  /**
   * The provider's configuration, checked to be that of the issuer. It is new for every call, so that the keys of the
   * provider are fetched for every sign-in: a rotated key is known at once, and a withdrawn one no longer.
   * @throws {NotConfigured} or {@link InsecureIssuer}
   */
  async configuration(): Promise<oidc.Configuration> {
    const { issuer, clientId } = this.entry;
    if (issuer === "") throw new NotConfigured("issuer");
    if (clientId === "") throw new NotConfigured("clientId");
    const address = new URL(issuer);
    const metadata = await this.#metadata(address);
    return this.#prepare(new oidc.Configuration(metadata, clientId, this.#client(), this.#authentication(metadata)));
  }

  async #metadata(address: URL): Promise<oidc.ServerMetadata> {
    if (this.#discovered && Date.now() < this.#discovered.until) return this.#discovered.metadata;
    if (address.protocol !== "https:" && !isThisMachine(address)) throw new InsecureIssuer(this.entry.issuer);
    const found = await oidc.discovery(address, this.entry.clientId, this.#client(), oidc.None(), {
      [oidc.customFetch]: (url, options) => this.#ask(url, options),
      timeout: timeoutSeconds,
      ...(isThisMachine(address) && { execute: [oidc.allowInsecureRequests] }),
    });
    const metadata = found.serverMetadata();
    this.#discovered = { metadata, until: Date.now() + discoveryMs };
    return metadata;
  }

  #prepare(configuration: oidc.Configuration): oidc.Configuration {
    configuration[oidc.customFetch] = (url, options) => this.#ask(url, options);
    configuration.timeout = timeoutSeconds;
    if (isThisMachine(new URL(this.entry.issuer))) oidc.allowInsecureRequests(configuration);
    // Signatures of ID tokens are verified even though they come over TLS.
    oidc.enableNonRepudiationChecks(configuration);
    return configuration;
  }

  #client(): Partial<oidc.ClientMetadata> {
    return { [oidc.clockTolerance]: clockToleranceSeconds };
  }

  #authentication({ token_endpoint_auth_methods_supported: methods }: oidc.ServerMetadata): oidc.ClientAuth {
    const { clientSecret } = this.entry;
    if (clientSecret === "") return oidc.None();
    const isPostOnly = methods?.includes("client_secret_post") && !methods.includes("client_secret_basic");
    return isPostOnly ? oidc.ClientSecretPost(clientSecret) : oidc.ClientSecretBasic(clientSecret);
  }

  #ask(url: string, { body, headers, method, signal }: oidc.CustomFetchOptions): Promise<Response> {
    return this.fetch(url, {
      method,
      headers,
      ...(body !== undefined && body !== null && { body }),
      ...(signal && { signal }),
      redirects: 0,
      maxBytes: mostBytes,
    });
  }
}

const isThisMachine = ({ protocol, hostname }: URL): boolean =>
  protocol === "http:" && ["127.0.0.1", "[::1]", "localhost"].includes(hostname);
