// The module that the scanning thread of `files` imports: see `FileFormat.inspector` in its contract.
import type { FileReading, FormatInspector, InspectedFile, Inspection } from "@longbox/files/contract";
import type { TextDetails } from "./details.js";

/** The longest books in print have about 10 MB. */
const largestBytes = 32 * 1024 * 1024;
const stepBytes = 256 * 1024;
/** Headers stand at the beginning: in this many lines. */
const headerLines = 60;

const text: FormatInspector = {
  matches: ({ head }) => head.length > 0 && !head.includes(0),
  inspect(file) {
    if (file.sizeBytes > largestBytes) return unreadable("The file is larger than 32 MB.");
    const encoding = encodingOf(file);
    if (encoding === undefined) return unreadable("The file holds bytes that no text has.");
    const headers = headersOf(new TextDecoder(encoding).decode(file.head));
    const details: TextDetails = { encoding };
    return { measure: { kind: "fraction" }, tagged: headers.size > 0, reading: readingOf(headers, file.name), details };
  },
};

export const inspectors = { txt: text };

function unreadable(error: string): Inspection {
  return { measure: { kind: "fraction" }, tagged: false, reading: {}, error };
}

/**
 * UTF-8 where every byte fits, else Windows-1252, in which every byte is a character; undefined for what is no text.
 */
function encodingOf(file: InspectedFile): TextDetails["encoding"] | undefined {
  const strict = new TextDecoder("utf-8", { fatal: true });
  let encoding: TextDetails["encoding"] = "utf-8";
  for (let offset = 0; offset < file.sizeBytes; offset += stepBytes) {
    const bytes = file.read(offset, Math.min(stepBytes, file.sizeBytes - offset));
    if (bytes.includes(0)) return undefined;
    if (encoding === "utf-8" && !fits(strict, bytes, offset + stepBytes < file.sizeBytes)) encoding = "windows-1252";
  }
  return encoding;
}

function fits(decoder: InstanceType<typeof TextDecoder>, bytes: Buffer, stream: boolean): boolean {
  try {
    decoder.decode(bytes, { stream });
    return true;
  } catch {
    return false;
  }
}

/** `Title: The Salt Road` and the like, as many libraries of free books write them above the text. */
function headersOf(beginning: string): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const line of beginning.split(/\r?\n/, headerLines)) {
    const [, name, value] = /^(title|author|series|language|isbn):\s+(\S.*)$/i.exec(line.trim()) ?? [];
    if (name !== undefined && value !== undefined && !headers.has(name.toLowerCase()))
      headers.set(name.toLowerCase(), value);
  }
  return headers;
}

/** Books of no series stand with the others of their author; `Series: Low Tides #2` says the series and the number. */
function readingOf(headers: ReadonlyMap<string, string>, name: string): FileReading {
  const title = headers.get("title") ?? name.replace(/\.txt$/i, "");
  const author = headers.get("author");
  const [, series, number = ""] = /^(.*?)(?:\s+#(\d+))?$/.exec(headers.get("series") ?? "") ?? [];
  const isbn = headers.get("isbn")?.replaceAll(/[\s-]/g, "");
  return {
    title,
    number,
    series: { name: series || author || title },
    people: author === undefined ? undefined : [{ name: author, role: "author" }],
    language: headers.get("language"),
    ids: isbn === undefined ? undefined : { isbn },
  };
}
