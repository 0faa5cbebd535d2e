import type { Canvas } from "@napi-rs/canvas";
import { UnreadableArchive } from "../unreadable.js";

/**
 * Makes a canvas, loading what draws when it is first needed. On a machine for which there is no build of it, PDFs are counted and not shown.
 * @throws {UnreadableArchive} `unsupported` there
 */
export async function openCanvas(width: number, height: number): Promise<Canvas> {
  const { createCanvas } = await import("@napi-rs/canvas").catch((thrown: unknown) => {
    throw new UnreadableArchive("unsupported", "The pages of a PDF cannot be drawn on this machine.", { cause: thrown });
  });
  return createCanvas(width, height);
}
