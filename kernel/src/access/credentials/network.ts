import { isIPv6 } from "node:net";

/** The network of an address: an IPv4 address itself, or the /64 of an IPv6 address. */
export function network(address: string): string {
  if (!isIPv6(address)) return address;
  const [before = "", after] = address.replace(/%.*$/, "").split("::");
  const first = before === "" ? [] : before.split(":");
  // What `::` leaves out are zeros: as many groups as it takes to make eight; an IPv4 ending stands for two.
  const last = after === undefined || after === "" ? [] : after.split(":");
  const missing = after === undefined ? 0 : 8 - first.length - last.length - (after.includes(".") ? 1 : 0);
  const groups = [...first, ...Array<string>(missing).fill("0"), ...last];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}
