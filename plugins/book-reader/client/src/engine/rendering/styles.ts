import type { Layout } from "@longbox/book-reader/api";
import { aligned, kept, ready } from "./kept-alignment.js";

interface Theme {
  readonly paper: string;
  readonly ink: string;
  readonly link: string;
  /** Around drawn pages. */
  readonly table: string;
  /** Whether the colours of the book give way: they are made for white paper. */
  readonly forced: boolean;
}

export const themes: Readonly<Record<Layout["theme"], Theme>> = {
  paper: { paper: "#fdfcf8", ink: "#1f1c17", link: "#0b57a4", table: "#d8d4ca", forced: false },
  sepia: { paper: "#f3e7d0", ink: "#43311c", link: "#7a3b06", table: "#cdbc99", forced: false },
  dark: { paper: "#1d1f21", ink: "#d4d2cc", link: "#8ab8f0", table: "#2b2d30", forced: true },
  black: { paper: "#000000", ink: "#b9b7b1", link: "#7aa7dc", table: "#000000", forced: true },
};

const families: Readonly<Record<Exclude<Layout["font"], "book">, string>> = {
  serif: 'Georgia, "Noto Serif", "Times New Roman", serif',
  sans: 'system-ui, "Noto Sans", Arial, sans-serif',
  mono: '"Noto Sans Mono", "DejaVu Sans Mono", monospace',
};

/** The style sheets before and after those of the book. */
export function bookStyles(layout: Layout): [before: string, after: string] {
  const { paper, ink, link } = themes[layout.theme];
  const before = `@namespace epub "http://www.idpf.org/2007/ops";
    html { --theme-bg-color: ${paper}; color: ${ink}; font-family: ${families.serif}; line-height: 1.5; }
    a:any-link { color: ${link}; }
    aside[epub|type~="footnote"], aside[epub|type~="endnote"], aside[epub|type~="rearnote"], aside[epub|type~="note"] { display: none; }
    pre { white-space: pre-wrap !important; }
    img, svg { break-inside: avoid; }`;
  return [before, [sizes(layout), typeface(layout), alignment(layout), colors(layout), sentence].join("\n")];
}

function sizes({ fontSize, lineHeight }: Layout): string {
  return `html { font-size: ${fontSize}% !important; -webkit-text-size-adjust: none; text-size-adjust: none; }
    body { font-size: 1em; }
    p, li, blockquote, dd { line-height: ${lineHeight / 100} !important; }`;
}

function typeface({ font }: Layout): string {
  if (font === "book") return "";
  return `html, body, p, li, blockquote, dd, dt, td, th, div, span, a, em, strong, i, b, h1, h2, h3, h4, h5, h6 { font-family: ${families[font]} !important; }`;
}

function alignment({ alignment, hyphenation }: Layout): string {
  const hyphens = `${aligned} { hyphens: ${hyphenation ? "auto" : "manual"}; -webkit-hyphens: ${hyphenation ? "auto" : "manual"}; orphans: 2; widows: 2; }`;
  if (alignment === "book") return hyphens;
  return `${hyphens} .${ready} :is(${aligned}):not(.${kept}) { text-align: ${alignment} !important; }`;
}

function colors({ theme }: Layout): string {
  const { paper, ink, link, forced } = themes[theme];
  const scheme = `html { color-scheme: ${forced ? "dark" : "light"}; --theme-bg-color: ${paper}; }`;
  if (!forced) return scheme;
  return `${scheme} html, body { color: ${ink} !important; background-color: transparent !important; }
    :not(html, body, a, a *, svg, svg *, img, math, math *) { color: inherit !important; background-color: transparent !important; border-color: currentColor; }
    a:any-link, a:any-link * { color: ${link} !important; }
    math, math * { color: ${ink} !important; }`;
}

/** The sentence that is read aloud, by the engine or by the book's own recording. */
const sentence = `.-epub-media-overlay-active, .longbox-spoken { background-color: color-mix(in srgb, currentColor 18%, transparent) !important; }`;
