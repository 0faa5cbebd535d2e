import { BlockList, isIP, isIPv4 } from "node:net";

/** Tells whether an address is among those of a list of addresses and networks. */
export type Addresses = (address: string) => boolean;

/** @returns undefined when an entry of the list is neither an address nor a network */
export function addressesOf(list: string): Addresses | undefined {
  const listed = new BlockList();
  const entries = list.split(/[\s,]+/).filter((entry) => entry !== "");
  if (!entries.every((entry) => add(listed, entry))) return undefined;
  return (address) => isIP(address) !== 0 && listed.check(address, familyOf(address));
}

function add(listed: BlockList, entry: string): boolean {
  const [, address = "", bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  if (isIP(address) === 0) return false;
  const most = isIPv4(address) ? 32 : 128;
  const prefix = bits === undefined ? most : Number(bits);
  if (prefix > most) return false;
  listed.addSubnet(address, prefix, familyOf(address));
  return true;
}

const familyOf = (address: string): "ipv4" | "ipv6" => (isIPv4(address) ? "ipv4" : "ipv6");
