import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist";
import sharp from "sharp";
import { UnreadableArchive } from "../unreadable.js";

/** The longest side of a page that is put together, in pixels. */
const longestSide = 4000;
const mostPixels = 60_000_000;

/** An affine transformation as PDF writes it. */
type Matrix = readonly [number, number, number, number, number, number];

interface RawImage {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** An image and where it lies on the page, in points from the lower left corner. */
interface PlacedImage {
  readonly image: RawImage & { readonly channels: 1 | 3 | 4 };
  readonly left: number;
  readonly bottom: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Puts a page together from the images on it: comics in PDF are scans, one to a page or cut into strips. Drawn lines and
 * set text are left out.
 * @throws {UnreadableArchive} `unsupported` when the page holds no image
 */
export async function drawPdfPage(document: PDFDocumentProxy, index: number): Promise<Uint8Array> {
  const page = await document.getPage(index + 1);
  try {
    const images = await placedImages(page);
    if (images.length === 0) throw new UnreadableArchive("unsupported", "This page of the PDF holds no image; text and drawings cannot be shown.");
    return await compose(page, images);
  } finally {
    page.cleanup();
  }
}

async function placedImages(page: PDFPageProxy): Promise<PlacedImage[]> {
  const { OPS } = await import("pdfjs-dist/legacy/build/pdf.mjs");
  const { fnArray, argsArray } = await page.getOperatorList();
  const found: PlacedImage[] = [];
  const saved: Matrix[] = [];
  let matrix: Matrix = [1, 0, 0, 1, 0, 0];
  for (const [at, operation] of fnArray.entries()) {
    if (operation === OPS.save) saved.push(matrix);
    else if (operation === OPS.restore) matrix = saved.pop() ?? matrix;
    else if (operation === OPS.transform) matrix = multiply(matrix, argsArray[at] as Matrix);
    else if (operation === OPS.paintImageXObject) found.push(place(await objectOf(page, (argsArray[at] as [string])[0]), matrix));
    else if (operation === OPS.paintInlineImageXObject) found.push(place((argsArray[at] as [RawImage])[0], matrix));
  }
  return found;
}

/** Images that several pages share have names that begin with g_. */
function objectOf(page: PDFPageProxy, name: string): Promise<RawImage> {
  const objects = name.startsWith("g_") ? page.commonObjs : page.objs;
  return new Promise((resolve) => objects.get(name, resolve));
}

function place(image: RawImage | null, [a, b, c, d, e, f]: Matrix): PlacedImage {
  if (!image?.data) throw new UnreadableArchive("damaged", "An image of the PDF cannot be decoded.");
  const [width, height] = [Math.abs(a) + Math.abs(c), Math.abs(b) + Math.abs(d)];
  return { image: { ...withChannels(image) }, left: Math.min(e, e + a, e + c, e + a + c), bottom: Math.min(f, f + b, f + d, f + b + d), width, height };
}

/** pdfjs gives one bit, three bytes or four bytes a pixel; which, is told by how many bytes there are. */
function withChannels({ width, height, data }: RawImage): PlacedImage["image"] {
  const pixels = width * height;
  if (pixels > mostPixels) throw new UnreadableArchive("too-large", "An image of the PDF is too large to be shown.");
  if (data.length >= pixels * 4) return { width, height, data, channels: 4 };
  if (data.length >= pixels * 3) return { width, height, data, channels: 3 };
  const rowBytes = (width + 7) >> 3;
  const grey = new Uint8Array(pixels);
  for (let at = 0; at < pixels; at++) {
    const [row, column] = [Math.floor(at / width), at % width];
    grey[at] = (data[row * rowBytes + (column >> 3)]! >> (7 - (column & 7))) & 1 ? 255 : 0;
  }
  return { width, height, data: grey, channels: 1 };
}

/** As many pixels to the point as the finest image has. */
async function compose(page: PDFPageProxy, images: readonly PlacedImage[]): Promise<Uint8Array> {
  const [left = 0, bottom = 0, right = 0, top = 0] = page.view;
  const [width, height] = [right - left, top - bottom];
  const finest = Math.max(...images.map(({ image, width: points }) => image.width / Math.max(1, points)));
  const scale = Math.min(finest, longestSide / Math.max(width, height));
  const canvas = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  const layers = await Promise.all(images.map((placed) => layerOf(placed, { left, top }, scale, canvas)));
  const whole = sharp({ create: { ...canvas, channels: 3, background: "#ffffff" } }).composite(layers.filter((layer) => layer !== undefined));
  const upright = page.rotate === 0 ? whole : sharp(await whole.png({ compressionLevel: 1 }).toBuffer()).rotate(page.rotate);
  return upright.jpeg({ quality: 90 }).toBuffer();
}

/** An image at its size and place on the canvas, cut at the canvas's edges. */
async function layerOf(placed: PlacedImage, origin: { left: number; top: number }, scale: number, canvas: { width: number; height: number }) {
  const { image } = placed;
  const place = { left: Math.round((placed.left - origin.left) * scale), top: Math.round((origin.top - placed.bottom - placed.height) * scale) };
  const size = { width: Math.max(1, Math.round(placed.width * scale)), height: Math.max(1, Math.round(placed.height * scale)) };
  const cut = { left: Math.max(0, -place.left), top: Math.max(0, -place.top) };
  const visible = { width: Math.min(size.width - cut.left, canvas.width - Math.max(0, place.left)), height: Math.min(size.height - cut.top, canvas.height - Math.max(0, place.top)) };
  if (visible.width <= 0 || visible.height <= 0 || size.width > longestSide * 4 || size.height > longestSide * 4) return undefined;
  const input = await sharp(image.data, { raw: { width: image.width, height: image.height, channels: image.channels } })
    .resize({ ...size, fit: "fill" })
    .extract({ ...cut, ...visible })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return { input, left: Math.max(0, place.left), top: Math.max(0, place.top) };
}

function multiply([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}
