import type { Content } from "@longbox/sdk";
import { bufferBytes, lend, type AnswerBuffers } from "./answer-buffers.js";
import { begun } from "./ranges-source.js";
import type { Source } from "./source.js";

type FilledContent = Extract<Content, { kind: "filled" }>;

/** Of each of the two pieces of a long answer, one of which is read while the other is sent. */
const pieceBytes = 256 * 1024;

/** Content that a plugin reads into memory of the kernel's. The client's leaving aborts what is still being read. */
export function filledSource(content: FilledContent, buffers: AnswerBuffers): Source {
  const reading = new AbortController();
  const lending = lend(buffers);
  let isRead = false;
  // An error is not cheap to make, and is needed by those only who are still reading.
  const giveUp = () => {
    if (!isRead) reading.abort(new DOMException("These bytes are no longer needed.", "AbortError"));
  };
  return {
    contentType: content.contentType,
    length: content.sizeBytes,
    atHand: false,
    lastModified: undefined,
    tag: undefined,
    async part(range) {
      const { start, end } = range ?? { start: 0, end: content.sizeBytes - 1 };
      const length = end - start + 1;
      if (length > bufferBytes) return { pieces: await begun(piecesOf(content, { start, length }, reading.signal)) };
      const target = lending.take(length);
      if (length > 0) await content.fill(target, start, reading.signal);
      isRead = true;
      return target;
    },
    sent: lending.giveBack,
    giveUp,
    close: giveUp,
  };
}

async function* piecesOf(
  { fill }: FilledContent,
  { start, length }: { readonly start: number; readonly length: number },
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const halves = [Buffer.allocUnsafeSlow(pieceBytes), Buffer.allocUnsafeSlow(pieceBytes)] as const;
  for (let offset = 0, index = 0; offset < length; offset += pieceBytes, index++) {
    const piece = halves[index % 2]!.subarray(0, Math.min(pieceBytes, length - offset));
    await fill(piece, start + offset, signal);
    yield piece;
  }
}
