import { css, html, LitElement, svg } from "lit";
import { customElement, property } from "lit/decorators.js";

/** Strokes of 24 by 24. Plugins name these in their navigation items; a name that is not here shows the plug. */
const shapes: Readonly<Record<string, readonly string[]>> = {
  home: ["M4 11 12 4l8 7", "M6 10v10h12V10", "M10 20v-5h4v5"],
  library: ["M3 9h18l-1.500 11h-15z", "M6 9 5 4h4l1 5", "M10 9V4h4v5", "M14 9l1-5h4l-1 5", "M10 14h4"],
  search: ["M10.500 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13z", "m15.500 15.500 5 5"],
  folder: ["M3 6h6l2 2h10v11H3z"],
  "folder-up": ["M3 6h6l2 2h10v11H3z", "M12 16v-5", "m9.500 13 2.500-2.500 2.500 2.500"],
  file: ["M6 3h8l4 4v14H6z", "M14 3v4h4"],
  users: ["M9 5a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7z", "M2.500 20c.5-4 3-6 6.500-6s6 2 6.500 6", "M15.500 5.500a3 3 0 0 1 0 6", "M17.500 14.500c2.300.7 3.600 2.600 4 5.500"],
  user: ["M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8z", "M4.500 20.500c.6-4.500 3.400-6.500 7.500-6.500s6.900 2 7.500 6.500"],
  plugin: ["M9 3v5", "M15 3v5", "M6 8h12v4a6 6 0 0 1-12 0z", "M12 18v3"],
  settings: ["M4 7h9", "M17 7h3", "M15 5v4", "M4 17h3", "M11 17h9", "M9 15v4", "M4 12h2", "M10 12h10", "M8 10v4"],
  plus: ["M12 5v14", "M5 12h14"],
  check: ["m4 12.500 5.500 5.500L20 7"],
  close: ["m5 5 14 14", "M19 5 5 19"],
  more: ["M5 12h.01", "M12 12h.01", "M19 12h.01"],
  menu: ["M4 7h16", "M4 12h16", "M4 17h16"],
  back: ["M20 12H4", "m10 6-6 6 6 6"],
  next: ["m9 5 7 7-7 7"],
  down: ["m5 9 7 7 7-7"],
  sun: ["M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z", "M12 2v2.500", "M12 19.500V22", "M2 12h2.500", "M19.500 12H22", "m5 5 1.700 1.700", "m17.300 17.300 1.700 1.700", "m5 19 1.700-1.700", "m17.300 6.700 1.700-1.700"],
  moon: ["M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500z"],
  system: ["M3 5h18v11H3z", "M9 20h6", "M12 16v4"],
  scan: ["M20 11a8 8 0 0 0-14.500-3.500L4 9", "M4 4v5h5", "M4 13a8 8 0 0 0 14.500 3.500L20 15", "M20 20v-5h-5"],
  trash: ["M5 7h14", "M9 7V4h6v3", "m7 7 1 13h8l1-13", "M10.500 11v5", "M13.500 11v5"],
  edit: ["M4 20v-4L16 4l4 4L8 20z", "m13 7 4 4"],
  heart: ["M12 20S4 15 4 9.500A4.500 4.500 0 0 1 12 7a4.500 4.500 0 0 1 8 2.500C20 15 12 20 12 20z"],
  eye: ["M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12z", "M12 9.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5z"],
  lock: ["M6 11h12v9H6z", "M8.500 11V8a3.500 3.500 0 0 1 7 0v3"],
  key: ["M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8z", "m11 12 9-9", "m16 7 3 3"],
  warning: ["M12 4 2.500 20h19z", "M12 10v5", "M12 17.500h.01"],
  grid: ["M4 4h7v7H4z", "M13 4h7v7h-7z", "M4 13h7v7H4z", "M13 13h7v7h-7z"],
  list: ["M8 6h12", "M8 12h12", "M8 18h12", "M4 6h.01", "M4 12h.01", "M4 18h.01"],
  book: ["M12 6c-2-1.500-5-2-8-1.500v14c3-.5 6 0 8 1.500 2-1.500 5-2 8-1.500v-14C17 4 14 4.500 12 6z", "M12 6v14"],
  bookmark: ["M6 4h12v17l-6-4.500L6 21z"],
  clock: ["M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16z", "M12 8v4.500l3 2"],
  download: ["M12 4v11", "m7 11 5 5 5-5", "M4 20h16"],
  chart: ["M4 20V4", "M4 20h16", "M8 16v-4", "M12 16V8", "M16 16v-6"],
  pulse: ["M3 12h4l3-7 4 14 3-7h4"],
  keyboard: ["M3 7h18v11H3z", "M7 11h.01", "M11 11h.01", "M15 11h.01", "M8 14.500h8"],
  "sign-out": ["M14 4H5v16h9", "M10 12h11", "m17 8 4 4-4 4"],
  "sign-in": ["M10 4h9v16h-9", "M3 12h11", "m10 8 4 4-4 4"],
  globe: ["M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16z", "M4 12h16", "M12 4c2.500 2.200 3.500 5 3.500 8s-1 5.800-3.500 8c-2.500-2.200-3.500-5-3.500-8s1-5.800 3.500-8z"],
  bell: ["M6 17V11a6 6 0 0 1 12 0v6l1.500 1.500h-15z", "M10 21h4"],
};

/** A drawing beside text, or in a button that has a label of its own; never read out. */
@customElement("lb-icon")
export class Icon extends LitElement {
  @property() name = "plugin";

  static override styles = css`
    :host {
      display: inline-flex;
      flex: none;
      width: 1.25em;
      height: 1.25em;
    }
    svg {
      width: 100%;
      height: 100%;
      fill: none;
      stroke: currentcolor;
      stroke-width: 1.75;
      stroke-linecap: round;
      stroke-linejoin: round;
    }
  `;

  override render() {
    const lines = shapes[this.name] ?? shapes["plugin"] ?? [];
    return html`<svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">${lines.map((line) => svg`<path d=${line} />`)}</svg>`;
  }
}
