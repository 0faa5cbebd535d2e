import type { Readable } from "node:stream";
import type { LibraryTypeWords } from "@longbox/collection/contract";
import type { WholeFile, WorkPart } from "@longbox/files/contract";
import { ZipFile } from "yazl";

/** A file as it is sent: a folder becomes an archive of its files, whose size is not known before it is made. */
export function asSent(file: WholeFile, { length }: LibraryTypeWords): WholeFile {
  if (!file.isFolder) return file;
  const [ending, contentType] =
    length === "pages" ? ["cbz", "application/vnd.comicbook+zip"] : ["zip", "application/zip"];
  return { ...file, name: `${file.name}.${ending}`, contentType, sizeBytes: 0 };
}

/** An archive of these files, made while it is read; nothing is compressed, since pictures and sound are already. */
export function archiveOf(parts: readonly WorkPart[]): Readable {
  const zip = new ZipFile();
  const stream = zip.outputStream as Readable;
  // A file that is gone meanwhile ends the answer before its end.
  zip.on("error", (fault) => stream.destroy(fault as Error));
  for (const { path, name } of parts) zip.addFile(path, name, { compress: false });
  zip.end();
  return stream;
}
