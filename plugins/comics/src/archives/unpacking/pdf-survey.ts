import { OPS } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { PDFPageProxy } from "pdfjs-dist";
import { openCanvas } from "./canvas.js";

/** What is on a page. */
export interface PageSurvey {
  /** Pixels to the point of the finest image; 0 without one. */
  readonly finest: number;
  readonly imageNames: readonly string[];
  /** There is text, or anything else that is drawn. */
  readonly hasDrawings: boolean;
}

/** An affine transformation as PDF writes it. */
type Matrix = readonly [number, number, number, number, number, number];

interface Operation {
  readonly kind: number;
  readonly values: readonly unknown[];
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const drawingKinds = new Set<number>([OPS.showText, OPS.shadingFill, OPS.constructPath, OPS.paintSolidColorImageMask]);

/**
 * Looks at what a page would draw. What is decoded for it serves the drawing that follows.
 * @throws {UnreadableArchive}
 */
export async function surveyPdfPage(page: PDFPageProxy): Promise<PageSurvey> {
  const operations = await operationsOf(page);
  const imageNames = operations
    .filter(({ kind }) => kind === OPS.paintImageXObject)
    .map(({ values }) => values[0] as string);
  return { finest: finestOf(operations), imageNames, hasDrawings: operations.some(draws) };
}

/**
 * Draws nothing: pdfjs passes each operation to a callback. Listing the operations separately would decode each image
 * twice.
 */
async function operationsOf(page: PDFPageProxy): Promise<Operation[]> {
  let operations: Operation[] = [];
  const chooseNone = (
    _index: number,
    { fnArray, argsArray }: { fnArray: number[]; argsArray: Array<unknown[] | null> },
  ) => {
    if (operations.length < fnArray.length)
      operations = fnArray.map((kind, at) => ({ kind, values: argsArray[at] ?? [] }));
    return false;
  };
  const canvas = await openCanvas(1, 1);
  await page.render({
    // The canvas of @napi-rs has what pdfjs uses of the DOM element that its types ask for.
    canvas: canvas as never,
    viewport: page.getViewport({ scale: 1 }),
    operationsFilter: chooseNone as never,
  }).promise;
  return operations;
}

/** A path that is neither filled nor stroked only cuts what follows. */
function draws({ kind, values }: Operation): boolean {
  return drawingKinds.has(kind) && !(kind === OPS.constructPath && values[0] === OPS.endPath);
}

function finestOf(operations: readonly Operation[]): number {
  let finest = 0;
  let matrix: Matrix = [1, 0, 0, 1, 0, 0];
  const saved: Matrix[] = [];
  for (const { kind, values } of operations) {
    if (kind === OPS.save || kind === OPS.paintFormXObjectBegin) saved.push(matrix);
    if (kind === OPS.restore || kind === OPS.paintFormXObjectEnd) matrix = saved.pop() ?? matrix;
    if (kind === OPS.transform) matrix = multiply(matrix, values as unknown as Matrix);
    if (kind === OPS.paintFormXObjectBegin && values[0]) matrix = multiply(matrix, values[0] as Matrix);
    const image = imageSize(kind, values);
    if (image) finest = Math.max(finest, density(image, matrix));
  }
  return finest;
}

/** In pixels, where an operation paints an image. */
function imageSize(kind: number, values: readonly unknown[]): Size | undefined {
  if (kind === OPS.paintImageXObject) return { width: values[1] as number, height: values[2] as number };
  if (kind === OPS.paintInlineImageXObject || kind === OPS.paintImageMaskXObject) return values[0] as Size;
  return undefined;
}

/** Pixels to the point along the finer side: an image is painted into the unit square. */
function density({ width, height }: Size, [a, b, c, d]: Matrix): number {
  return Math.max(width / Math.max(1, Math.hypot(a, b)), height / Math.max(1, Math.hypot(c, d)));
}

function multiply([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}
