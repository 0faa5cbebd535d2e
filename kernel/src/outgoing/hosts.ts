import { releasable, type HostLimits, type HostState, type OutgoingHost, type Releasable } from "@longbox/sdk";
import type { OutgoingDoors } from "./outgoing.js";
import { addressOf } from "./address.js";
import { SharedHost } from "./shared-host.js";
import { injectable } from "../injection.js";

/** More than these, and the host that was asked longest ago is forgotten. */
const mostRemembered = 500;

/** Every other server that plugins have asked since the start. */
@injectable()
export class Hosts {
  readonly #hosts = new Map<string, SharedHost>();

  /** The hosts as one plugin sees them, until it is released. */
  forPlugin(
    doors: OutgoingDoors,
    stopping: AbortSignal,
  ): { of(url: string | URL, limits?: HostLimits): OutgoingHost } & Releasable {
    const plugin = {};
    const limited = new Set<SharedHost>();
    return {
      of: (url, limits) => {
        const host = this.#host(addressOf(url).host);
        if (limits) {
          host.limit(plugin, limits);
          limited.add(host);
        }
        return host.seenBy(doors, stopping);
      },
      ...releasable(() => limited.forEach((host) => host.limit(plugin, undefined))),
    };
  }

  /** Those that are left alone now, or are being asked. */
  list(): HostState[] {
    return [...this.#hosts.values()].map((host) => host.state()).filter((state) => state.resting || state.running > 0);
  }

  #host(name: string): SharedHost {
    const known = this.#hosts.get(name) ?? new SharedHost(name);
    this.#hosts.delete(name);
    this.#hosts.set(name, known);
    if (this.#hosts.size > mostRemembered) this.#forgetOldest();
    return known;
  }

  #forgetOldest(): void {
    for (const [name, host] of this.#hosts) {
      if (!host.idle) continue;
      this.#hosts.delete(name);
      return;
    }
  }
}
