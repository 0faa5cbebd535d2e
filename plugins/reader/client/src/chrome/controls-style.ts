import { css } from "lit";

/** Buttons, bars and panels that lie over the pages. */
export const controlsStyle = css`
  * {
    box-sizing: border-box;
  }
  button,
  select {
    font: inherit;
    color: inherit;
  }
  .plain {
    display: inline-grid;
    place-items: center;
    min-width: 44px;
    height: 44px;
    padding: 0 var(--lb-space-2);
    border: 0;
    border-radius: var(--lb-radius-m);
    background: transparent;
    cursor: pointer;
    transition: background var(--lb-fast);
  }
  .plain:hover {
    background: color-mix(in oklab, var(--lb-ink) 12%, transparent);
  }
  .plain[aria-pressed="true"],
  .plain[aria-expanded="true"] {
    color: var(--lb-accent);
  }
  .plain[aria-pressed="true"] .icon path {
    fill: currentColor;
  }
  .plain:disabled {
    opacity: 0.35;
    cursor: default;
    background: transparent;
  }
  .strong {
    padding: var(--lb-space-3) var(--lb-space-5);
    border: 0;
    border-radius: var(--lb-radius-m);
    background: var(--lb-accent);
    color: var(--lb-on-accent);
    font-weight: 700;
    cursor: pointer;
  }
  :focus-visible {
    outline: var(--lb-focus);
    outline-offset: 2px;
  }
`;
