import { isFictionBook, largestFictionBookBytes } from "../inspecting/fb2/fiction-book.js";
import { openDescriptor } from "../inspecting/open-descriptor.js";
import { ZipFiles } from "../inspecting/zip/zip-files.js";
import type { BinaryRequest } from "./cover-tasks.js";

const largestCoverBytes = 32 * 1024 * 1024;

/**
 * The bytes of a binary, which stands in base64 behind the text; undefined when there is none of this id. For threads.
 */
export function findBinary(request: BinaryRequest): Uint8Array | undefined {
  const document = readDocument(request);
  // Tags and base64 are ASCII in every encoding that is used, but for UTF-16.
  const text = document?.toString("latin1") ?? "";
  const id = Buffer.from(request.id, "utf8").toString("latin1");
  const tags = /<(?:[\w-]{1,30}:)?binary\b([^<>]{0,2000})>/gu;
  for (let tag = tags.exec(text); tag; tag = tags.exec(text)) {
    if (/\bid\s*=\s*(?:"([^"]*)"|'([^']*)')/u.exec(tag[1]!)?.slice(1).find(Boolean) !== id) continue;
    const end = text.indexOf("<", tags.lastIndex);
    const length = (end === -1 ? text.length : end) - tags.lastIndex;
    return length > largestCoverBytes * 1.4 ? undefined : Buffer.from(text.substr(tags.lastIndex, length), "base64");
  }
  return undefined;
}

function readDocument({ isPacked, ...request }: BinaryRequest): Buffer | undefined {
  const file = openDescriptor(request);
  const { sizeBytes } = file;
  if (!isPacked) return sizeBytes > largestFictionBookBytes ? undefined : file.read(0, sizeBytes);
  const files = new ZipFiles(file);
  const entry = [...files.entries()].find(({ name }) => isFictionBook(name));
  return entry && files.read(entry, largestFictionBookBytes);
}
