import net from "node:net";

interface BoundHandle {
  readonly fd: number;
  getsockname(into: { address?: string; port?: number }): number;
  close(): void;
}

type MakeHandle = (address: string, port: number, family: 4 | 6, fd: undefined, flags: number) => BoundHandle | number;

/** A socket that is bound, and that nobody in this process accepts connections on. */
export interface ListeningSocket {
  readonly fd: number;
  close(): void;
}

/**
 * Binds a socket to be handed down to the kernel's process. While no kernel runs, connections wait in the system's
 * queue: whoever connects during a restart is answered by the next one. Node has no documented call that binds without
 * accepting; this is the one that its own cluster module uses.
 */
export function bindSocket(host: string, port: number): ListeningSocket {
  const { _createServerHandle: make } = net as unknown as { _createServerHandle: MakeHandle };
  const handle = make(host, port, net.isIPv6(host) ? 6 : 4, undefined, 0);
  if (typeof handle === "number") throw new Error(`Longbox cannot listen on ${host}:${port} (error ${handle}). Is another program using it?`);
  return handle;
}
