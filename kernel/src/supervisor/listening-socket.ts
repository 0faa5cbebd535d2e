import { lookup } from "node:dns/promises";
import net from "node:net";
import { getSystemErrorName } from "node:util";

interface BoundHandle {
  readonly fd: number;
  getsockname(into: { address?: string; port?: number }): number;
  close(): void;
}

type MakeHandle = (address: string, port: number, family: 4 | 6, fd: undefined, flags: number) => BoundHandle | number;

/** A socket that is bound, and on which this process accepts no connections. */
export interface ListeningSocket {
  readonly fd: number;
  close(): void;
}

/**
 * Binds a socket to be handed down to the kernel's process. While no kernel runs, connections wait in the system's
 * queue: a client that connects during a restart is answered by the next one. Node has no documented call that binds
 * without accepting; this is the one that its own cluster module uses.
 * @throws {Error} when the address is not this machine's, or is taken
 */
export async function bindSocket(host: string, port: number): Promise<ListeningSocket> {
  const { _createServerHandle: make } = net as unknown as { _createServerHandle: MakeHandle };
  const { address, family } = await lookup(host);
  const handle = make(address, port, family === 6 ? 6 : 4, undefined, 0);
  if (typeof handle === "number")
    throw new Error(`Longbox cannot listen on ${host}:${port} (${getSystemErrorName(handle)}).`);
  const bound: { address?: string; port?: number } = {};
  handle.getsockname(bound);
  // A taken address is reported only by a later call on the same handle, which is never made here; until then the
  // socket is simply not bound, and the system would make up an address of its own.
  if (bound.address === address && (bound.port === port || (port === 0 && bound.port !== 0))) return handle;
  handle.close();
  throw new Error(
    `Longbox cannot listen on ${host}:${port}: the address is taken (EADDRINUSE). Stop the other program, or choose another port with LONGBOX_PORT.`,
  );
}
