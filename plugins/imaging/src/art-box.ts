import sharp from "sharp";

/** A rectangle as shares of the whole image, 0 to 1. */
export interface ArtBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface Grey {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Borders are looked for on a copy of this size: an ink dot of one pixel on a 3000 pixel scan still shows there. */
const lookedAt = 1000;
/** Levels of grey of 256 by which paper may differ from itself: the noise of a scan or of JPEG. */
const paperNoise = 12;
/** No more than this share is cut from one side, so that a page of one colour is never cut away. */
const mostPerSide = 0.15;
/** A share of the page left standing around the art. */
const margin = 0.006;

/**
 * Finds what is left of a page once its plain borders are cut, or undefined when there is nothing to cut.
 *
 * A border is made of whole rows or columns in which every single pixel has the colour of the paper, and all four
 * sides must agree on that colour: a black panel that bleeds off one edge of a white page is art.
 */
export async function findArtBox(bytes: Uint8Array, limitInputPixels: number): Promise<ArtBox | undefined> {
  const grey = await readGrey(bytes, limitInputPixels);
  const paper = paperOf(grey);
  if (paper === undefined) return undefined;
  const top = plainLines(grey.height, (line) => isPlainRow(grey, line, paper));
  const bottom = plainLines(grey.height, (line) => isPlainRow(grey, grey.height - 1 - line, paper));
  const left = plainLines(grey.width, (line) => isPlainColumn(grey, line, paper));
  const right = plainLines(grey.width, (line) => isPlainColumn(grey, grey.width - 1 - line, paper));
  if (top + bottom + left + right === 0) return undefined;
  return { left, top, width: 1 - left - right, height: 1 - top - bottom };
}

async function readGrey(bytes: Uint8Array, limitInputPixels: number): Promise<Grey> {
  const { data, info } = await sharp(bytes, { limitInputPixels })
    .autoOrient()
    .flatten({ background: "#ffffff" })
    .resize({ width: lookedAt, height: lookedAt, fit: "inside", withoutEnlargement: true })
    .greyscale()
    .toColourspace("b-w")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}

/** The level of grey that all four corners share. */
function paperOf({ pixels, width, height }: Grey): number | undefined {
  const corners = [pixels[0]!, pixels[width - 1]!, pixels[(height - 1) * width]!, pixels[height * width - 1]!];
  const least = Math.min(...corners);
  const most = Math.max(...corners);
  return most - least <= paperNoise ? (least + most) / 2 : undefined;
}

/** The share of the side that may go: plain lines from the edge inward, less the margin. */
function plainLines(count: number, isPlain: (line: number) => boolean): number {
  const most = Math.floor(count * mostPerSide);
  let lines = 0;
  while (lines < most && isPlain(lines)) lines++;
  return Math.max(0, lines / count - margin);
}

function isPlainRow({ pixels, width }: Grey, row: number, paper: number): boolean {
  for (let index = row * width; index < (row + 1) * width; index++) if (Math.abs(pixels[index]! - paper) > paperNoise) return false;
  return true;
}

function isPlainColumn({ pixels, width, height }: Grey, column: number, paper: number): boolean {
  for (let row = 0; row < height; row++) if (Math.abs(pixels[row * width + column]! - paper) > paperNoise) return false;
  return true;
}
