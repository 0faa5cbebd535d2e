import { number, percent } from "@longbox/sdk/ui";
import { css, html, svg, type TemplateResult } from "lit";

export interface Share {
  readonly name: string;
  readonly value: number;
  readonly ink: string;
}

const width = 1000;

/**
 * A bar of shares, one beside the other. It says nothing that the text around it does not: screen readers pass it by.
 */
export function bar(
  shares: readonly Share[],
  whole = shares.reduce((sum, { value }) => sum + value, 0),
): TemplateResult {
  let from = 0;
  const pieces = shares
    .filter(({ value }) => value > 0)
    .map(({ value, ink }) => {
      const length = (value / Math.max(1, whole)) * width;
      from += length;
      return svg`<rect class=${ink} x=${from - length} width=${length} height="10"></rect>`;
    });
  return html`<svg class="bar" viewBox="0 0 ${width} 10" preserveAspectRatio="none" aria-hidden="true">${pieces}</svg>`;
}

/** A bar with its name above it and what its shares are below it. */
export function labelledBar(title: string, shares: readonly Share[]): TemplateResult {
  const whole = shares.reduce((sum, { value }) => sum + value, 0);
  return html`<div class="measure">
    <h3>${title}</h3>
    ${bar(shares)}
    <ul class="legend">
      ${shares.filter(({ value }) => value > 0).map(({ name, value, ink }) => html`<li><i class="swatch ${ink}"></i><span>${name}</span> <b>${number(value)}</b> <span class="soft">${percent(value, whole)}</span></li>`)}
    </ul>
  </div>`;
}

export const barStyle = css`
  .bar {
    display: block;
    width: 100%;
    height: 0.875rem;
    border-radius: var(--lb-radius-s);
    background: color-mix(in oklab, var(--lb-line) 70%, transparent);
  }
  .bar:dir(rtl) {
    scale: -1 1;
  }
  .bar rect {
    fill: var(--ink);
    stroke: var(--lb-page);
    stroke-width: 2px;
    vector-effect: non-scaling-stroke;
  }
  .swatch {
    display: inline-block;
    flex: none;
    width: 0.75rem;
    height: 0.75rem;
    border-radius: 2px;
    background: var(--ink);
  }
  .measure {
    display: grid;
    gap: var(--lb-space-2);
  }
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: var(--lb-space-1) var(--lb-space-4);
    font-size: var(--lb-text-s);
  }
  .legend span:first-of-type::first-letter {
    text-transform: uppercase;
  }
  .legend li {
    display: flex;
    align-items: center;
    gap: var(--lb-space-2);
  }
`;
