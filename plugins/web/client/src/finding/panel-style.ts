import { css } from "lit";

/** The panel: near the top of the window, where results do not move it; on phones the whole window. */
export const panelStyle = css`
  dialog.finding {
    width: min(42rem, calc(100vw - 2 * var(--lb-space-4)));
    height: min(38rem, 80dvh);
    max-height: none;
    margin: 10dvh auto auto;
    padding: 0;
    overflow: hidden;
  }
  dialog.finding[open] {
    display: grid;
    grid-template-rows: auto minmax(0, 1fr) auto;
    gap: 0;
  }
  .typed {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr) auto;
    align-items: center;
    gap: var(--lb-space-3);
    padding: var(--lb-space-3) var(--lb-space-4);
    border-bottom: 1px solid var(--lb-line);
  }
  .typed .icon {
    color: var(--lb-ink-soft);
  }
  .typed input {
    height: 2.5rem;
    border: 0;
    background: none;
    color: var(--lb-ink);
    font: 1.125rem var(--lb-font-text);
  }
  .typed input:focus-visible {
    outline: none;
  }
  .typed:has(input:focus-visible) {
    box-shadow: inset 0 -2px 0 var(--lb-accent);
  }
  .typed input::placeholder {
    color: var(--lb-ink-soft);
    opacity: 1;
  }
  .found {
    padding: var(--lb-space-2);
    overflow-y: auto;
    overscroll-behavior: contain;
  }
  .found .label {
    display: block;
    padding: var(--lb-space-3) var(--lb-space-3) var(--lb-space-1);
  }
  .result[aria-selected="true"] {
    background: var(--lb-accent-soft);
    box-shadow: inset 3px 0 0 var(--lb-accent);
  }
  .result[aria-selected="true"]:dir(rtl) {
    box-shadow: inset -3px 0 0 var(--lb-accent);
  }
  .foot {
    display: flex;
    justify-content: space-between;
    gap: var(--lb-space-3);
    padding: var(--lb-space-2) var(--lb-space-4);
    border-top: 1px solid var(--lb-line);
    color: var(--lb-ink-soft);
    font-size: var(--lb-text-s);
  }
  kbd {
    font: 600 var(--lb-text-xs) var(--lb-font-mono);
  }
  @media (hover: none) {
    .foot .keys {
      display: none;
    }
  }
  @media (width < 40rem) {
    dialog.finding {
      width: 100vw;
      height: 100dvh;
      max-height: none;
      margin: 0;
      padding: env(safe-area-inset-top) 0 env(safe-area-inset-bottom);
      border: 0;
      border-radius: 0;
    }
  }
`;
