import { endingOf, formatOf, isContent } from "../deciding/formats.js";

const byType: Readonly<Record<string, string>> = {
  "application/vnd.comicbook+zip": "cbz",
  "application/x-cbz": "cbz",
  "application/vnd.comicbook-rar": "cbr",
  "application/x-cbr": "cbr",
  "application/x-cb7": "cb7",
  "application/epub+zip": "epub",
  "application/pdf": "pdf",
  "application/zip": "zip",
  "audio/mp4": "m4b",
  "audio/x-m4b": "m4b",
  "audio/mpeg": "mp3",
};

/** First bytes of formats, where nothing else says what a file is. */
const byHead: ReadonlyArray<readonly [RegExp, string]> = [
  [/^PK\x03\x04[\s\S]{26}mimetypeapplication\/epub\+zip/u, "epub"],
  [/^PK\x03\x04/u, "cbz"],
  [/^Rar!/u, "cbr"],
  [/^7z\u00bc\u00af/u, "cb7"],
  [/^%PDF/u, "pdf"],
  [/^[\s\S]{4}ftypM4[AB]/u, "m4b"],
  [/^ID3/u, "mp3"],
];

export interface NamedFile {
  /** As the source calls it. */
  readonly fileName: string | undefined;
  readonly title: string;
  readonly headers: Headers;
  readonly url: string;
  /** Its first bytes, one character each. */
  readonly head: string;
}

/** A name for what arrived, without anything that means something to a file system. */
export function fileNameOf({ fileName, title, headers, url, head }: NamedFile): string {
  const said = [fileName, dispositionName(headers.get("content-disposition")), lastOf(url), title].map((name) =>
    plain(name ?? ""),
  );
  const named = said.find((name) => isContent(endingOf(name)));
  if (named !== undefined) return named;
  const type = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  const ending = byHead.find(([pattern]) => pattern.test(head))?.[1] ?? byType[type] ?? formatOf(title) ?? "bin";
  return `${plain(title) || "file"}.${ending}`;
}

function lastOf(url: string): string {
  const last = new URL(url).pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    return "";
  }
}

function dispositionName(header: string | null): string | undefined {
  const extended = /filename\*\s*=\s*utf-8''([^;\s]+)/iu.exec(header ?? "")?.[1];
  if (extended !== undefined)
    try {
      return decodeURIComponent(extended);
    } catch {
      return undefined;
    }
  return /filename\s*=\s*"([^"]{1,300})"/iu.exec(header ?? "")?.[1];
}

function plain(name: string): string {
  const last = name.split(/[/\\]/u).at(-1) ?? "";
  return last
    .replaceAll(/[\p{Cc}<>:"|?*]/gu, "")
    .replaceAll(/^[.\s]+/gu, "")
    .slice(-180);
}
