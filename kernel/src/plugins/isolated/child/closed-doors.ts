import dgram from "node:dgram";
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import os from "node:os";

type Doors = Record<string, unknown>;

/**
 * Takes sockets, names and signals away from the code of this process, before any of the plugin's runs. Node 24 has no
 * permission for them, so where bubblewrap does not work nothing else is in their way. It holds against code that uses
 * Node's API; it is JavaScript among JavaScript, and no boundary of the system.
 */
export function closeDoors(): void {
  const reaching =
    "No sockets are opened in this process: other servers are reached by context.fetch, and clients by routes.";
  close(net.Socket.prototype, ["connect"], reaching);
  close(net.Server.prototype, ["listen"], reaching);
  close(net, ["_createServerHandle"], reaching);
  close(dgram, ["_createSocketHandle"], reaching);
  close(dgram.Socket.prototype, ["bind", "connect", "send"], reaching);
  for (const names of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype])
    close(names, Object.getOwnPropertyNames(names).filter(asksServers), reaching);

  const signalling = "Other processes cannot be signalled from this one.";
  close(process, ["_debugProcess", "_debugEnd"], signalling);
  close(os, ["setPriority"], signalling);
  // What `process.kill` calls.
  const inner = process as unknown as { _kill: (pid: number, signal: number) => number };
  const kill = inner._kill;
  inner._kill = (pid, signal) => (pid === process.pid ? kill(pid, signal) : refuse(signalling));
  syncBuiltinESMExports();
}

function asksServers(name: string): boolean {
  return /^(?:lookup|resolve|reverse)/.test(name);
}

function close(of: object, names: readonly string[], why: string): void {
  for (const name of names) if (name in of) (of as Doors)[name] = () => refuse(why);
}

function refuse(why: string): never {
  throw Object.assign(new Error(why), { code: "ERR_ACCESS_DENIED" });
}
