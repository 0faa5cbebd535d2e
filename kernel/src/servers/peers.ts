import type { IncomingMessage, ServerResponse } from "node:http";
import { plainAddress } from "../access/identifying/client.js";
import { sameSecret } from "../access/credentials/secrets.js";
import { status } from "../http/statuses.js";

/** Carries the leader's secret: the request is from another server of the library, on behalf of its client. */
export const peerHeader = "x-longbox-peer";
/** The address of that client. */
export const peerAddressHeader = "x-longbox-peer-address";

/** Whether a request was sent by another server. */
export const isForwarded = (request: IncomingMessage) => request.headers[peerHeader] !== undefined;

/**
 * Takes the headers of a forwarded request away. Returns the address at the other end of the connection; of a request that another server forwards, the one at the other end of
 * that server's connection.
 * @param secret - the leader's; undefined where no other server can be
 * @returns undefined for a request that was meant for another leader
 */
export function peerAddressOf(request: IncomingMessage, secret: string | undefined): string | undefined {
  const given = request.headers[peerHeader];
  if (given === undefined || secret === undefined) return plainAddress(request.socket.remoteAddress);
  if (!sameSecret(String(given), secret)) return undefined;
  const address = plainAddress(String(request.headers[peerAddressHeader]));
  // Handlers see the headers.
  delete request.headers[peerHeader];
  delete request.headers[peerAddressHeader];
  return address;
}

/** Tells the server that forwarded a request that this one is not the leader; nothing was done. */
export function refuseForwarded(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  response.writeHead(status.misdirected, { Connection: "close", "Content-Length": 0 }).end();
}
