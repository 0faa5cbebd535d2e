import type { CredentialScheme, ProtocolAnswer, RouteFailure } from "./protocol.js";
import type { Route } from "./route.js";

/** The common options of the routes of one protocol. */
export interface Protocol {
  readonly credentials?: CredentialScheme;
  /** Turns each error of a route into the protocol's own status, headers and body. */
  readonly onError?: (failure: RouteFailure) => ProtocolAnswer | Promise<ProtocolAnswer>;
}

/**
 * Applies the credentials and the errors of a protocol to routes. Options of a route itself take precedence.
 *
 * @example
 * ```ts
 * context.routes(inProtocol({ credentials: deviceKeys, onError: deviceErrors }, [progressRoute, statusRoute]));
 * ```
 */
export function inProtocol(protocol: Protocol, routes: readonly Route[]): Route[] {
  return routes.map((route) =>
    Object.freeze({
      ...route,
      credentials: route.credentials ?? protocol.credentials,
      onError: route.onError ?? protocol.onError,
    }),
  );
}
