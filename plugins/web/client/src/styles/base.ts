import { css } from "lit";

/** What every element of the shell starts from. */
export const base = css`
  :host {
    box-sizing: border-box;
    color: var(--lb-ink);
    font-family: var(--lb-font-text);
  }
  :host([hidden]) {
    display: none !important;
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
  ol,
  dl,
  dd,
  figure,
  fieldset {
    margin: 0;
    padding: 0;
    border: 0;
  }
  ul,
  ol {
    list-style: none;
  }
  a {
    color: var(--lb-accent);
    text-decoration-thickness: 1px;
    text-underline-offset: 0.2em;
  }
  :focus-visible {
    outline: var(--lb-focus);
    outline-offset: 2px;
  }
  img,
  svg {
    display: block;
    max-width: 100%;
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
  .soft {
    color: var(--lb-ink-soft);
  }
  /* What stands on the label of a box: small capitals of a typewriter. */
  .label {
    font-family: var(--lb-font-mono);
    font-size: var(--lb-text-xs);
    letter-spacing: 0.04em;
    text-transform: uppercase;
    color: var(--lb-ink-soft);
  }
`;

export const type = css`
  h1,
  h2,
  h3,
  .display {
    font-family: var(--lb-font-display);
    font-stretch: condensed;
    font-weight: 700;
    line-height: 1.05;
    letter-spacing: -0.005em;
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
  .prose {
    max-width: 68ch;
    line-height: 1.6;
    overflow-wrap: anywhere;
  }
`;

export const buttons = css`
  button,
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: var(--lb-space-2);
    min-height: 2.5rem;
    padding: 0 var(--lb-space-4);
    border: 1.5px solid var(--lb-line);
    border-radius: var(--lb-radius-m);
    background: var(--lb-surface);
    color: var(--lb-ink);
    font: 600 var(--lb-text-s) / 1.2 var(--lb-font-text);
    text-decoration: none;
    cursor: pointer;
    transition:
      background var(--lb-fast),
      border-color var(--lb-fast),
      transform var(--lb-fast);
  }
  button:hover,
  .button:hover {
    border-color: var(--lb-ink-soft);
  }
  button:active,
  .button:active {
    transform: translateY(1px);
  }
  button[disabled] {
    opacity: 0.55;
    cursor: default;
    transform: none;
  }
  .primary {
    border-color: var(--lb-accent);
    background: var(--lb-accent);
    color: var(--lb-on-accent);
  }
  .primary:hover {
    border-color: var(--lb-accent);
    background: color-mix(in oklab, var(--lb-accent) 86%, var(--lb-ink));
  }
  .danger {
    border-color: var(--lb-danger);
    color: var(--lb-danger);
  }
  .quiet {
    border-color: transparent;
    background: transparent;
  }
  .quiet:hover {
    border-color: transparent;
    background: var(--lb-accent-soft);
  }
  .round {
    width: 2.5rem;
    padding: 0;
    border-radius: 999px;
  }
  button[aria-pressed="true"],
  .button[aria-current="true"] {
    border-color: var(--lb-accent);
    background: var(--lb-accent-soft);
    color: var(--lb-ink);
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--lb-space-2);
  }
`;

export const forms = css`
  form,
  .stack {
    display: grid;
    gap: var(--lb-space-4);
    align-content: start;
  }
  .field {
    display: grid;
    gap: var(--lb-space-1);
    min-width: 0;
  }
  .field > label,
  .field > .field-label {
    font-weight: 600;
    font-size: var(--lb-text-s);
  }
  input:not([type="checkbox"], [type="radio"]),
  select,
  textarea {
    width: 100%;
    min-height: 2.75rem;
    padding: var(--lb-space-2) var(--lb-space-3);
    border: 1.5px solid color-mix(in oklab, var(--lb-ink-soft) 70%, var(--lb-line));
    border-radius: var(--lb-radius-m);
    background: var(--lb-raised);
    color: var(--lb-ink);
    /* Not below 16px: phones zoom into smaller fields. */
    font: 1rem / 1.3 var(--lb-font-text);
  }
  textarea {
    min-height: 6rem;
    resize: vertical;
  }
  input::placeholder {
    color: var(--lb-ink-soft);
    opacity: 1;
  }
  input[aria-invalid="true"] {
    border-color: var(--lb-danger);
  }
  input[type="checkbox"],
  input[type="radio"] {
    width: 1.125rem;
    height: 1.125rem;
    margin: 0;
    flex: none;
  }
  .check {
    display: flex;
    align-items: start;
    gap: var(--lb-space-2);
  }
  .check input {
    margin-top: 0.2em;
  }
  .hint {
    font-size: var(--lb-text-s);
    color: var(--lb-ink-soft);
  }
  .problem {
    font-size: var(--lb-text-s);
    font-weight: 600;
    color: var(--lb-danger);
  }
`;

export const surfaces = css`
  .card {
    padding: var(--lb-space-5);
    border: 1px solid var(--lb-line);
    border-radius: var(--lb-radius-l);
    background: var(--lb-surface);
  }
  .card h2 {
    margin-bottom: var(--lb-space-3);
    font-size: var(--lb-text-l);
  }
  .tag {
    display: inline-flex;
    align-items: center;
    gap: var(--lb-space-1);
    padding: 1px var(--lb-space-2);
    border: 1px solid var(--lb-line);
    border-radius: 999px;
    font-size: var(--lb-text-xs);
    font-weight: 600;
    white-space: nowrap;
  }
  .tag.good {
    border-color: currentcolor;
    color: var(--lb-success);
  }
  .tag.bad {
    border-color: currentcolor;
    color: var(--lb-danger);
  }
  .tag.warn {
    border-color: currentcolor;
    color: var(--lb-warning);
  }
  .table-scroll {
    overflow-x: auto;
  }
  table {
    width: 100%;
    border-collapse: collapse;
  }
  th,
  td {
    padding: var(--lb-space-2) var(--lb-space-3);
    border-bottom: 1px solid var(--lb-line);
    text-align: start;
    vertical-align: middle;
  }
  th {
    font: 600 var(--lb-text-xs) / 1.4 var(--lb-font-mono);
    letter-spacing: 0.04em;
    text-transform: uppercase;
    color: var(--lb-ink-soft);
  }
`;

/** The frame of a page: its head and its margins. */
export const pages = css`
  :host {
    display: block;
    padding: var(--lb-space-5) var(--lb-gutter, var(--lb-space-4)) var(--lb-space-7);
  }
  .page-head {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    justify-content: space-between;
    gap: var(--lb-space-3) var(--lb-space-5);
    margin-bottom: var(--lb-space-5);
  }
  .narrow {
    max-width: 46rem;
  }
  .sections {
    display: grid;
    gap: var(--lb-space-5);
  }
`;

/** Web Awesome's dialogs, with our headings. */
export const dialogs = css`
  wa-dialog::part(header) {
    padding-top: var(--lb-space-4);
  }
  wa-dialog::part(title) {
    font: 700 var(--lb-text-xl) / 1.05 var(--lb-font-display);
  }
  wa-dialog::part(dialog) {
    border: 2px solid light-dark(var(--lb-ink), var(--lb-line));
    border-radius: var(--lb-radius-m);
    background: var(--lb-surface);
  }
`;
