import type { ExternalIdentity, SigningPeer } from "@longbox/sdk";
import { addressesOf } from "./addresses.js";
import { ForeignSender, NoUserName } from "./proxy-errors.js";
import type { ProxySettings } from "./settings.js";

const mostCharacters = 200;

/**
 * The user whom the proxy names. Only the address of the connection counts: any client can write headers, also those
 * that name the address of a client.
 * @throws {ForeignSender} or {@link NoUserName}
 */
export function identityOf(peer: SigningPeer, settings: ProxySettings): ExternalIdentity {
  if (addressesOf(settings.proxies)?.(peer.address) !== true) throw new ForeignSender(peer.address);
  const username = userName(peer, settings.userHeader);
  const email = valueOf(peer, settings.emailHeader);
  const groups = (valueOf(peer, settings.groupsHeader) ?? "").split(/[,;|]/).map((group) => group.trim());
  return {
    subject: username.toLowerCase(),
    username,
    createsAccount: settings.newAccounts,
    claimsName: settings.matchNames,
    ...(email?.includes("@") && { email }),
    ...(settings.roles.trim() !== "" && { role: roleOf(settings.roles, groups) ?? "viewer", roleFollows: true }),
  };
}

/**
 * A header that came twice is joined with a comma: then the client sent one, too, and the proxy did not replace it.
 * @throws {NoUserName}
 */
function userName(peer: SigningPeer, header: string): string {
  const name = valueOf(peer, header);
  if (name === undefined || name.length > mostCharacters || /[,\p{Cc}]/u.test(name)) throw new NoUserName(header);
  return name;
}

function valueOf({ header }: SigningPeer, name: string): string | undefined {
  const value = name === "" ? undefined : header(name)?.trim();
  return value === "" ? undefined : value;
}

function roleOf(rules: string, groups: readonly string[]): string | undefined {
  for (const rule of rules.split(/[,\n]/)) {
    const [group = "", role] = rule.split("=").map((text) => text.trim());
    if (role !== undefined && groups.includes(group)) return role;
  }
  return undefined;
}
