import type { Socket } from "node:net";
import type * as Undici from "undici";

type BuildConnector = typeof Undici.buildConnector;

/**
 * How much a socket receives at once, in bytes. Linux has this much waiting on a fast connection; with more, the time
 * per byte grows again, since a buffer no longer fits into the caches of the processor.
 */
const receivedBytes = 256 * 1024;

/**
 * Connectors as undici builds them, whose plain connections receive into two buffers each, in turn. Node allocates 64
 * kB for every read otherwise, and collecting those takes longer than all other work on a large file.
 *
 * Received bytes are valid until undici has handed them to the handler of the request, which has to copy what it keeps.
 */
export function reusingBuffers(buildConnector: BuildConnector): BuildConnector {
  return (options) => {
    // The pieces of an encrypted connection are 16 kB at most.
    const encrypted = buildConnector(options);
    return (target, connected) => {
      if (target.protocol === "https:") return encrypted(target, connected);
      let socket: Socket | undefined;
      const reading = { onread: receiveInTurn(() => socket), highWaterMark: 1 };
      const connect = buildConnector({ ...options, ...reading } as Undici.buildConnector.BuildOptions);
      return connect(target, (...[fault, open]) => {
        if (fault) return connected(fault, null);
        socket = open;
        connected(null, open);
      });
    };
  };
}

/**
 * Every read stops the socket until undici takes all that waits in it, and the mark of one byte keeps Node from reading
 * ahead. At most one piece therefore waits in the socket, together with what undici has put back of the piece before,
 * which lies in the other buffer.
 */
function receiveInTurn(socket: () => Socket | undefined) {
  let [next, last]: Array<Uint8Array | undefined> = [];
  return {
    buffer() {
      [next, last] = [last ?? Buffer.allocUnsafeSlow(receivedBytes), next];
      return next;
    },
    callback(bytes: number, buffer: Uint8Array) {
      socket()?.push(buffer.subarray(0, bytes));
      return false;
    },
  };
}
