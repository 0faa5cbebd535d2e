import type { ServerResponse } from "node:http";

/**
 * Sends pieces whose memory is used again: the next one is asked for while this one is being sent, and sent once the
 * system has taken this one. Ends early when the client goes.
 */
export async function sendPieces(response: ServerResponse, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const gone = new Promise<void>((resolve) => response.once("close", () => resolve()));
  let sent: Promise<void> | undefined;
  for await (const piece of pieces) {
    await sent;
    if (response.destroyed) return;
    sent = Promise.race([gone, new Promise<void>((resolve) => response.write(piece, () => resolve()))]);
  }
  response.end();
}
