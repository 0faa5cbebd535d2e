import { axis, niceSteps, textOf } from "./drawing.ts";

export interface Line {
  readonly title: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface LinePlot {
  readonly title: string;
  readonly xTitle: string;
  readonly lines: readonly Line[];
}

const [width, height] = [760, 220];
const inner = { left: 60, right: 12, top: 34, bottom: 36 };
/** Told apart without colours as well: each has dashes of its own. */
const looks = [
  'stroke="#1f6fb2"',
  'stroke="#c2571a" stroke-dasharray="6 2"',
  'stroke="#3a7d34" stroke-dasharray="2 2"',
];
/** More points than this are not seen; the highest of each group is drawn, so that no peak is lost. */
const mostPoints = 700;

/** Plots of one size above each other, as the text of one SVG. Each begins at zero. */
export function drawLines(plots: readonly LinePlot[]): string {
  const total = height * plots.length;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${total}" font-family="sans-serif" font-size="11">`,
    `<rect width="${width}" height="${total}" fill="#ffffff"/>`,
    ...plots.map((plot, at) => `<g transform="translate(0 ${at * height})">${draw(plot)}</g>`),
    "</svg>\n",
  ].join("\n");
}

function draw({ title, xTitle, lines }: LinePlot): string {
  const all = lines.flatMap(({ points }) => points).filter(([, y]) => Number.isFinite(y));
  const [xs, ys] = [niceSteps(Math.max(...all.map(([x]) => x), 0)), niceSteps(Math.max(...all.map(([, y]) => y), 0))];
  const place = {
    x: (x: number) => inner.left + (x / xs.end) * (width - inner.left - inner.right),
    y: (y: number) => height - inner.bottom - (y / ys.end) * (height - inner.top - inner.bottom),
  };
  const legend = lines.map(
    ({ title: name }, at) =>
      `<path d="M${270 + at * 170} 14h22" fill="none" stroke-width="2" ${looks[at % looks.length]}/>` +
      textOf({ x: 297 + at * 170, y: 18 }, name),
  );
  return [
    textOf({ x: 8, y: 18, weight: "bold" }, title),
    ...(lines.length > 1 ? legend : []),
    ...axis({ xs, ys, place, inner, size: { width, height } }),
    textOf({ x: width - inner.right, y: height - 6, anchor: "end" }, xTitle),
    ...lines.map(
      ({ points }, at) =>
        `<path fill="none" stroke-width="1.2" ${looks[at % looks.length]} d="${pathOf(points, place)}"/>`,
    ),
  ].join("");
}

function pathOf(
  points: Line["points"],
  place: { readonly x: (x: number) => number; readonly y: (y: number) => number },
): string {
  const shown = points.filter(([, y]) => Number.isFinite(y));
  const size = Math.ceil(shown.length / mostPoints) || 1;
  const drawn: string[] = [];
  for (let at = 0; at < shown.length; at += size) {
    const [x, y] = shown.slice(at, at + size).reduce((highest, point) => (point[1] > highest[1] ? point : highest));
    drawn.push(`${drawn.length === 0 ? "M" : "L"}${place.x(x).toFixed(1)} ${place.y(y).toFixed(1)}`);
  }
  return drawn.join("");
}
