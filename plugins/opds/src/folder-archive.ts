import { Readable } from "node:stream";
import type { LibraryTypeWords } from "@longbox/collection/contract";
import type { FilesContent, WholeFile, WorkPart } from "@longbox/files/contract";
import { ZipFile } from "yazl";

/** A file as it is sent: a folder becomes an archive of its files, whose size is not known before it is made. */
export function asSent(file: WholeFile, { length }: LibraryTypeWords): WholeFile {
  if (!file.isFolder) return file;
  const [ending, contentType] =
    length === "pages" ? ["cbz", "application/vnd.comicbook+zip"] : ["zip", "application/zip"];
  return { ...file, name: `${file.name}.${ending}`, contentType, sizeBytes: 0 };
}

/** An archive of these files, made while it is read; nothing is compressed, since pictures and sound are already. */
export function archiveOf(parts: readonly WorkPart[], files: Pick<FilesContent, "open">): Readable {
  const zip = new ZipFile();
  const stream = zip.outputStream as Readable;
  // A file that is gone meanwhile ends the answer before its end.
  zip.on("error", (fault) => stream.destroy(fault as Error));
  for (const { path, name } of parts) {
    zip.addReadStreamLazy(name, { compress: false }, (begin) => {
      openPart(path, files).then(
        (part) => begin(null, part),
        (fault: unknown) => begin(fault, new Readable()),
      );
    });
  }
  zip.end();
  return stream;
}

async function openPart(path: string, files: Pick<FilesContent, "open">): Promise<Readable> {
  const opened = await files.open(path);
  if (opened?.kind === "file") return opened.handle.createReadStream({ start: 0 });
  await opened?.close();
  throw new Error("A file of the folder is not there any more.");
}
