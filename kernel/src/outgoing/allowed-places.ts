import ipaddr from "ipaddr.js";
import { parseAddress } from "./public-addresses.js";

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Hosts and networks that an admin allows to be reached although they are not public. */
export interface AllowedPlaces {
  host(name: string): boolean;
  address(text: string): boolean;
}

/**
 * Reads a list of host names, addresses and networks, separated by commas or spaces.
 * @returns the entry that is none of these as a text
 */
export function readAllowedPlaces(list: string): AllowedPlaces | string {
  const names = new Set<string>();
  const networks: Network[] = [];
  for (const entry of list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((one) => one !== "")) {
    const network = readNetwork(entry);
    if (network) networks.push(network);
    else if (/^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9])?)*$/.test(entry))
      names.add(entry);
    else return entry;
  }
  return {
    host: (name) => names.has(name.toLowerCase().replace(/\.$/, "")),
    address(text) {
      const address = parseAddress(text);
      return address !== undefined && networks.some((network) => contains(network, address));
    },
  };
}

function readNetwork(entry: string): Network | undefined {
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry);
  // "127.1" and "2130706433" are addresses to some programs and names to none: they must be written in full.
  if (!ipaddr.IPv4.isValidFourPartDecimal(entry) && !ipaddr.IPv6.isValid(entry)) return undefined;
  const address = ipaddr.process(entry);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

function contains([network, bits]: Network, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return network.kind() === address.kind() && address.match(network, bits);
}
