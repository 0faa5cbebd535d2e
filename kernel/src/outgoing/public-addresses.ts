import ipaddr from "ipaddr.js";

/** Of IPv6, only these addresses are given out for the public internet. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");
/**
 * The prefix of NAT64 that leads to the public internet only; that of a network's own (64:ff9b:1::/48) may lead
 * anywhere.
 */
const translated = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/**
 * Whether an address belongs to the public internet: not to this machine, not to a private, shared (CGNAT), link-local
 * or unique-local network, no multicast or reserved address. An IPv4 address inside an IPv6 one (mapped, NAT64) is
 * judged by itself; tunnels (6to4, Teredo) are refused, since they end at an address that the tunnel names.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  if (address === undefined) return false;
  const plain = withoutWrapping(address);
  if (plain.kind() === "ipv4") return plain.range() === "unicast";
  return plain.range() === "unicast" && plain.match(globalUnicast);
}

/**
 * An address in its plain form, or undefined. Zones (`fe80::1%eth0`) and mapped IPv4 addresses are taken as what they
 * mean.
 */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const bare = text.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : undefined;
}

function withoutWrapping(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (address.kind() === "ipv4" || !address.match(translated)) return address;
  return ipaddr.fromByteArray(address.toByteArray().slice(-4));
}
