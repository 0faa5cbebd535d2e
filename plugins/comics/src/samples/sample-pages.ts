import { lettered, letteredHeight } from "./letters.js";
import type { Story } from "./stories.js";

/** The size of a page, in pixels and in the units of its drawing. */
export const pageSize = { width: 800, height: 1200 } as const;
/** Pages of an issue after its cover. */
const innerPages = 5;
const gutter = 24;
/** The panels of a page by rows: how many are in each. */
const layouts: readonly (readonly number[])[] = [
  [1, 2],
  [2, 1],
  [2, 2],
  [1, 1, 2],
];

/** The pages of one issue as SVG drawings, its cover first. @param issue - From 1 */
export function drawIssue(story: Story, issue: number): string[] {
  const perIssue = 1 / story.issues;
  const begun = (issue - 1) * perIssue;
  const pages = Array.from({ length: innerPages }, (_, page) =>
    drawPage(story, layouts[page % layouts.length] as readonly number[], {
      from: begun + (page / innerPages) * perIssue,
      to: begun + ((page + 1) / innerPages) * perIssue,
    }),
  );
  return [drawCover(story, issue), ...pages];
}

function drawCover(story: Story, issue: number): string {
  const { width, height } = pageSize;
  const { sky, ink } = story.colours;
  const title = story.title.toUpperCase();
  const tall = letteredHeight(title, width - 120);
  const [number, numberWidth] = [String(issue), 60];
  return svg([
    scene(story, (issue - 0.5) / story.issues, { x: 0, y: 0, width, height }),
    `<rect width="${width}" height="${tall + 120}" fill="${sky}"/>`,
    lettered(title, { x: 60, y: 60, width: width - 120, fill: ink }),
    `<circle cx="${width - 110}" cy="${height - 110}" r="78" fill="${sky}"/>`,
    lettered(number, {
      x: width - 110 - numberWidth / 2,
      y: height - 110 - letteredHeight(number, numberWidth) / 2,
      width: numberWidth,
      fill: ink,
    }),
  ]);
}

function drawPage(story: Story, rows: readonly number[], time: { readonly from: number; readonly to: number }): string {
  const { width, height } = pageSize;
  const panels = rows.reduce((sum, inRow) => sum + inRow, 0);
  const rowHeight = (height - gutter * (rows.length + 1)) / rows.length;
  let drawn = 0;
  const parts = rows.flatMap((inRow, row) => {
    const panelWidth = (width - gutter * (inRow + 1)) / inRow;
    return Array.from({ length: inRow }, (_, column) => {
      const now = time.from + ((time.to - time.from) * drawn++) / panels;
      const x = gutter + column * (panelWidth + gutter);
      return scene(story, now, { x, y: gutter + row * (rowHeight + gutter), width: panelWidth, height: rowHeight });
    });
  });
  return svg([`<rect width="${width}" height="${height}" fill="#fffdf7"/>`, ...parts]);
}

interface Panel {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The scene fills its panel, and what is beyond is cut. */
function scene(story: Story, time: number, { x, y, width, height }: Panel): string {
  return (
    `<svg x="${x}" y="${y}" width="${width}" height="${height}" viewBox="0 0 100 100" preserveAspectRatio="xMidYMid slice">` +
    `${story.scene(time)}</svg><rect x="${x}" y="${y}" width="${width}" height="${height}" fill="none" stroke="#111" stroke-width="5"/>`
  );
}

function svg(parts: readonly string[]): string {
  const { width, height } = pageSize;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${parts.join("")}</svg>`;
}
