import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { BadInput, type Logger } from "@longbox/sdk";
import proxyAddresses from "proxy-addr";
import { AccessLog } from "../../access/access-tokens.js";
import { plainAddress, type Client } from "../../access/identifying/client.js";
import { injectable, injectOptional } from "../../injection.js";
import { BasePath, TrustedProxies } from "../../kernel-tokens.js";
import { isPlainPath } from "./base-path.js";

const localNames = new Set(["localhost", "127.0.0.1", "[::1]"]);
const forwardingHeaders = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via"];

/**
 * Decides which forwarding headers count. `TRUST_PROXY` lists the proxies: addresses, networks such as `10.0.0.0/8`, or
 * the names `loopback`, `linklocal` and `uniquelocal`; `true` trusts every sender, and left empty no sender is trusted.
 */
@injectable()
export class Proxies {
  readonly #trusts: (address: string, hop: number) => boolean;
  readonly #trustsAll: boolean;
  /** Whether the log still has to say that a proxy may have been forgotten. */
  #asks: boolean;

  /** @throws {BadInput} `kernel/trust-proxy` when an entry is neither a name, an address nor a network */
  constructor(
    @injectOptional(TrustedProxies) trustProxy = "",
    @injectOptional(BasePath) private readonly basePath = "",
    @injectOptional(AccessLog) private readonly log?: Logger,
  ) {
    this.#asks = trustProxy.trim() === "";
    const entries = trustProxy
      .split(",")
      .map((entry) => entry.trim())
      .filter((entry) => entry !== "" && entry !== "false");
    this.#trustsAll = entries.includes("true");
    const trusting = entries.filter((entry) => entry !== "true").map(trustOf);
    this.#trusts = (address, hop) => this.#trustsAll || trusting.some((trusts) => trusts(address, hop));
  }

  /** @param peer - the address at the other end of the connection */
  client(request: IncomingMessage, peer: string): Client {
    const headers = request.headers;
    const spokeTls = "encrypted" in request.socket;
    const host = headers.host ?? "";
    const forwarded = forwardingHeaders.some((name) => headers[name] !== undefined);
    if (!this.#trusts(peer, 0)) {
      if (this.#asks && Object.keys(headers).some((name) => name.startsWith("x-forwarded-"))) this.#ask(peer);
      return {
        address: peer,
        secure: spokeTls,
        host,
        prefix: this.basePath,
        local: isLoopback(peer) && !forwarded && localNames.has(hostName(host)),
      };
    }
    const address = this.#origin(headers, peer);
    const protocol = last(text(headers["x-forwarded-proto"]));
    const forwardedHost = last(text(headers["x-forwarded-host"])) || host;
    // Where every sender is believed, any of them may claim to be this machine.
    const local = isLoopback(address) && localNames.has(hostName(forwardedHost)) && !(this.#trustsAll && forwarded);
    return {
      address,
      secure: protocol === "" ? spokeTls : protocol === "https",
      host: forwardedHost,
      prefix: prefixOf(last(text(headers["x-forwarded-prefix"]))) || this.basePath,
      local,
    };
  }

  /** Once: what is forwarded may also come from a client that makes it up. */
  #ask(peer: string): void {
    this.#asks = false;
    this.log?.warn(
      `A request from ${peer} has X-Forwarded headers, which are ignored because TRUST_PROXY is not set. Behind a proxy, all visitors ` +
        `then share its address, cookies lack Secure, and links begin with http. If this is your proxy, set TRUST_PROXY=${peer}. ` +
        "With TRUST_PROXY=false nothing is said.",
      { peer },
    );
  }

  /**
   * The last address of the chain that no trusted proxy vouches to be another proxy; what is no address ends the chain.
   */
  #origin(headers: IncomingHttpHeaders, peer: string): string {
    const socket = { remoteAddress: peer };
    const chain = proxyAddresses.all({ headers, socket } as IncomingMessage, this.#trusts).map(plainAddress);
    const odd = chain.findIndex((hop) => isIP(hop) === 0);
    return chain.at(odd < 0 ? -1 : Math.max(0, odd - 1))!;
  }
}

function trustOf(entry: string): (address: string, hop: number) => boolean {
  try {
    return proxyAddresses.compile(entry);
  } catch {
    throw new BadInput(
      "kernel/trust-proxy",
      `TRUST_PROXY names "${entry}", which is neither an address nor a network.`,
      {
        TRUST_PROXY: "must list addresses or networks",
      },
    );
  }
}

/** Without the slash at its end; nothing when it is anything else than a plain path. */
function prefixOf(path: string): string {
  const plain = path.replace(/\/$/, "");
  return isPlainPath(plain) ? plain : "";
}

const isLoopback = (address: string) => address === "::1" || address.startsWith("127.");
const hostName = (host: string) => host.replace(/:\d+$/, "").toLowerCase();
const text = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(",") : (value ?? ""));
const last = (list: string) => list.slice(list.lastIndexOf(",") + 1).trim();
