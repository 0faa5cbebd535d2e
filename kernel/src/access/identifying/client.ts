import { isIPv4 } from "node:net";

/** The other end of a request, as far as proxies may be believed about it. */
export interface Client {
  /** The address, in the form that `net.isIP` knows. */
  readonly address: string;
  /** Whether the client itself spoke https. */
  readonly secure: boolean;
  /** The host and port that the client asked for. */
  readonly host: string;
  /** What stands before the paths of this server in the addresses that the client asks for: `/longbox`, or nothing. */
  readonly prefix: string;
  /** A request without forwarding headers from this machine, for a name that only this machine has. */
  readonly local: boolean;
}

/** An IPv4 address that came through an IPv6 socket, in its plain form. */
export function plainAddress(address = ""): string {
  return address.startsWith("::ffff:") && isIPv4(address.slice(7)) ? address.slice(7) : address;
}
