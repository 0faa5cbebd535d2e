import { css } from "lit";

/** The page as a printed sheet: rules and type, no boxes. Colours and sizes are the shell's. */
export const style = css`
  :host {
    display: block;
    position: relative;
    padding: var(--lb-space-5) var(--lb-gutter, var(--lb-space-4)) var(--lb-space-7);
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
  h3,
  .statement {
    font-family: var(--lb-font-display);
    font-stretch: condensed;
    line-height: 1.1;
    text-wrap: balance;
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
  .statement {
    max-width: 34ch;
    margin: var(--lb-space-4) 0 var(--lb-space-6);
    font-size: clamp(1.375rem, 1.1rem + 1.5vw, 2.25rem);
    line-height: 1.25;
    color: var(--lb-ink-soft);
    text-wrap: pretty;
  }
  .statement strong {
    color: var(--lb-ink);
    white-space: nowrap;
  }
  .sheet {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr));
    gap: var(--lb-space-7) var(--lb-space-6);
  }
  section {
    display: grid;
    gap: var(--lb-space-4);
    align-content: start;
    min-width: 0;
    padding-top: var(--lb-space-3);
    border-top: 2px solid light-dark(var(--lb-ink), var(--lb-ink-soft));
  }
  .wide {
    grid-column: 1 / -1;
  }
  .headline {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 var(--lb-space-3);
  }
  .headline strong {
    font: 700 clamp(3rem, 2rem + 4vw, 4.5rem) / 1 var(--lb-font-display);
    font-variant-numeric: lining-nums;
  }
  .soft {
    color: var(--lb-ink-soft);
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
  table {
    width: 100%;
    border-collapse: collapse;
  }
  caption {
    padding-bottom: var(--lb-space-2);
    color: var(--lb-ink-soft);
    text-align: start;
  }
  th,
  td {
    padding: var(--lb-space-2) var(--lb-space-3) var(--lb-space-2) 0;
    border-bottom: 1px solid var(--lb-line);
    font-weight: 400;
    text-align: start;
  }
  thead th {
    font: 600 var(--lb-text-xs) / 1.4 var(--lb-font-mono);
    letter-spacing: 0.04em;
    text-transform: uppercase;
    color: var(--lb-ink-soft);
  }
  tbody th,
  .strong {
    font-weight: 700;
  }
  .who {
    display: flex;
    align-items: center;
    gap: var(--lb-space-2);
    overflow-wrap: anywhere;
  }
  .number {
    text-align: end;
    white-space: nowrap;
    font-variant-numeric: tabular-nums lining-nums;
  }
  .gauge {
    width: 45%;
    padding-left: var(--lb-space-2);
  }
  tr > :last-child {
    padding-right: 0;
  }
  .gaps {
    display: grid;
  }
  .gaps li {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto auto;
    gap: var(--lb-space-1) var(--lb-space-4);
    align-items: baseline;
    padding: var(--lb-space-2) 0 var(--lb-space-3);
    border-bottom: 1px solid var(--lb-line);
  }
  .gaps a {
    color: var(--lb-ink);
    font: 700 1.125rem / 1.3 var(--lb-font-display);
    text-decoration-color: var(--lb-accent);
    text-decoration-thickness: 1px;
    text-underline-offset: 0.2em;
    overflow-wrap: anywhere;
  }
  .gaps a:hover {
    color: var(--lb-accent);
  }
  .gap-bar {
    grid-column: 1 / -1;
  }
  .gap-bar .bar,
  .gauge .bar {
    height: 0.5rem;
  }
  .problem {
    color: var(--lb-danger);
    overflow-wrap: anywhere;
  }
  button {
    min-height: 2.5rem;
    padding: 0 var(--lb-space-4);
    border: 1.5px solid var(--lb-line);
    border-radius: var(--lb-radius-m);
    background: var(--lb-raised);
    color: var(--lb-ink);
    font: 600 var(--lb-text-s) / 1.2 var(--lb-font-text);
    cursor: pointer;
  }
  button:hover {
    border-color: var(--lb-ink-soft);
  }
  :focus-visible {
    outline: var(--lb-focus);
    outline-offset: 2px;
  }
  .notice {
    display: grid;
    gap: var(--lb-space-3);
    justify-items: start;
    max-width: 34rem;
    margin-top: var(--lb-space-5);
  }
  .waiting {
    display: grid;
    gap: var(--lb-space-4);
    margin-top: var(--lb-space-5);
  }
  .waiting i {
    height: 2rem;
    border-radius: var(--lb-radius-s);
    background: color-mix(in oklab, var(--lb-line) 60%, transparent);
  }
  .waiting i:last-child {
    height: 12rem;
  }
  @media (width < 40rem) {
    .size {
      display: none;
    }
    tr > :nth-last-child(2) {
      padding-right: 0;
    }
    .gauge {
      width: 26%;
    }
  }
`;
