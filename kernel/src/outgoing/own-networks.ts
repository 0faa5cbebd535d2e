import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";
import { isPublicAddress, parseAddress } from "./public-addresses.js";

/** A network this large belongs to a tunnel or a mistake: its addresses are not neighbours of this machine. */
const widestNetworkBits = { ipv4: 8, ipv6: 32 } as const;

/**
 * Whether an address is public and of another network. A machine may have public addresses itself, as most have with
 * IPv6, and so may everything beside it, such as its router: what such an address leads to is inside all the same.
 */
export function isElsewhere(text: string): boolean {
  const address = parseAddress(text);
  return address !== undefined && isPublicAddress(text) && !isInOwnNetwork(address);
}

function isInOwnNetwork(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return own.some(({ cidr, address: host }) => {
    if (parseAddress(host)?.toString() === address.toString()) return true;
    if (cidr === null || !ipaddr.isValidCIDR(cidr)) return false;
    const [network, bits] = ipaddr.parseCIDR(cidr);
    return (
      network.kind() === address.kind() && bits >= widestNetworkBits[network.kind()] && address.match(network, bits)
    );
  });
}
