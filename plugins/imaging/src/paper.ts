/** The pixels of a page, row by row; `channels` levels of 256 for each. */
export interface Scan {
  readonly levels: Uint8Array;
  readonly channels: number;
  readonly width: number;
  readonly height: number;
}

/** The level of each channel that the paper has. */
export type Paper = readonly number[];

/** Rows or columns of a page, counted from one edge inward. Steps are indices of `levels`. */
export interface Lines {
  readonly scan: Scan;
  readonly count: number;
  readonly length: number;
  readonly start: number;
  readonly toNextLine: number;
  readonly toNextPixel: number;
}

/** Levels by which a pixel of the paper may differ from the paper: the noise of a scan or of JPEG. */
const paperNoise = 12;
/**
 * Levels by which a whole line may differ from the lines before it. The mean of a line shows faint lines that are lost
 * in the noise of pixels.
 */
const lineNoise = 1;
/** The weight of each line in the reference for the next one, so that gradual shading counts as paper. */
const lineWeight = 0.2;
/** The side in pixels of the corners from which the colour of the paper is taken. */
const cornerSize = 8;

/** The common colour of all four corners. */
export function findPaper(scan: Scan): Paper | undefined {
  const size = Math.min(cornerSize, scan.width, scan.height);
  const corners = [0, scan.height - size].flatMap((top) =>
    [0, scan.width - size].map((left) => meanColour(scan, { left, top, size })),
  );
  const channels = corners[0]!.map((_, channel) => corners.map((corner) => corner[channel]!));
  if (channels.some((levels) => Math.max(...levels) - Math.min(...levels) > paperNoise)) return undefined;
  return channels.map((levels) => (Math.max(...levels) + Math.min(...levels)) / 2);
}

export function isAllPaper(scan: Scan, paper: Paper): boolean {
  const [rows] = rowsOf(scan);
  return borderLines(rows, paper, 1) === rows.count;
}

/** The number of lines from the edge inward that are only paper, up to the maximum share. */
export function borderLines(lines: Lines, paper: Paper, mostShare: number): number {
  const most = Math.floor(lines.count * mostShare);
  let before: number[] | undefined;
  for (let line = 0; line < most; line++) {
    const mean = meanOfPaperLine(lines, line, paper);
    if (!mean || before?.some((level, channel) => Math.abs(level - mean[channel]!) > lineNoise)) return line;
    before = before ? before.map((level, channel) => level + (mean[channel]! - level) * lineWeight) : mean;
  }
  return most;
}

/** From the top down, and from the bottom up. */
export function rowsOf(scan: Scan): [Lines, Lines] {
  const row = scan.width * scan.channels;
  const all = { scan, count: scan.height, length: scan.width, toNextPixel: scan.channels };
  return [
    { ...all, start: 0, toNextLine: row },
    { ...all, start: row * (scan.height - 1), toNextLine: -row },
  ];
}

/** From the left, and from the right. */
export function columnsOf(scan: Scan): [Lines, Lines] {
  const row = scan.width * scan.channels;
  const all = { scan, count: scan.width, length: scan.height, toNextPixel: row };
  return [
    { ...all, start: 0, toNextLine: scan.channels },
    { ...all, start: row - scan.channels, toNextLine: -scan.channels },
  ];
}

/** The mean colour of a line, or undefined when one of its pixels is not paper. */
function meanOfPaperLine(
  { scan: { levels, channels }, length, start, toNextLine, toNextPixel }: Lines,
  line: number,
  paper: Paper,
): number[] | undefined {
  const first = start + line * toNextLine;
  const sums = paper.map(() => 0);
  for (let pixel = 0; pixel < length; pixel++) {
    for (let channel = 0; channel < channels; channel++) {
      const level = levels[first + pixel * toNextPixel + channel]!;
      if (Math.abs(level - paper[channel]!) > paperNoise) return undefined;
      sums[channel]! += level;
    }
  }
  return sums.map((sum) => sum / length);
}

function meanColour(
  { levels, channels, width }: Scan,
  { left, top, size }: { left: number; top: number; size: number },
): number[] {
  const sums = Array.from({ length: channels }, () => 0);
  for (let row = top; row < top + size; row++) {
    for (let column = left; column < left + size; column++) {
      for (let channel = 0; channel < channels; channel++)
        sums[channel]! += levels[(row * width + column) * channels + channel]!;
    }
  }
  return sums.map((sum) => sum / (size * size));
}
