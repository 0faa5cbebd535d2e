import { css } from "lit";

/** What every part of the lists looks like; colours and sizes are the shell's. */
export const style = css`
  :host {
    display: block;
    color: var(--lb-ink);
    font: 400 var(--lb-text-m) / 1.5 var(--lb-font-text);
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  h1,
  h2,
  h3,
  p,
  ul,
  ol {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  h1,
  h2,
  h3 {
    font-family: var(--lb-font-display);
    font-stretch: condensed;
    line-height: 1.1;
    overflow-wrap: anywhere;
  }
  h1 {
    font-size: var(--lb-text-xxl);
  }
  h2 {
    font-size: var(--lb-text-xl);
  }
  h3 {
    font-size: var(--lb-text-l);
  }
  a {
    color: inherit;
  }
  .soft {
    color: var(--lb-ink-soft);
    overflow-wrap: anywhere;
  }
  .facts {
    color: var(--lb-ink-soft);
    font-family: var(--lb-font-mono);
    font-size: var(--lb-text-xs);
  }
  .problem {
    color: var(--lb-danger);
    overflow-wrap: anywhere;
  }
  .hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    gap: var(--lb-space-2);
    align-items: center;
  }
  button,
  a.button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: var(--lb-space-2);
    min-height: 2.75rem;
    padding: 0 var(--lb-space-4);
    border: 1.5px solid var(--lb-line);
    border-radius: var(--lb-radius-m);
    background: var(--lb-raised);
    color: var(--lb-ink);
    font: 600 var(--lb-text-s) / 1.2 var(--lb-font-text);
    text-decoration: none;
    cursor: pointer;
  }
  button:hover,
  a.button:hover {
    border-color: var(--lb-ink-soft);
  }
  button.strong,
  a.strong {
    border-color: var(--lb-accent);
    background: var(--lb-accent);
    color: var(--lb-on-accent);
  }
  button.danger {
    color: var(--lb-danger);
  }
  button[aria-pressed="true"] {
    border-color: var(--lb-accent);
    background: var(--lb-accent-soft);
  }
  button[disabled] {
    opacity: 0.55;
    cursor: default;
  }
  form {
    display: flex;
    flex-wrap: wrap;
    gap: var(--lb-space-2);
    align-items: end;
  }
  label {
    display: grid;
    flex: 1 1 14rem;
    gap: var(--lb-space-1);
    font-size: var(--lb-text-s);
    font-weight: 600;
  }
  input:not([type="file"]) {
    width: 100%;
    min-height: 2.75rem;
    padding: 0 var(--lb-space-3);
    border: 1.5px solid color-mix(in oklab, var(--lb-ink-soft) 70%, var(--lb-line));
    border-radius: var(--lb-radius-m);
    background: var(--lb-raised);
    color: var(--lb-ink);
    font: 1rem / 1.3 var(--lb-font-text);
  }
  :focus-visible {
    outline: var(--lb-focus);
    outline-offset: 2px;
  }
`;

export const pageStyle = css`
  :host {
    padding: var(--lb-space-5) var(--lb-gutter, var(--lb-space-4)) var(--lb-space-7);
  }
  .page {
    display: grid;
    gap: var(--lb-space-5);
    max-width: 72rem;
  }
  .notice {
    display: grid;
    gap: var(--lb-space-3);
    justify-items: start;
    max-width: 36rem;
  }
  .waiting {
    display: grid;
    gap: var(--lb-space-4);
  }
  .waiting i {
    height: 5rem;
    border-radius: var(--lb-radius-s);
    background: color-mix(in oklab, var(--lb-line) 60%, transparent);
  }
`;

export const dialogStyle = css`
  dialog {
    width: min(44rem, calc(100vw - 2 * var(--lb-space-4)));
    max-height: min(50rem, calc(100dvh - 2 * var(--lb-space-4)));
    padding: var(--lb-space-5);
    border: 1px solid var(--lb-line);
    border-radius: var(--lb-radius-l);
    background: var(--lb-page);
    color: var(--lb-ink);
    box-shadow: var(--lb-shadow-2);
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 55%);
  }
  .inside {
    display: grid;
    gap: var(--lb-space-4);
  }
  .head {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: var(--lb-space-3);
  }
`;
