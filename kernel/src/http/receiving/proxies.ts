import type { IncomingMessage } from "node:http";
import { BlockList, isIP, isIPv4 } from "node:net";
import { BadInput } from "@longbox/sdk";
import type { Client } from "../../access/identifying/client.js";
import { injectable, injectOptional } from "../../injection.js";
import { TrustedProxies } from "../../kernel-tokens.js";

const named: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.0/8", "::1/128"],
  linklocal: ["169.254.0.0/16", "fe80::/10"],
  uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
};
const localNames = new Set(["localhost", "127.0.0.1", "[::1]"]);
const forwardingHeaders = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via"];

/**
 * Decides which forwarding headers count. `TRUST_PROXY` lists the proxies: addresses, networks such as `10.0.0.0/8`, or
 * the names `loopback`, `linklocal` and `uniquelocal`; `true` trusts every sender, and left empty no sender is trusted.
 */
@injectable()
export class Proxies {
  readonly #trusted = new BlockList();
  readonly #everybody: boolean;

  /** @throws {BadInput} `kernel/trust-proxy` when an entry is neither a name, an address nor a network */
  constructor(@injectOptional(TrustedProxies) trustProxy = "") {
    const entries = trustProxy
      .split(",")
      .map((entry) => entry.trim())
      .filter((entry) => entry !== "" && entry !== "false");
    this.#everybody = entries.includes("true");
    for (const entry of entries.filter((entry) => entry !== "true").flatMap((entry) => named[entry] ?? [entry]))
      this.#trust(entry);
  }

  client(request: IncomingMessage): Client {
    const peer = plainAddress(request.socket.remoteAddress);
    const headers = request.headers;
    const spokeTls = "encrypted" in request.socket;
    const host = headers.host ?? "";
    const forwarded = forwardingHeaders.some((name) => headers[name] !== undefined);
    if (!this.#trusts(peer)) {
      return {
        address: peer,
        secure: spokeTls,
        host,
        prefix: "",
        local: isLoopback(peer) && !forwarded && localNames.has(hostName(host)),
      };
    }
    const address = this.#origin(peer, text(headers["x-forwarded-for"]));
    const protocol = last(text(headers["x-forwarded-proto"]));
    const forwardedHost = last(text(headers["x-forwarded-host"])) || host;
    // Where every sender is believed, any of them may claim to be this machine.
    const local = isLoopback(address) && localNames.has(hostName(forwardedHost)) && !(this.#everybody && forwarded);
    return {
      address,
      secure: protocol === "" ? spokeTls : protocol === "https",
      host: forwardedHost,
      prefix: prefixOf(last(text(headers["x-forwarded-prefix"]))),
      local,
    };
  }

  /** The last address of the chain that no trusted proxy vouches to be another proxy. */
  #origin(peer: string, forwardedFor: string): string {
    let address = peer;
    for (const hop of forwardedFor
      .split(",")
      .map((entry) => plainAddress(entry.trim()))
      .reverse()) {
      if (!this.#trusts(address) || isIP(hop) === 0) break;
      address = hop;
    }
    return address;
  }

  #trusts(address: string): boolean {
    return this.#everybody || (isIP(address) !== 0 && this.#trusted.check(address, isIPv4(address) ? "ipv4" : "ipv6"));
  }

  #trust(entry: string): void {
    const [address = "", prefix] = entry.split("/");
    const family = isIP(address);
    const bits = prefix === undefined ? (family === 4 ? 32 : 128) : Number(prefix);
    if (family === 0 || !Number.isInteger(bits) || bits < 0 || bits > (family === 4 ? 32 : 128)) {
      throw new BadInput(
        "kernel/trust-proxy",
        `TRUST_PROXY names "${entry}", which is neither an address nor a network.`,
        { TRUST_PROXY: "must list addresses or networks" },
      );
    }
    this.#trusted.addSubnet(address, bits, family === 4 ? "ipv4" : "ipv6");
  }
}

/** An IPv4 address that came through an IPv6 socket, in its plain form. */
function plainAddress(address = ""): string {
  return address.startsWith("::ffff:") && isIPv4(address.slice(7)) ? address.slice(7) : address;
}

/** One or more plain segments, without the slash at their end; nothing when it is anything else. */
function prefixOf(path: string): string {
  const plain = path.replace(/\/$/, "");
  return /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)+$/.test(plain) ? plain : "";
}

const isLoopback = (address: string) => address === "::1" || address.startsWith("127.");
const hostName = (host: string) => host.replace(/:\d+$/, "").toLowerCase();
const text = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(",") : (value ?? ""));
const last = (list: string) => list.slice(list.lastIndexOf(",") + 1).trim();
