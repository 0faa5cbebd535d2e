import type { CoverPlace } from "../details.js";
import { isBookFormat } from "../formats/book-formats.js";
import { looks } from "../inspecting/looks.js";
import { openDescriptor } from "../inspecting/open-descriptor.js";
import { UnreadableBook } from "../inspecting/unreadable.js";
import type { PlaceRequest } from "./cover-tasks.js";

const headBytes = 16 * 1024;

/** Where the cover is in a book that no scan has read; undefined without one. For threads. */
export function findPlace({ format, ...request }: PlaceRequest): CoverPlace | undefined {
  if (!isBookFormat(format)) return undefined;
  const file = openDescriptor(request);
  try {
    return looks[format]({ ...file, head: file.read(0, Math.min(headBytes, file.sizeBytes)) }).details.cover;
  } catch (thrown) {
    if (thrown instanceof UnreadableBook) return undefined;
    throw thrown;
  }
}
