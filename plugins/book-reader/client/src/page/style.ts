import { css } from "lit";
import { panelStyle } from "../panels/style.js";

/**
 * The tokens of the interface for the theme of the book, which need not be that of the page: the tokens that are
 * inherited have been computed for the page already.
 */
const tones = css`
  :host {
    --lb-surface: #fdfcf8;
    --lb-raised: #ffffff;
    --lb-ink: #1d1b18;
    --lb-ink-soft: #5f594e;
    --lb-line: #ddd5c4;
    --lb-accent: #2a3cc9;
    --lb-on-accent: #ffffff;
    --lb-accent-soft: #e1e3f8;
    --lb-danger: #ad2318;
    color-scheme: light;
  }
  :host([theme="sepia"]) {
    --lb-surface: #f3e7d0;
    --lb-raised: #fbf3e2;
    --lb-ink-soft: #574a36;
    --lb-line: #d9c7a3;
  }
  :host(:is([theme="dark"], [theme="black"])) {
    --lb-surface: #1d1f21;
    --lb-raised: #26292c;
    --lb-ink: #eae6dc;
    --lb-ink-soft: #b3afa6;
    --lb-line: #43474b;
    --lb-accent: #9dabff;
    --lb-on-accent: #0f1330;
    --lb-accent-soft: #2b3257;
    --lb-danger: #ff9184;
    color-scheme: dark;
  }
  :host([theme="black"]) {
    --lb-surface: #000000;
    --lb-raised: #17181a;
  }
`;

/** A page without the frame of the interface: bars above and below, the book between. */
export const pageStyle = [
  tones,
  ...panelStyle,
  css`
    :host {
      position: fixed;
      inset: 0;
      z-index: 10;
      display: grid;
      grid-template: auto minmax(0, 1fr) auto auto / minmax(0, 1fr);
      background: var(--lb-surface);
      color: var(--lb-ink);
      font: 400 var(--lb-text-m) / 1.5 var(--lb-font-text);
    }
    iframe {
      grid-area: 2 / 1;
      width: 100%;
      height: 100%;
      border: 0;
    }
    iframe.waiting {
      visibility: hidden;
    }
    .message {
      grid-row: 2;
      grid-column: 1;
      place-self: center;
      max-width: 32rem;
      padding: var(--lb-space-5);
      text-align: center;
    }
    .bar {
      display: flex;
      align-items: center;
      gap: var(--lb-space-1);
      min-height: 48px;
      padding: 0 max(var(--lb-space-2), env(safe-area-inset-left));
      transition: opacity var(--lb-fast);
    }
    header.bar {
      padding-top: env(safe-area-inset-top);
    }
    footer.bar {
      grid-area: 4 / 1;
      padding-bottom: max(var(--lb-space-1), env(safe-area-inset-bottom));
    }
    :host([quiet]) header.bar:not(:focus-within, :hover) {
      opacity: 0;
    }
    :host([quiet]) footer.bar:not(:focus-within, :hover) :is(input, button) {
      opacity: 0;
    }
    h1 {
      flex: 1;
      min-width: 0;
      overflow: hidden;
      font: 700 var(--lb-text-m) / 1.2 var(--lb-font-display);
      white-space: nowrap;
      text-overflow: ellipsis;
    }
    .plain {
      display: inline-grid;
      place-items: center;
      flex: none;
      min-width: 44px;
      height: 44px;
      padding: 0;
      border: 0;
      background: transparent;
      color: inherit;
    }
    .plain[aria-pressed="true"] {
      color: var(--lb-accent);
    }
    .plain[aria-pressed="true"] path {
      fill: currentColor;
    }
    .turned {
      rotate: 180deg;
    }
    .place {
      flex: 1;
      min-width: 0;
      text-align: center;
    }
    .place input {
      width: 100%;
      height: 24px;
      margin: 0;
      accent-color: var(--lb-accent);
    }
    .place p {
      display: flex;
      justify-content: center;
      gap: 0 1.5ch;
      margin: 0;
      font-size: var(--lb-text-s);
      line-height: 1.25rem;
      white-space: nowrap;
    }
    .place .chapter {
      min-width: 0;
      overflow: hidden;
      text-overflow: ellipsis;
    }
    .float {
      grid-area: 3 / 1;
    }
    .selection {
      position: fixed;
    }
    .question,
    .selection {
      z-index: 2;
      border: 1px solid var(--lb-line);
      border-radius: var(--lb-radius-l);
      background: var(--lb-raised);
      box-shadow: var(--lb-shadow-2);
    }
    .float,
    .question,
    .selection {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      justify-content: center;
      gap: var(--lb-space-2);
      padding: var(--lb-space-2);
      color: var(--lb-ink);
    }
    .selection {
      max-width: calc(100vw - 16px);
    }
    .question {
      grid-area: 2 / 1;
      place-self: end center;
      margin: var(--lb-space-2);
      padding: var(--lb-space-3) var(--lb-space-4);
    }
    .question p {
      margin: 0;
    }
    @media (max-width: 600px) {
      .wide {
        display: none;
      }
      header.bar {
        justify-content: space-between;
        gap: 0;
      }
      header .plain {
        min-width: 40px;
      }
      .float {
        gap: var(--lb-space-1);
        padding-inline: var(--lb-space-1);
      }
      .float button {
        padding-inline: var(--lb-space-2);
      }
      /* The controls need the room; the title is that of the window too. */
      header h1 {
        position: absolute;
        clip-path: inset(50%);
      }
    }
  `,
];
