import { LongboxError } from "@longbox/sdk";

/** A plugin asked a host that its manifest does not name. */
export class HostNotDeclared extends LongboxError {
  constructor(host: string) {
    super("internal", "kernel/undeclared-host", `The host ${host} is not among the hosts of the plugin's manifest.`, {
      host,
    });
  }
}

/**
 * @param hosts - Names, or `*.example.org` for everything below a name; every host is allowed when left out
 * @throws {HostNotDeclared}
 */
export function requireDeclaredHost(host: string, hosts: readonly string[] | undefined): void {
  const isDeclared = (name: string) => (name.startsWith("*.") ? host.endsWith(name.slice(1)) : host === name);
  if (hosts !== undefined && !hosts.some(isDeclared)) throw new HostNotDeclared(host);
}
