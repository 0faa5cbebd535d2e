/** The marks of an axis that begins at zero. */
export interface Steps {
  readonly end: number;
  readonly marks: readonly number[];
}

/** About five round marks up to a value, or beyond it. */
export function niceSteps(most: number): Steps {
  const rough = (most > 0 ? most : 1) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough * 0.999)!;
  const count = Math.max(1, Math.ceil((most / step) * 0.999));
  return { end: count * step, marks: Array.from({ length: count + 1 }, (_, at) => Number((at * step).toPrecision(6))) };
}

export function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

interface TextPlace {
  readonly x: number;
  readonly y: number;
  readonly anchor?: "start" | "middle" | "end";
  readonly weight?: "bold";
}

export function textOf({ x, y, anchor = "start", weight }: TextPlace, text: string): string {
  const bold = weight === undefined ? "" : ` font-weight="${weight}"`;
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" fill="#222222"${bold}>${escapeText(text)}</text>`;
}

interface Axis {
  readonly xs: Steps;
  readonly ys: Steps;
  readonly place: { readonly x: (x: number) => number; readonly y: (y: number) => number };
  readonly inner: { readonly left: number; readonly right: number; readonly bottom: number };
  readonly size: { readonly width: number; readonly height: number };
}

/** Lines across at each mark of the values, and the marks below. */
export function axis({ xs, ys, place, inner, size }: Axis): string[] {
  return [
    ...ys.marks.flatMap((mark) => [
      `<path d="M${inner.left} ${place.y(mark).toFixed(1)}H${size.width - inner.right}" stroke="#dddddd"/>`,
      textOf({ x: inner.left - 6, y: place.y(mark) + 4, anchor: "end" }, String(mark)),
    ]),
    ...xs.marks.map((mark) =>
      textOf({ x: place.x(mark), y: size.height - inner.bottom + 14, anchor: "middle" }, String(mark)),
    ),
  ];
}
