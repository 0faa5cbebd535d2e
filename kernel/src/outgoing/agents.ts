import { lookup as resolve, type LookupOptions } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import type * as Undici from "undici";
import type { AllowedPlaces } from "./allowed-places.js";
import { AddressNotPublic } from "./outgoing-errors.js";
import { isElsewhere } from "./own-networks.js";
import { reusingBuffers } from "./reused-buffers.js";

const connectMs = 10_000;

/** Connections to anywhere, and those of which only public addresses are reached. */
export interface Agents {
  readonly open: Undici.Agent;
  readonly guarded: Undici.Agent;
}

export function usualAgents(undici: typeof Undici, allowed: () => AllowedPlaces): Agents {
  return agentsOf(undici, undici.buildConnector, allowed);
}

/** For bodies of any length; see {@link reusingBuffers} for how long what they receive is valid. */
export function streamAgents(undici: typeof Undici, allowed: () => AllowedPlaces): Agents {
  return agentsOf(undici, reusingBuffers(undici.buildConnector), allowed);
}

function agentsOf({ Agent }: typeof Undici, build: typeof Undici.buildConnector, allowed: () => AllowedPlaces): Agents {
  const open = new Agent({ connect: build({ timeout: connectMs }) });
  return { open, guarded: new Agent({ connect: guardedConnector(build, allowed) }) };
}

/**
 * Connections to public addresses of other networks, and to what an admin allows. The addresses that a name has at the
 * moment of connecting are looked at, and only one of those is connected to, so that a name cannot change in between.
 */
function guardedConnector(
  build: typeof Undici.buildConnector,
  allowed: () => AllowedPlaces,
): Undici.buildConnector.connector {
  const connect = build({ timeout: connectMs, lookup: guardedLookup(allowed) });
  return (options, connected) => {
    // Node looks up no name for an address.
    const address = options.hostname.replace(/^\[|\]$/g, "");
    if (isIP(address) === 0 || isElsewhere(address) || allowed().address(address)) return connect(options, connected);
    return connected(new AddressNotPublic(options.hostname), null);
  };
}

function guardedLookup(allowed: () => AllowedPlaces): LookupFunction {
  return (hostname: string, options: LookupOptions, found) => {
    resolve(hostname, { ...options, all: true }, (fault, addresses) => {
      if (fault) return found(fault, [], 0);
      const { host, address } = allowed();
      const permitted = host(hostname)
        ? addresses
        : addresses.filter((each) => isElsewhere(each.address) || address(each.address));
      const first = permitted[0];
      if (first === undefined) found(new AddressNotPublic(hostname), [], 0);
      else if (options.all) found(null, permitted);
      else found(null, first.address, first.family);
    });
  };
}
