import { css, html, svg, type TemplateResult } from "lit";
import type { InkedPublisher } from "./inks.js";

const width = 1000;
const height = 100;
/** With fewer comics than this the box is not full; with more than the most, a spine stands for several. */
const fewest = 72;
const most = 168;

/**
 * The box that the comics stand in, seen from its side: spines in the ink of their publisher, a divider before each.
 */
export function boxOfSpines(publishers: readonly InkedPublisher[]): TemplateResult {
  const owned = publishers.reduce((sum, { issues }) => sum + issues, 0);
  const scale = Math.min(1, most / Math.max(1, owned));
  const counts = publishers.map(({ issues }) => Math.max(1, Math.round(issues * scale)));
  const slots = Math.max(
    fewest,
    counts.reduce((sum, spines) => sum + spines + 1, 0),
  );
  const step = width / slots;
  let slot = 0;
  const groups = publishers.map(({ ink }, index) => {
    const divider = svg`<rect class="divider" x=${slot * step} y="6" width=${step * 0.8} height=${height}></rect>`;
    slot += 1;
    const spines = Array.from({ length: counts[index] ?? 0 }, (_, at) => spine((slot + at) * step, step, slot + at));
    slot += spines.length;
    return svg`<g class=${ink}>${divider}${spines}</g>`;
  });
  return html`<div class="box" aria-hidden="true">
    <svg class="spines" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none">${groups}</svg>
    <div class="front"><i></i></div>
  </div>`;
}

/** No two comics stand quite as high, and the same one always stands the same. */
function spine(x: number, step: number, seed: number): TemplateResult {
  const top = 24 + ((seed * 37) % 11);
  return svg`<rect class=${seed % 3 === 0 ? "spine worn" : "spine"} x=${x} y=${top} width=${step * 0.8} height=${height - top}></rect>`;
}

export const boxStyle = css`
  .box {
    display: grid;
  }
  .spines {
    display: block;
    width: calc(100% - 2 * var(--lb-space-3));
    height: clamp(5rem, 9vw, 8rem);
    margin-inline: auto;
  }
  .spines:dir(rtl) {
    scale: -1 1;
  }
  .spine {
    fill: var(--ink);
  }
  .worn {
    fill: color-mix(in oklab, var(--ink) 72%, var(--lb-page));
  }
  .divider {
    fill: color-mix(in oklab, var(--lb-ink) 24%, var(--lb-page));
  }
  .front {
    display: grid;
    place-items: center;
    height: clamp(3.5rem, 6vw, 5rem);
    border: 2px solid light-dark(var(--lb-ink), var(--lb-ink-soft));
    border-radius: 2px 2px var(--lb-radius-m) var(--lb-radius-m);
    background: var(--lb-surface);
  }
  .front i {
    width: 4.5rem;
    height: 1.125rem;
    border-radius: 999px;
    background: light-dark(var(--lb-ink), var(--lb-ink-soft));
  }
`;
