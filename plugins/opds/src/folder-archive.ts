import { Readable } from "node:stream";
import type { LibraryTypeWords } from "@longbox/collection/contract";
import type { FilesContent, WholeFile, WorkPart } from "@longbox/files/contract";
import { ZipFile } from "yazl";

/** A file to send. A folder is sent as an archive of its files, whose size is not known in advance. */
export function asSent(file: WholeFile, { length }: LibraryTypeWords): WholeFile {
  if (!file.isFolder) return file;
  const [ending, contentType] =
    length === "pages" ? ["cbz", "application/vnd.comicbook+zip"] : ["zip", "application/zip"];
  return { ...file, name: `${file.name}.${ending}`, contentType, sizeBytes: 0 };
}

/**
 * An archive of these files, created while it is read, without compression, because images and audio are compressed
 * already.
 */
export function archiveOf(parts: readonly WorkPart[], files: Pick<FilesContent, "open">): Readable {
  const zip = new ZipFile();
  const stream = zip.outputStream as Readable;
  // A file that has been deleted meanwhile aborts the response.
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
