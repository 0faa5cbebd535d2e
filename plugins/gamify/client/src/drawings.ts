import { html, svg, type TemplateResult } from "lit";

const circle = (radius: number): string =>
  `M12 ${12 - radius}a${radius} ${radius} 0 1 0 0 ${2 * radius} ${radius} ${radius} 0 0 0 0-${2 * radius}z`;

/** Strokes of 24 by 24, by the id of an achievement or the name of a thing. */
const strokes: Readonly<Record<string, readonly string[]>> = {
  "first-page": ["M7 3h7l4 4v14H7z", "M14 3v4h4", "M10 12h5", "M10 16h5"],
  "first-finish": ["M6 21V4", "M6 4h12l-3 4 3 4H6"],
  shelf: ["M3 20h18", "M6 20V8h3v12", "M9 20V5h3v15", "m13.500 20-1-11 3-.500 2 11.500"],
  bookcase: ["M5 3h14v18H5z", "M5 9h14", "M5 15h14", "M8 5v4", "M11 5v4", "M9 11v4", "M15 11v4", "M8 17v4", "M12 17v4"],
  library: ["M3 9 12 4l9 5z", "M6 9v8", "M10 9v8", "M14 9v8", "M18 9v8", "M3 20h18"],
  thousand: ["m12 4 7 4-7 4-7-4z", "m5 12 7 4 7-4", "m5 16 7 4 7-4"],
  "ten-thousand": [
    "m12 2 7 3.500-7 3.500-7-3.500z",
    "m5 9.500 7 3.500 7-3.500",
    "m5 13.500 7 3.500 7-3.500",
    "m5 17.500 7 3.500 7-3.500",
  ],
  tome: ["M5 6a2 2 0 0 1 2-2h12v16H7a2 2 0 0 1-2-2z", "M5 18a2 2 0 0 1 2-2h12", "M9.500 8h6", "M9.500 11h4"],
  listener: [
    "M4 15v-2a8 8 0 0 1 16 0v2",
    "M4 14h3v6H5.500A1.500 1.500 0 0 1 4 18.500z",
    "M20 14h-3v6h1.500a1.500 1.500 0 0 0 1.500-1.500z",
  ],
  week: [
    "M12 21c-3.900 0-6.500-2.600-6.500-6 0-4 4.500-5.500 4-11.500 3.500 1.500 5 4.500 5 7.500 1-.500 1.500-1.500 1.500-2.500 1.700 1.800 2.500 4 2.500 6.500 0 3.400-2.600 6-6.500 6z",
  ],
  month: ["M19 15A8 8 0 0 1 9 5a8 8 0 1 0 10 10z", "M17 4v5", "M14.500 6.500h5"],
  season: ["M12 21v-9", "M12 3c4 2.500 6 5 6 8a6 6 0 0 1-12 0c0-3 2-5.500 6-8z", "m12 15 3-3", "m12 12-2.500-2.500"],
  regular: ["M4 6h16v14H4z", "M8 3v5", "M16 3v5", "m8.500 14 2.500 2.500 4.500-5"],
  weekends: [
    "M5 9h12v6a5 5 0 0 1-5 5h-2a5 5 0 0 1-5-5z",
    "M17 10h2a2.500 2.500 0 0 1 0 5h-2",
    "M9 3c-1.200 1 1.200 2 0 3",
    "M13 3c-1.200 1 1.200 2 0 3",
  ],
  comeback: ["m9 7-5 5 5 5", "M4 12h10a6 6 0 0 1 6 6v2"],
  explorer: [circle(9), "m15.500 8.500-2 5-5 2 2-5z"],
  devoted: ["M12 20S4 15 4 9.500A4.500 4.500 0 0 1 12 7a4.500 4.500 0 0 1 8 2.500C20 15 12 20 12 20z"],
  decades: ["M6 3h12", "M6 21h12", "M8 3c0 5 8 6 8 9s-8 4-8 9", "M16 3c0 5-8 6-8 9s8 4 8 9"],
  types: ["M4 4h7v7H4z", "M17.500 4a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7z", "m12 14 4.500 7h-9z"],
  languages: ["M3 5h11v8H8l-3 3v-3H3z", "M17 9h4v8h-2v3l-3-3h-6v-1.500"],
  quests: ["M5 5h12v12a3 3 0 0 0 3 3H8a3 3 0 0 1-3-3z", "M20 20a3 3 0 0 0 1-2.200V17h-4", "M8.500 9h5", "M8.500 13h5"],
  goal: [circle(9), circle(5.5), circle(2)],
  freeze: [
    "M12 3v18",
    "m4.200 7.500 15.600 9",
    "m19.800 7.500-15.600 9",
    "m9.500 4.500 2.500 2 2.500-2",
    "m9.500 19.500 2.500-2 2.500 2",
  ],
  token: [
    circle(9),
    "M12 7.500c1 2.500 2 3.500 4.500 4.500-2.500 1-3.500 2-4.500 4.500-1-2.500-2-3.500-4.500-4.500 2.500-1 3.500-2 4.500-4.500z",
  ],
};

/** A drawing beside text; screen readers skip it. */
export function drawing(name: string): TemplateResult {
  const lines = (strokes[name] ?? strokes["quests"] ?? []).map((line) => svg`<path d=${line} />`);
  return html`<svg class="sketch" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${lines}</svg>`;
}

const points = 16;
const outer = 31;
const inner = 28.5;

/** The edge of a medal, as of a coin or a seal. */
const edge = Array.from({ length: points * 2 }, (_, index) => {
  const angle = (index / (points * 2)) * 2 * Math.PI;
  const radius = index % 2 === 0 ? outer : inner;
  return `${(32 + radius * Math.cos(angle)).toFixed(2)},${(32 + radius * Math.sin(angle)).toFixed(2)}`;
}).join(" ");

/** The medal of an achievement; not earned yet, it is only an outline. */
export function medal(name: string, isEarned: boolean): TemplateResult {
  const lines = (strokes[name] ?? strokes["quests"] ?? []).map((line) => svg`<path d=${line} />`);
  return html`<svg class="medal ${isEarned ? "earned" : ""}" viewBox="0 0 64 64" aria-hidden="true" focusable="false">
    ${svg`<polygon class="edge" points=${edge} /><circle class="face" cx="32" cy="32" r="23.5" />
      <g transform="translate(17 17) scale(1.25)">${lines}</g>`}
  </svg>`;
}
