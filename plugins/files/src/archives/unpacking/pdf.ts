import { readFile } from "node:fs/promises";
import { UnreadableArchive } from "../unreadable.js";

const largestPdfBytes = 1024 * 1024 * 1024;

/** How many pages a PDF has. @throws {UnreadableArchive} */
export async function countPdfPages(path: string): Promise<number> {
  const { getDocument, VerbosityLevel } = await import("pdfjs-dist/legacy/build/pdf.mjs");
  const bytes = await readFile(path);
  if (bytes.length > largestPdfBytes) throw new UnreadableArchive("too-large", "The file is too large to be read.");
  const loading = getDocument({ data: new Uint8Array(bytes), verbosity: VerbosityLevel.ERRORS, useSystemFonts: false, disableFontFace: true });
  try {
    return (await loading.promise).numPages;
  } catch (thrown) {
    if ((thrown as Error).name === "PasswordException") throw new UnreadableArchive("encrypted", "The file is protected by a password.", { cause: thrown });
    throw new UnreadableArchive("damaged", "The PDF is damaged.", { cause: thrown });
  } finally {
    await loading.destroy();
  }
}
