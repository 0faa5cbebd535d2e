import { css } from "lit";
import { controlsStyle } from "./controls-style.js";

/** The panel with the view options, over the pages. */
export const viewPanelStyle = [
  controlsStyle,
  css`
    :host {
      display: grid;
      gap: var(--lb-space-4);
      width: min(20rem, calc(100vw - 2 * var(--lb-space-3)));
      max-height: calc(100dvh - 9rem);
      overflow: auto;
      padding: var(--lb-space-4);
      border: 1px solid var(--lb-line);
      border-radius: var(--lb-radius-l);
      background: var(--lb-raised);
      box-shadow: var(--lb-shadow-2);
      color: var(--lb-ink);
      font: 400 var(--lb-text-s) / 1.4 var(--lb-font-text);
    }
    fieldset {
      display: grid;
      grid-template-columns: 1fr 1fr;
      gap: var(--lb-space-1);
      margin: 0;
      padding: 0;
      border: 0;
    }
    legend {
      margin-bottom: var(--lb-space-1);
      padding: 0;
      font: 700 var(--lb-text-s) / 1.2 var(--lb-font-display);
      color: var(--lb-ink-soft);
    }
    label {
      display: flex;
      align-items: center;
      min-height: 40px;
      padding: var(--lb-space-1) var(--lb-space-3);
      border: 1px solid var(--lb-line);
      border-radius: var(--lb-radius-m);
      cursor: pointer;
    }
    label:has(:checked) {
      border-color: var(--lb-accent);
      background: var(--lb-accent-soft);
    }
    label:has(:focus-visible) {
      outline: var(--lb-focus);
      outline-offset: 1px;
    }
    label input {
      position: absolute;
      opacity: 0;
      pointer-events: none;
    }
    label.switch input {
      position: static;
      opacity: 1;
      width: 18px;
      height: 18px;
      margin: 0;
      margin-inline-end: var(--lb-space-2);
      accent-color: var(--lb-accent);
    }
    .wide {
      grid-column: 1 / -1;
    }
    button {
      min-height: 40px;
      padding: 0 var(--lb-space-3);
      border: 1px solid var(--lb-line);
      border-radius: var(--lb-radius-m);
      background: var(--lb-surface);
      cursor: pointer;
    }
    button:hover {
      border-color: var(--lb-accent);
    }
    details {
      display: grid;
      gap: var(--lb-space-2);
    }
    details > * {
      margin-top: var(--lb-space-2);
    }
    summary {
      min-height: 40px;
      margin: 0;
      font: 700 var(--lb-text-s) / 40px var(--lb-font-display);
      cursor: pointer;
    }
    .range {
      display: grid;
      gap: 0;
      padding: var(--lb-space-2) var(--lb-space-3);
    }
    .range > span {
      display: flex;
      gap: var(--lb-space-2);
      justify-content: space-between;
    }
    .range > span > span {
      color: var(--lb-ink-soft);
      font-variant-numeric: tabular-nums;
    }
    .range input {
      position: static;
      width: 100%;
      height: 28px;
      opacity: 1;
      pointer-events: auto;
      accent-color: var(--lb-accent);
    }
    /* The frame around it shows the focus. */
    .range input:focus-visible {
      outline: none;
    }
    small {
      display: block;
      color: var(--lb-ink-soft);
    }
  `,
];
