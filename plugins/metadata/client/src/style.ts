import { css } from "lit";

/** What the parts of metadata look like; colours and sizes are the shell's. */
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
  ul {
    margin: 0;
    padding: 0;
  }
  h1,
  h2,
  h3 {
    font-family: var(--lb-font-display);
    font-stretch: condensed;
    line-height: 1.1;
  }
  h1 {
    font-size: var(--lb-text-xxl);
  }
  h2 {
    font-size: var(--lb-text-l);
  }
  h3 {
    font-size: var(--lb-text-m);
  }
  .soft {
    color: var(--lb-ink-soft);
    overflow-wrap: anywhere;
  }
  .problem {
    color: var(--lb-danger);
    overflow-wrap: anywhere;
  }
  button,
  a.button {
    display: inline-flex;
    align-items: center;
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
  button.strong {
    border-color: var(--lb-accent);
    background: var(--lb-accent);
    color: var(--lb-on-accent);
  }
  button[disabled] {
    opacity: 0.55;
    cursor: default;
  }
  form {
    display: flex;
    flex-wrap: wrap;
    gap: var(--lb-space-2);
  }
  label {
    display: grid;
    flex: 1 1 16rem;
    gap: var(--lb-space-1);
    font-size: var(--lb-text-s);
    font-weight: 600;
  }
  form button {
    align-self: end;
  }
  input {
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
