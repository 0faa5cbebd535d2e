import { Unreadable, type Source } from "./source.js";

/** A box of an MP4 file. `start` and `end` are the bytes of its content. */
export interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const mostBoxes = 4096;

/**
 * The boxes between two bytes of a file.
 * @throws {Unreadable} when a box is longer than what holds it, or there are too many
 */
export function* boxesIn(source: Source, range: Pick<Box, "start" | "end">): Generator<Box> {
  let [offset, count] = [range.start, 0];
  // Four zero bytes may end a list of boxes, as QuickTime writes them.
  while (offset + 8 <= range.end) {
    if ((count += 1) > mostBoxes) throw new Unreadable("The file has too many boxes.");
    const box = readBox(source, offset, range.end);
    yield box;
    offset = box.end;
  }
}

function readBox(source: Source, offset: number, end: number): Box {
  const head = source.read(offset, 8);
  const type = head.toString("latin1", 4, 8);
  let [headBytes, sizeBytes] = [8, head.readUInt32BE(0)];
  if (sizeBytes === 0) sizeBytes = end - offset;
  if (sizeBytes === 1) {
    headBytes = 16;
    sizeBytes = Number(source.read(offset + 8, 8).readBigUInt64BE(0));
  }
  if (sizeBytes < headBytes) throw new Unreadable("A box of the file has an impossible length.");
  if (offset + sizeBytes > end)
    throw new Unreadable(
      end === source.sizeBytes ? "The file is cut off." : "A box of the file is longer than its parent.",
    );
  return { type, start: offset + headBytes, end: offset + sizeBytes };
}

export function findBox(
  source: Source,
  parent: Pick<Box, "start" | "end">,
  ...path: readonly string[]
): Box | undefined {
  const [type, ...rest] = path;
  for (const box of boxesIn(source, parent)) {
    if (box.type === type) return rest.length === 0 ? box : findBox(source, box, ...rest);
  }
  return undefined;
}

/** The content of a small box. @throws {Unreadable} when it is longer than `mostBytes` */
export function contentOf(source: Source, { start, end }: Box, mostBytes = 1024 * 1024): Buffer {
  if (end - start > mostBytes) throw new Unreadable("A box of the file is too long.");
  return source.read(start, end - start);
}
