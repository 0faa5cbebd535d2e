import type { Canvas } from "@napi-rs/canvas";
import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist";
import sharp from "sharp";
import { UnreadableArchive } from "../unreadable.js";
import { openCanvas } from "./canvas.js";
import { surveyPdfPage, type PageSurvey } from "./pdf-survey.js";

/** Pixels of a drawn page's longest side, at most. */
const longestSide = 4000;
/** Pixels of the longest side of a page with text or drawings, at least: they are sharp at any size. */
const sharpSide = 2400;

/** Draws one page, counted from 0, as JPEG. @throws {UnreadableArchive} */
export async function drawPdfPage(document: PDFDocumentProxy, index: number): Promise<Uint8Array> {
  const page = await document.getPage(index + 1);
  try {
    const survey = await surveyPdfPage(page);
    const canvas = await draw(page, scaleOf(page, survey));
    refuseMissing(page, survey);
    const jpeg = await toJpeg(canvas);
    // Its pixels are not waited for by the collector, which does not see how many there are.
    canvas.width = canvas.height = 0;
    return jpeg;
  } finally {
    page.cleanup();
  }
}

/** As many pixels to the point as the finest image has; no more than that where there is nothing but images. */
function scaleOf(page: PDFPageProxy, { finest, hasDrawings }: PageSurvey): number {
  const { width, height } = page.getViewport({ scale: 1 });
  const points = Math.max(width, height);
  const wanted = hasDrawings || finest === 0 ? Math.max(finest, sharpSide / points) : finest;
  return Math.min(wanted, longestSide / points);
}

async function draw(page: PDFPageProxy, scale: number): Promise<Canvas> {
  const viewport = page.getViewport({ scale });
  const canvas = await openCanvas(Math.max(1, Math.round(viewport.width)), Math.max(1, Math.round(viewport.height)));
  // The canvas of @napi-rs has what pdfjs uses of the DOM element that its types ask for.
  await page.render({ canvas: canvas as never, viewport, background: "#ffffff" }).promise;
  return canvas;
}

/** An image that could not be decoded leaves a gap on the page: rather no page than one without its art. */
function refuseMissing(page: PDFPageProxy, { imageNames }: PageSurvey): void {
  const isMissing = (name: string) => {
    const objects = name.startsWith("g_") ? page.commonObjs : page.objs;
    return objects.has(name) && objects.get(name) === null;
  };
  if (imageNames.some(isMissing)) throw new UnreadableArchive("damaged", "An image of the PDF cannot be decoded.");
}

/** Colours at full resolution: coloured letters and lines stay sharp. */
function toJpeg(canvas: Canvas): Promise<Uint8Array> {
  const { width, height } = canvas;
  return sharp(canvas.data(), { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .jpeg({ quality: 90, chromaSubsampling: "4:4:4" })
    .toBuffer();
}
