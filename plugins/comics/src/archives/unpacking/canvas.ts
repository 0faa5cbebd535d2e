import type { Canvas } from "@napi-rs/canvas";
import { UnreadableArchive } from "../unreadable.js";
import { pdfAids } from "./pdf-aids.js";

/** What stands in for fonts that neither the file nor pdfjs has, so that pages look alike on every machine and on one without fonts. */
const standIns = [
  ["sans-serif", "LiberationSans-Regular.ttf"],
  ["sans-serif", "LiberationSans-Bold.ttf"],
  ["serif", "FoxitSerif.pfb"],
  ["serif", "FoxitSerifBold.pfb"],
  ["monospace", "FoxitFixed.pfb"],
  ["monospace", "FoxitFixedBold.pfb"],
] as const;
let hasStandIns = false;

/**
 * Makes a canvas, loading what draws when it is first needed. On a machine for which there is no build of it, PDFs are counted and not shown.
 * @throws {UnreadableArchive} `unsupported` there
 */
export async function openCanvas(width: number, height: number): Promise<Canvas> {
  const { createCanvas, GlobalFonts } = await import("@napi-rs/canvas").catch((thrown: unknown) => {
    throw new UnreadableArchive("unsupported", "The pages of a PDF cannot be drawn on this machine.", {
      cause: thrown,
    });
  });
  if (!hasStandIns)
    for (const [generic, file] of standIns) GlobalFonts.registerFromPath(pdfAids("standard_fonts") + file, generic);
  hasStandIns = true;
  return createCanvas(width, height);
}
