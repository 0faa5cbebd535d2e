import { axis, niceSteps, textOf } from "./drawing.ts";

export interface Bar {
  readonly title: string;
  readonly value: number;
  /** What stands behind the bar, such as its value with a unit. */
  readonly label: string;
}

interface BarPlot {
  readonly title: string;
  readonly xTitle: string;
  /** Bars beyond it are marked. */
  readonly limit: number;
  readonly bars: readonly Bar[];
}

const width = 900;
const rowHeight = 18;
const inner = { left: 400, right: 160, top: 34, bottom: 36 };
/** Beyond this many limits a bar is cut off, so that the others can be told apart; its label says the value. */
const mostLimits = 3;

/** Horizontal bars from zero, and a line at the limit, as the text of an SVG. */
export function drawBars({ title, xTitle, limit, bars }: BarPlot): string {
  const height = inner.top + bars.length * rowHeight + inner.bottom;
  const shown = (value: number) => Math.min(value, limit * mostLimits);
  const xs = niceSteps(Math.max(limit, ...bars.map(({ value }) => shown(value))));
  const x = (value: number) => inner.left + (value / xs.end) * (width - inner.left - inner.right);
  const rows = bars.map(({ title: name, value, label }, at) => {
    const top = inner.top + at * rowHeight;
    const look = value > limit ? 'fill="#c2571a"' : 'fill="#1f6fb2"';
    const length = Math.max(1, x(shown(value)) - inner.left).toFixed(1);
    return [
      textOf({ x: inner.left - 8, y: top + 12, anchor: "end" }, name),
      `<rect x="${inner.left}" y="${top + 2}" width="${length}" height="${rowHeight - 6}" ${look}/>`,
      textOf({ x: x(shown(value)) + 6, y: top + 12 }, label),
    ].join("");
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    textOf({ x: 8, y: 18, weight: "bold" }, title),
    ...axis({ xs, ys: { end: 1, marks: [] }, place: { x, y: () => 0 }, inner, size: { width, height } }),
    ...rows,
    `<path d="M${x(limit).toFixed(1)} ${inner.top}V${height - inner.bottom}" stroke="#222222" stroke-dasharray="3 3"/>`,
    textOf({ x: width - 12, y: height - 6, anchor: "end" }, xTitle),
    "</svg>\n",
  ].join("\n");
}
