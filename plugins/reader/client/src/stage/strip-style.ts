import { css } from "lit";
import { controlsStyle } from "../chrome/controls-style.js";

/** The layout of a stage that shows all pages below each other. */
export const stripStyle = [
  controlsStyle,
  css`
    :host {
      display: block;
      overflow: hidden auto;
      overscroll-behavior: contain;
      /* The stage keeps the place itself, in all browsers alike. */
      overflow-anchor: none;
      scrollbar-width: thin;
    }
    .strip {
      margin: 0 auto;
    }
    .slot {
      position: relative;
      width: 100%;
      background: color-mix(in oklab, var(--lb-ink) 5%, transparent);
    }
    .slot img {
      position: absolute;
      top: 50%;
      left: 50%;
      translate: -50% -50%;
      filter: var(--page-filter, none);
    }
    .trouble,
    .end {
      display: grid;
      place-content: center;
      justify-items: center;
      gap: var(--lb-space-4);
      padding: var(--lb-space-5);
      color: var(--lb-ink);
      font: 400 var(--lb-text-m) / 1.5 var(--lb-font-text);
      text-align: center;
    }
    .trouble {
      position: absolute;
      inset: 0;
    }
    .trouble p {
      margin: 0;
    }
    .end {
      min-height: 9rem;
      padding-bottom: max(var(--lb-space-7), env(safe-area-inset-bottom));
    }
  `,
];
