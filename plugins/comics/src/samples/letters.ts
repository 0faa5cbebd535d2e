/** Letters of five by seven fields, a bit for each field of a row: drawn, so that no font of the machine is needed. */
const letters: Readonly<Record<string, readonly number[]>> = {
  A: [14, 17, 17, 31, 17, 17, 17],
  B: [30, 17, 17, 30, 17, 17, 30],
  D: [30, 17, 17, 17, 17, 17, 30],
  E: [31, 16, 16, 30, 16, 16, 31],
  G: [14, 17, 16, 23, 17, 17, 14],
  H: [17, 17, 17, 31, 17, 17, 17],
  I: [14, 4, 4, 4, 4, 4, 14],
  L: [16, 16, 16, 16, 16, 16, 31],
  M: [17, 27, 21, 21, 17, 17, 17],
  N: [17, 25, 21, 19, 17, 17, 17],
  O: [14, 17, 17, 17, 17, 17, 14],
  R: [30, 17, 17, 30, 20, 18, 17],
  T: [31, 4, 4, 4, 4, 4, 4],
  W: [17, 17, 17, 21, 21, 27, 17],
  "1": [4, 12, 4, 4, 4, 4, 14],
  "2": [14, 17, 1, 6, 8, 16, 31],
  "3": [30, 1, 1, 14, 1, 1, 30],
};
const columns = 5;
const rows = 7;

export interface Lettering {
  readonly x: number;
  readonly y: number;
  /** The width of the whole line, in the units of the drawing. */
  readonly width: number;
  readonly fill: string;
}

/** A line of capital letters as SVG, as wide as it is asked for. Characters without a drawing are spaces. */
export function lettered(text: string, { x, y, width, fill }: Lettering): string {
  const field = width / (text.length * (columns + 1) - 1);
  const parts = [...text].flatMap((letter, index) =>
    (letters[letter] ?? []).flatMap((bits, row) =>
      Array.from({ length: columns }, (_, column) => column)
        .filter((column) => bits & (1 << (columns - 1 - column)))
        .map((column) => {
          const left = x + (index * (columns + 1) + column) * field;
          return `M${left.toFixed(1)} ${(y + row * field).toFixed(1)}h${field}v${field}h${-field}z`;
        }),
    ),
  );
  return `<path fill="${fill}" stroke="${fill}" d="${parts.join("")}"/>`;
}

/** How tall such a line is. */
export function letteredHeight(text: string, width: number): number {
  return (width / (text.length * (columns + 1) - 1)) * rows;
}
