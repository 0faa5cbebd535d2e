import { addressOf } from "@longbox/sdk/ui";

/** How much of a file has arrived; `total` is undefined where the server does not say it. */
export interface Arrived {
  readonly bytes: number;
  readonly total: number | undefined;
}

export interface FileFetching {
  /** Ends the download, such as when the user leaves. */
  readonly signal: AbortSignal;
  /** Called now and then while a large file arrives. */
  arriving(arrived: Arrived): unknown;
}

/** Smaller files arrive before anyone could read how much of them has. */
const leastToldBytes = 4 * 1024 * 1024;
/** Between two calls of `arriving`. */
const tellEveryMs = 100;

/** The whole file of a book. @throws {Error} with a message for the reader */
export async function fetchFile(address: string, fetching: FileFetching): Promise<Blob> {
  const answer = await fetch(addressOf(address), { signal: fetching.signal });
  if (!answer.ok) {
    const { error } = (await answer.json().catch(() => ({}))) as { error?: string };
    throw new Error(error ?? "The server could not send the book. Try again later.");
  }
  const total = Number(answer.headers.get("content-length")) || undefined;
  if (!answer.body || (total !== undefined && total < leastToldBytes)) return answer.blob();
  const counted = answer.body.pipeThrough(counting(total, fetching));
  return new Response(counted, { headers: { "Content-Type": answer.headers.get("content-type") ?? "" } }).blob();
}

function counting(total: number | undefined, { arriving }: FileFetching): TransformStream<Uint8Array, Uint8Array> {
  let [bytes, toldAt] = [0, 0];
  return new TransformStream({
    transform(piece, controller) {
      bytes += piece.byteLength;
      controller.enqueue(piece);
      if (performance.now() - toldAt < tellEveryMs) return;
      toldAt = performance.now();
      arriving({ bytes, total });
    },
  });
}
