import sharp from "sharp";
import { borderLines, columnsOf, findPaper, isAllPaper, rowsOf, type Scan } from "./paper.js";

/** A rectangle as shares of the whole image, 0 to 1. */
export interface ArtBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Borders are detected on a copy of this size, on which an ink dot of one pixel of a 3000 pixel scan is still visible.
 */
const lookedAt = 1000;
/** The maximum share that is cut from one side, because larger empty areas may be intended. */
const mostPerSide = 0.15;
/** The margin around the art, as a share of the page. */
const margin = 0.006;

/**
 * Finds the part of a page within its plain borders, or undefined when there is nothing to cut.
 *
 * A border consists of whole rows or columns in which every pixel has the colour of the paper, and all four
 * corners must agree on that colour: a black panel that bleeds off one edge of a white page is art. A page that is
 * nothing but paper stays whole.
 */
export async function findArtBox(bytes: Uint8Array, limitInputPixels: number): Promise<ArtBox | undefined> {
  const scan = await readScan(bytes, limitInputPixels);
  const paper = findPaper(scan);
  if (paper === undefined || isAllPaper(scan, paper)) return undefined;
  const [top, bottom] = rowsOf(scan).map((lines) =>
    shareToCut(borderLines(lines, paper, mostPerSide), scan.height),
  ) as [number, number];
  const [left, right] = columnsOf(scan).map((lines) =>
    shareToCut(borderLines(lines, paper, mostPerSide), scan.width),
  ) as [number, number];
  if (top + bottom + left + right === 0) return undefined;
  return { left, top, width: 1 - left - right, height: 1 - top - bottom };
}

async function readScan(bytes: Uint8Array, limitInputPixels: number): Promise<Scan> {
  const { data, info } = await sharp(bytes, { limitInputPixels })
    .autoOrient()
    .flatten({ background: "#ffffff" })
    .resize({ width: lookedAt, height: lookedAt, fit: "inside", withoutEnlargement: true })
    .toColourspace("srgb")
    .removeAlpha()
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  return { levels: data, channels: info.channels, width: info.width, height: info.height };
}

function shareToCut(lines: number, count: number): number {
  return Math.max(0, lines / count - margin);
}
