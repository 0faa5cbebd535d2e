import type { Canvas } from "@napi-rs/canvas";
import { UnreadableArchive } from "../unreadable.js";
import { pdfAids } from "./pdf-aids.js";

/**
 * The fallback for fonts that neither the file nor pdfjs contains, so that pages look the same on all machines,
 * including those without fonts.
 */
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
 * Makes a canvas, and loads the drawing library on first use. On platforms without a build of it, PDF pages are counted
 * but not shown.
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
