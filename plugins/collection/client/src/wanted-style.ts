import { css } from "lit";

/** Buttons, fields and links of every part of the page; colours and sizes are the shell's. */
export const controls = css`
  :host {
    color: var(--lb-ink);
    font: 400 var(--lb-text-m) / 1.5 var(--lb-font-text);
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  a {
    color: inherit;
    text-decoration: none;
  }
  a:hover {
    text-decoration: underline;
    text-decoration-thickness: 1px;
    text-underline-offset: 0.2em;
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
  button[disabled] {
    opacity: 0.55;
    cursor: default;
  }
  button[aria-pressed="true"] {
    position: relative;
    border-color: var(--lb-accent);
    background: var(--lb-accent-soft);
  }
  input,
  select {
    min-height: 2.5rem;
    padding: 0 var(--lb-space-3);
    border: 1.5px solid color-mix(in oklab, var(--lb-ink-soft) 70%, var(--lb-line));
    border-radius: var(--lb-radius-m);
    background: var(--lb-raised);
    color: var(--lb-ink);
    font: 1rem / 1.3 var(--lb-font-text);
  }
  input[type="checkbox"] {
    width: 1.125rem;
    min-height: 1.125rem;
    margin: 0;
  }
  label {
    display: inline-flex;
    align-items: center;
    gap: var(--lb-space-2);
    min-height: 2.5rem;
    font-size: var(--lb-text-s);
    font-weight: 600;
  }
  :focus-visible {
    outline: var(--lb-focus);
    outline-offset: 2px;
  }
`;

export const wantedStyle = [
  controls,
  css`
    :host {
      display: block;
      padding: var(--lb-space-5) var(--lb-gutter, var(--lb-space-4)) var(--lb-space-7);
    }
    h1,
    h2,
    p,
    ul {
      margin: 0;
      padding: 0;
      list-style: none;
    }
    h1,
    h2 {
      font-family: var(--lb-font-display);
      font-stretch: condensed;
      line-height: 1.1;
    }
    h1 {
      font-size: var(--lb-text-xxl);
    }
    h2 {
      padding: var(--lb-space-3) 0 var(--lb-space-2);
      border-top: 2px solid light-dark(var(--lb-ink), var(--lb-ink-soft));
      font-size: var(--lb-text-xl);
      overflow-wrap: anywhere;
    }
    section {
      max-width: 72rem;
      margin-bottom: var(--lb-space-6);
    }
    li + li {
      border-top: 1px solid var(--lb-line);
    }
    .soft {
      color: var(--lb-ink-soft);
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
    .notice {
      display: grid;
      gap: var(--lb-space-3);
      justify-items: start;
      max-width: 34rem;
    }
    .notice h2 {
      border: 0;
      padding: 0;
      font-size: var(--lb-text-xl);
    }
    .waiting {
      display: grid;
      gap: var(--lb-space-4);
      max-width: 72rem;
    }
    .waiting i {
      height: 4rem;
      border-radius: var(--lb-radius-s);
      background: color-mix(in oklab, var(--lb-line) 60%, transparent);
    }
    .pages {
      display: flex;
      align-items: center;
      gap: var(--lb-space-4);
    }
  `,
];
