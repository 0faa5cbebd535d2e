import type { Duplex } from "node:stream";
import { LongboxError } from "@longbox/sdk";

/** One message: a JSON value, and the bytes that it refers to. */
export interface Frame {
  readonly head: unknown;
  readonly parts: readonly Uint8Array[];
}

/** The text of a message is parsed on the event loop; bytes are only copied. */
const mostTextBytes = 8 * 1024 * 1024;
const mostFrameBytes = 72 * 1024 * 1024;
const mostParts = 10_000;
/** With so much unsent, the other side does not read any more, and further messages are refused. */
const mostUnsentBytes = 96 * 1024 * 1024;

/** A message is longer than may cross, or the other side does not read. */
export class FrameRefused extends LongboxError {
  constructor(message: string) {
    super("unavailable", "kernel/isolated-overloaded", message);
  }
}

/** What came is no message: the other side cannot be trusted with this channel any longer. */
export class BrokenFrame extends Error {}

/**
 * Writes messages: the length of the rest, the number of parts, the length of the text, those of the parts, the text,
 * the parts. Lengths are 32-bit numbers.
 */
export function writeFrame(stream: Duplex, { head, parts }: Frame): void {
  const text = JSON.stringify(head);
  const textLength = Buffer.byteLength(text);
  const length = 8 + 4 * parts.length + textLength + parts.reduce((sum, part) => sum + part.byteLength, 0);
  if (textLength > mostTextBytes || length > mostFrameBytes || parts.length > mostParts)
    throw new FrameRefused(`A message of ${length} bytes is too long to cross to or from an isolated plugin.`);
  if (stream.writableLength + length > mostUnsentBytes)
    throw new FrameRefused("The other side does not read the messages that wait for it.");
  const before = 12 + 4 * parts.length;
  const start = Buffer.allocUnsafe(before + textLength);
  start.writeUInt32LE(length, 0);
  start.writeUInt32LE(parts.length, 4);
  start.writeUInt32LE(textLength, 8);
  parts.forEach((part, at) => start.writeUInt32LE(part.byteLength, 12 + 4 * at));
  start.write(text, before);
  // Most messages have no parts, and one piece is written faster than several.
  if (parts.length === 0) return void stream.write(start);
  stream.cork();
  stream.write(start);
  for (const part of parts) if (part.byteLength > 0) stream.write(part);
  stream.uncork();
}

/** Puts messages together from the pieces in which they arrive. */
export class FrameReader {
  #waiting: Buffer[] = [];
  #length = 0;

  /** @throws {BrokenFrame} */
  *read(piece: Buffer): Generator<Frame> {
    this.#waiting.push(piece);
    this.#length += piece.length;
    while (this.#length >= 4) {
      const whole = 4 + this.#peekLength();
      if (this.#length < whole) return;
      yield parseFrame(this.#take(whole).subarray(4));
    }
  }

  #peekLength(): number {
    if (this.#waiting[0]!.length < 4) this.#waiting = [Buffer.concat(this.#waiting)];
    const length = this.#waiting[0]!.readUInt32LE(0);
    if (length < 8 || length > mostFrameBytes) throw new BrokenFrame(`A message has ${length} bytes.`);
    return length;
  }

  #take(length: number): Buffer {
    const all = this.#waiting.length === 1 ? this.#waiting[0]! : Buffer.concat(this.#waiting);
    const rest = all.subarray(length);
    this.#waiting = rest.length === 0 ? [] : [rest];
    this.#length = rest.length;
    return all.subarray(0, length);
  }
}

function parseFrame(frame: Buffer): Frame {
  const [count, textLength] = [frame.readUInt32LE(0), frame.readUInt32LE(4)];
  if (count > mostParts || textLength > mostTextBytes || 8 + 4 * count > frame.length)
    throw new BrokenFrame("A message contradicts its length.");
  let at = 8 + 4 * count + textLength;
  const parts: Uint8Array[] = [];
  for (let index = 0; index < count; index += 1) {
    const length = frame.readUInt32LE(8 + 4 * index);
    if (at + length > frame.length) throw new BrokenFrame("A message contradicts its length.");
    // A copy: the memory of the whole message must not stay because one of its parts does.
    parts.push(Uint8Array.prototype.slice.call(frame, at, at + length));
    at += length;
  }
  if (at !== frame.length) throw new BrokenFrame("A message contradicts its length.");
  return { head: parse(frame.toString("utf8", 8 + 4 * count, 8 + 4 * count + textLength)), parts };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BrokenFrame("A message is no JSON.");
  }
}
