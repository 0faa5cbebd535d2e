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

/** A name for what arrived, without anything that means something to a file system. */
export function fileNameOf(
  { download, title }: { readonly download: { readonly fileName?: string | undefined }; readonly title: string },
  { headers }: Pick<Response, "headers">,
): string {
  const said = [download.fileName, dispositionName(headers.get("content-disposition")), title].map((name) =>
    plain(name ?? ""),
  );
  const named = said.find((name) => isContent(endingOf(name)));
  if (named !== undefined) return named;
  const type = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  return `${said.find((name) => name !== "") ?? "file"}.${byType[type] ?? formatOf(title) ?? "bin"}`;
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
