import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** How long a client may still send after its answer. */
const lingeringMs = 5_000;

/**
 * Keeps a connection open after its last answer while the client still sends the body of that request. Node would close
 * at once; the system then resets a connection with unread bytes, and the client never sees why it was refused.
 * @param lastAsked - The request that came last on this connection
 */
export function closeAfterBody(socket: Socket, lastAsked: () => IncomingMessage | undefined): void {
  const destroySoon = socket.destroySoon;
  const closeNow = () => destroySoon.call(socket);
  // Node calls this after the last answer of a connection, and reads and drops the rest of the body from then on.
  socket.destroySoon = () => {
    const request = lastAsked();
    if (request === undefined || request.complete || socket.destroyed) return closeNow();
    const deadline = setTimeout(closeNow, lingeringMs);
    request.once("end", closeNow);
    socket.once("close", () => clearTimeout(deadline));
    socket.end();
  };
}
