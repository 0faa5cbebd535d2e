import { token } from "./injection.js";

/** The absolute path of the folder that holds everything of this server. */
export const DataFolder = token<string>("the data folder");
/** Aborts when the kernel has stopped its plugins. */
export const Stopping = token<AbortSignal>("the signal of the kernel's stop");
/** The address of the npm registry that plugins come from. */
export const RegistryUrl = token<string>("the address of the registry");
/** The file with the token for publishing to the registry; empty where this server cannot publish. */
export const RegistryTokenFile = token<string>("the file of the registry's token");
/** The file with the trusted root of an own Sigstore; empty where the public one is trusted. */
export const TrustedRootFile = token<string>("the file of the trusted root");
/** What `TRUST_PROXY` says; no proxy is believed where it is missing. */
export const TrustedProxies = token<string>("the proxies that are believed");
/** Where paths of this server begin on its host, such as `/longbox`; empty or missing at the root. */
export const BasePath = token<string>("the base path");
/** What requests that other servers of the library forward carry; missing where there are no other servers. */
export const PeerSecret = token<string>("the secret of the servers of the library");
/** The token that makes the first account; one is made at random where it is missing. */
export const SetupToken = token<string>("the setup token");
/** The version of the SDK that plugins run on. */
export const SdkVersion = token<string>("the version of the SDK");
