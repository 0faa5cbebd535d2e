import type { IncomingMessage, ServerResponse } from "node:http";
import { plainAddress } from "../access/identifying/client.js";
import { sameSecret } from "../access/credentials/secrets.js";
import { status } from "../http/statuses.js";

/** Carries the leader's secret: the request is from another server of the library, on behalf of its client. */
export const peerHeader = "x-longbox-peer";
/** The address of that client. */
export const peerAddressHeader = "x-longbox-peer-address";

/** What the server that a client asked is among those of its library: a follower has the leader answer. */
export type ServerRole = "alone" | "leader" | "follower";

/** The other end of a request. */
export interface Peer {
  /**
   * The address at the other end of the connection; of a request that another server forwards, the one at the other end
   * of that server's connection.
   */
  readonly address: string;
  /** The role of the server at this end of the connection. */
  readonly asked: ServerRole;
}

/** Whether a request was sent by another server. */
export const isForwarded = (request: IncomingMessage) => request.headers[peerHeader] !== undefined;

/**
 * Takes the headers of a forwarded request away.
 * @param secret - the leader's; undefined where no other server can be
 * @returns undefined for a request that was meant for another leader
 */
export function peerOf(request: IncomingMessage, secret: string | undefined): Peer | undefined {
  const given = request.headers[peerHeader];
  if (given === undefined || secret === undefined)
    return { address: plainAddress(request.socket.remoteAddress), asked: secret === undefined ? "alone" : "leader" };
  if (!sameSecret(String(given), secret)) return undefined;
  const address = plainAddress(String(request.headers[peerAddressHeader]));
  // Handlers see the headers.
  delete request.headers[peerHeader];
  delete request.headers[peerAddressHeader];
  return { address, asked: "follower" };
}

/** Tells the server that forwarded a request that this one is not the leader; nothing was done. */
export function refuseForwarded(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  response.writeHead(status.misdirected, { Connection: "close", "Content-Length": 0 }).end();
}
